// Checkpoints within commits: when they began and ended. SQLite makes them in the function that it calls after each commit
// (sqlite3_wal_hook), and reports no times. Here this function is ours: it does what SQLite's own does, and reads the clock.
import CSQLite
import SystemIO

/// Makes the checkpoints of one connection's commits. Used by the thread that commits.
final class CommitCheckpoints {
  /// Called with the times of the machine's clock at which a checkpoint began and ended.
  typealias Report = @Sendable (_ begin: UInt64, _ end: UInt64) -> Void

  private let sqlite: SQLiteLibrary
  private let minPages: Int32
  private let report: Report
  /// Pages in the log after the last commit, and how many of them the last checkpoint found or left in the file.
  private var loggedPages: Int32 = 0
  private var movedPages: Int32 = 0

  /// - Parameter minPages: the pages in the log from which on a commit makes a checkpoint.
  init(_ sqlite: SQLiteLibrary, minPages: Int32, _ report: @escaping Report) {
    self.sqlite = sqlite
    self.minPages = minPages
    self.report = report
  }

  /// Replaces SQLite's function for the connection, which must not outlive this object.
  func take(_ connection: OpaquePointer) {
    let address = Unmanaged.passUnretained(self).toOpaque()
    _ = sqlite.call.walHook(
      connection,
      { address, connection, name, pages in
        guard let address else { return SQLITE_OK }
        Unmanaged<CommitCheckpoints>.fromOpaque(address).takeUnretainedValue()
          .committed(connection, name, pages)
        return SQLITE_OK
      }, address)
  }

  /// Makes a passive checkpoint if the log is long enough, and leaves an error of it to the next one, as SQLite does. Where
  /// readers let no page be moved, nothing is reported.
  private func committed(
    _ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ pages: Int32
  ) {
    // Each commit adds pages, unless it begins the log anew.
    if pages <= loggedPages { movedPages = 0 }
    loggedPages = pages
    guard pages >= minPages else { return }
    var (logged, moved): (Int32, Int32) = (-1, -1)
    let begin = Clock.monotonicNanoseconds()
    let code = sqlite.call.walCheckpointV2(
      connection, name, SQLITE_CHECKPOINT_PASSIVE, &logged, &moved)
    guard code == SQLITE_OK, moved > movedPages else { return }
    movedPages = moved
    report(begin, Clock.monotonicNanoseconds())
  }
}
