// Writes the pieces of a copy, or of a very long commit, on a thread of its own, so that the next piece is assembled
// while one is written. Pieces are written in the order of submission; long ones bypass the page cache.
import SystemIO

final class BackgroundWriter: @unchecked Sendable {
  private struct Piece {
    var bytes: UnsafeRawBufferPointer
    var offset: Int
  }

  /// Shorter pieces go through the page cache: waiting for the disk would cost more.
  private static let minDirectWrite = 1 << 20

  private let file: any StorageFile
  private let mutex = ThreadMutex()
  private let changed = ThreadCondition()
  /// The piece that is being written or is next.
  private var piece: Piece?
  private var failure: SystemError?
  private var isStopped = false
  private var thread: SystemThread?

  /// Starts the thread. nil if the system cannot create one.
  init?(_ file: any StorageFile) {
    self.file = file
    guard let thread = try? SystemThread.start(name: "write-handoff", { [self] in run() }) else {
      return nil
    }
    self.thread = thread
  }

  /// Submits the bytes, which must not change until the next call returns, after waiting until the piece before is
  /// written. Throws the error of an earlier piece.
  func submit(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    mutex.lock()
    defer { mutex.unlock() }
    try waitUntilWritten()
    piece = Piece(bytes: bytes, offset: offset)
    changed.broadcast()
  }

  /// Waits until all pieces are written.
  func waitUntilIdle() throws(SystemError) {
    mutex.lock()
    defer { mutex.unlock() }
    try waitUntilWritten()
  }

  /// Stops the thread when it has written its piece; the bytes are no longer accessed afterwards.
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
          try file.writeDirect(piece.bytes, at: piece.offset)
        }
      } catch { found = error }
      // Starts writeback, in case the piece went through the page cache after all.
      file.advise(.writeSoon, piece.offset..<piece.offset + piece.bytes.count)
      mutex.lock()
      failure = failure ?? found
      self.piece = nil
      changed.broadcast()
    }
  }
}
