// Which tables commits changed, so that the account of space reads the rows of these alone.
import EngineInterface
import SystemIO

/// Counts the commits that changed each of the session's tables; no commit changes any other. Safe to use from many threads.
final class TableChanges: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var commitCounts: [Int]

  init(tableCount: Int) { commitCounts = Array(repeating: 0, count: tableCount) }

  /// Notes a commit that wrote so many bytes of rows and tombstones to each table.
  func committed(bytes: [Int]) {
    mutex.withLock {
      for table in bytes.indices where bytes[table] > 0 { commitCounts[table] += 1 }
    }
  }

  func commitCount(of table: TableIndex) -> Int {
    mutex.withLock { commitCounts.indices.contains(table) ? commitCounts[table] : 0 }
  }
}
