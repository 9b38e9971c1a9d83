// A process opens a database once: DuckDB's lock is of the process, and closing one of two sessions would drop it for both.
import EngineInterface
import SystemIO

/// This process's claim on one folder.
final class FolderClaim: @unchecked Sendable {
  private static let mutex = ThreadMutex()
  nonisolated(unsafe) private static var taken: Set<FileIdentity> = []
  private let identity: FileIdentity
  private var isReleased = false

  /// Refused (`busy`) while another session of this process has the folder.
  init(_ folder: FilePath) throws(EngineError) {
    do throws(SystemError) {
      identity = try FileIdentity(of: folder)
    } catch {
      throw EngineError(engine: duckDBID, error, while: "opening \(folder)")
    }
    if Self.mutex.withLock({ Self.taken.insert(identity).inserted }) { return }
    // An object whose init throws is deinitialized as well: it must not release what another has.
    isReleased = true
    throw EngineError(
      engine: duckDBID, code: .busy,
      message: "\(folder) is open in this process already; close that session first")
  }

  deinit { release() }

  /// Releases the folder. Calling it again does nothing.
  func release() {
    Self.mutex.withLock {
      if isReleased { return }
      isReleased = true
      Self.taken.remove(identity)
    }
  }
}
