// The file of a long soak has its final length before the soak begins: rows that no process changes, and free space for all
// that the soak needs. An engine that maps its file has all of it in memory. If the length changed by a megabyte, with the
// versions that are held and the compaction that follows them, these changes would hide those of the memory itself.
//
// The file is less than twice as long as what is used. Beyond that, engines with automatic compaction would begin to compact.
// They do so in the short soaks, which have none of these rows.
import EngineInterface
import SystemIO
import TestSupport

enum LastingFile {
  private static let rowBytes = 10_000
  /// 9 MB that stay, and 12 MB that are written and deleted: several times what the held versions pin in any engine.
  private static let lastingRows = 900
  private static let passingRows = 1200
  /// Below the rows that the soak looks at.
  private static let firstKey: Int64 = -1_000_000
  /// Commits after a deletion, until its space is free in every engine.
  private static let commits = 10

  /// The rows that stay.
  static func rows(_ seed: UInt64) -> RowModel { made(0..<lastingRows, seed) }

  /// Creates these rows and the free space in a new database. Returns the number of numbered commits.
  static func make(in session: any EngineSession, seed: UInt64) throws -> Int {
    let passing = made(lastingRows..<lastingRows + passingRows, seed)
    try session.change(rows(seed).mapValues(Optional.some))
    try session.change(passing.mapValues(Optional.some))
    try session.change(passing.mapValues { _ in nil })
    let series = NumberedCommits(seed: seed)
    for _ in 0..<commits { try session.commitNext(series) }
    _ = session.drainEvents()
    return commits
  }

  private static func made(_ indices: Range<Int>, _ seed: UInt64) -> RowModel {
    var random = SeededRandom(seed: seed &+ UInt64(indices.lowerBound))
    return RowModel(
      uniqueKeysWithValues: indices.map { (firstKey + Int64($0), random.bytes(rowBytes)) })
  }
}

extension EngineSession {
  /// One transaction; nil deletes.
  fileprivate func change(_ rows: [Int64: [UInt8]?]) throws(EngineError) {
    try commit(rows.sorted { $0.key < $1.key }.map { RowChange(key: $0.key, value: $0.value) })
  }
}
