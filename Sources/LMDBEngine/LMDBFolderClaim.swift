// LMDB demands that a process opens an environment once: a second one would share its locks and, closing, drop them.
import EngineInterface
import SystemIO

/// This process's claim on one folder.
final class FolderClaim: @unchecked Sendable {
  private static let taken = TakenFolders()
  private var isReleased = false
  private let identity: FileIdentity

  /// Refused (`busy`) while another session of this process has the folder.
  init(_ folder: FilePath) throws(EngineError) {
    do throws(SystemError) {
      identity = try FileIdentity(of: folder)
    } catch {
      throw EngineError(engine: lmdbID, error, while: "opening \(folder)")
    }
    if !Self.taken.insert(identity) {
      // An object whose init throws is deinitialized as well: it must not release what another has.
      isReleased = true
      throw EngineError(
        engine: lmdbID, code: .busy,
        message: "\(folder) is open in this process already; close that session first")
    }
  }

  deinit { release() }

  /// Releases the folder. Calling it again does nothing.
  func release() { Self.taken.remove(identity, left: &isReleased) }
}

/// The folders that this process has open.
private final class TakenFolders: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var folders: Set<FileIdentity> = []

  func insert(_ identity: FileIdentity) -> Bool {
    mutex.withLock { folders.insert(identity).inserted }
  }

  /// `left` is guarded by the same mutex, so that one claim never removes the next one's.
  func remove(_ identity: FileIdentity, left: inout Bool) {
    mutex.lock()
    defer { mutex.unlock() }
    if left { return }
    left = true
    folders.remove(identity)
  }
}
