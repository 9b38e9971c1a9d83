// Hands the pieces of a copy, or of a very long commit, to the file on a thread of its own: while one is written the next
// is put together. Pieces go one after the other, in the order in which they came; long ones past the system's cache.
import SystemIO

final class BackgroundWriter: @unchecked Sendable {
  private struct Piece {
    var bytes: UnsafeRawBufferPointer
    var offset: Int
  }

  /// Less than this is not worth a wait for the disk.
  private static let minDirectWrite = 1 << 20

  private let file: any StorageFile
  private let mutex = ThreadMutex()
  private let changed = ThreadCondition()
  /// What is being written, or about to be.
  private var piece: Piece?
  private var failure: SystemError?
  private var isStopped = false
  private var thread: SystemThread?

  /// nil where the system has no thread to give.
  init?(_ file: any StorageFile) {
    self.file = file
    guard let thread = try? SystemThread.start(name: "write-handoff", { [self] in run() }) else {
      return nil
    }
    self.thread = thread
  }

  /// Takes the bytes, which stay as they are until the next call returns. Waits until those before are written; error:
  /// what became of them.
  func submit(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    mutex.lock()
    defer { mutex.unlock() }
    try waitUntilWritten()
    piece = Piece(bytes: bytes, offset: offset)
    changed.broadcast()
  }

  /// Returns when all is written.
  func waitUntilIdle() throws(SystemError) {
    mutex.lock()
    defer { mutex.unlock() }
    try waitUntilWritten()
  }

  /// Ends the thread when it has written what it has; afterwards nothing looks at the bytes any more.
  func stop() {
    mutex.withLock {
      isStopped = true
      changed.broadcast()
    }
    thread?.join()
    thread = nil
  }

  private func waitUntilWritten() throws(SystemError) {
    while piece != nil { changed.wait(mutex) }
    if let failure { throw failure }
  }

  private func run() {
    mutex.lock()
    defer { mutex.unlock() }
    while true {
      guard let piece else {
        if isStopped { return }
        changed.wait(mutex)
        continue
      }
      mutex.unlock()
      var found: SystemError?
      do throws(SystemError) {
        if piece.bytes.count < Self.minDirectWrite {
          try file.write(piece.bytes, at: piece.offset)
        } else {
          try file.writeAside(piece.bytes, at: piece.offset)
        }
      } catch { found = error }
      // Where that went through the cache all the same.
      file.advise(.writeSoon, piece.offset..<piece.offset + piece.bytes.count)
      mutex.lock()
      failure = failure ?? found
      self.piece = nil
      changed.broadcast()
    }
  }
}
