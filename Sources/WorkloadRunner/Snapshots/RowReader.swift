// Reads the rows of a table in a snapshot.
import EngineInterface
import Generators
import SystemIO

/// Reads rows that a key distribution chooses, to the last byte.
struct RowReader {
  let table: TableIndex
  private let rows: Int
  private var keys: KeyChooser
  private var checksum: UInt64 = 0

  init(table: TableIndex, rows: Int, keys: KeyChooser) {
    self.table = table
    self.rows = rows
    self.keys = keys
  }

  /// Reads `count` rows and records the latency of each.
  mutating func read(
    _ count: Int, from snapshot: any EngineRows, timing recorder: Recorder
  ) throws(EngineError) {
    for _ in 0..<count {
      let key = Int64(keys.next(rows: rows))
      var sum: UInt64 = 0
      let start = Clock.monotonicNanoseconds()
      _ = try snapshot.read(table, key) { sum = readEveryByte(of: $0) }
      recorder.record(readNanoseconds: Clock.monotonicNanoseconds() - start)
      checksum &+= sum
    }
  }
}
