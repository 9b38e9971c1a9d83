// The file of a long soak has its lasting length before the soak begins: rows that nobody changes, and room for all that
// the soak needs. Whoever maps his file has as much of it in memory as it is long, and a length that went up and down by a
// megabyte, with the versions that are held and the compaction that follows them, would be all that one sees of memory.
//
// The room is less than twice what is used. From there on the engines that compact by themselves would begin to. They do
// so in the short soaks, which have none of these rows.
import EngineInterface
import SystemIO
import TestSupport

enum LastingFile {
  private static let rowBytes = 10_000
  /// 9 MB that stay, and 12 MB that are written and deleted: several times what any engine keeps for the versions held.
  private static let lastingRows = 900
  private static let passingRows = 1200
  /// Below the rows that the soak looks at.
  private static let firstKey: Int64 = -1_000_000
  /// Behind a deletion, until its room is free for every engine.
  private static let commits = 10

  /// The rows that stay.
  static func rows(_ seed: UInt64) -> RowModel { made(0..<lastingRows, seed) }

  /// Makes them and the room in a new database; answers how many numbered commits there are then.
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

  private static func made(_ places: Range<Int>, _ seed: UInt64) -> RowModel {
    var random = SeededRandom(seed: seed &+ UInt64(places.lowerBound))
    return RowModel(
      uniqueKeysWithValues: places.map { (firstKey + Int64($0), random.bytes(rowBytes)) })
  }
}

extension EngineSession {
  /// One transaction; nil deletes.
  fileprivate func change(_ rows: [Int64: [UInt8]?]) throws(EngineError) {
    try commit(rows.sorted { $0.key < $1.key }.map { RowChange(key: $0.key, value: $0.value) })
  }
}
