// Savepoints in a model that has only rows: each savepoint is a row with one of the lowest keys, whose value is a
// checksum of the savepoint's rows. So what is checked of rows after a crash is checked of savepoints too.
import StorageEngine
import TestSupport

enum SavepointRow {
  private static let keys = Int64.min..<Int64.min + 100

  static func key(_ number: Int) -> Int64 { keys.lowerBound + Int64(number) }
  static func isKey(_ key: Int64) -> Bool { keys.contains(key) }
  static func name(_ key: Int64) -> String { "savepoint \(key - keys.lowerBound)" }
  static func key(_ name: String) -> Int64? {
    Int(name.dropFirst("savepoint ".count)).map { key($0) }
  }

  /// A checksum of all other rows, different for any two tables of a test.
  static func sum(of rows: RowModel) -> [UInt8] {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for (key, value) in rows.filter({ !isKey($0.key) }).sorted(by: { $0.key < $1.key }) {
      for shift in stride(from: Int64(0), to: 64, by: 8) {
        add(UInt8(truncatingIfNeeded: key >> shift))
      }
      for byte in value { add(byte) }
      add(UInt8(truncatingIfNeeded: value.count))
    }
    return Array(String(sum).utf8)
  }
}

extension Database {
  /// The savepoints as rows, each read through a snapshot of it.
  func savepointRows() throws(StorageError) -> RowModel {
    var rows: RowModel = [:]
    for savepoint in try savepoints {
      guard let key = SavepointRow.key(savepoint.name) else { continue }
      let snapshot = try snapshot(atSavepoint: savepoint.name)
      defer { snapshot.end() }
      rows[key] = SavepointRow.sum(of: try snapshot.rows())
    }
    return rows
  }
}

extension CrashWorkload {
  /// Changes of rows, and now and then a savepoint made or dropped with them.
  func savepointChanges(
    _ changes: [RowChange], on rows: RowModel, _ random: inout SeededRandom
  ) -> [RowChange] {
    var changes = changes
    let standing = rows.keys.filter { SavepointRow.isKey($0) }.sorted()
    if !standing.isEmpty, random.oneIn(3) {
      changes.append(RowChange(key: standing[random.below(standing.count)], value: nil))
    }
    if standing.count < 4, random.oneIn(2) {
      let free = (0..<5).map { SavepointRow.key($0) }.filter { !standing.contains($0) }
      changes.append(
        RowChange(
          key: free[random.below(free.count)], value: SavepointRow.sum(of: rows.applying(changes))))
    }
    return changes
  }
}
