// The contents of a database, to be compared with what is found after a crash, a killed compaction or a copy.
import EngineInterface
import SystemIO

/// Row counts, a hash of all rows, and the names of the files of a database at one moment.
struct DatabaseContents: Equatable {
  private var rows: [Int] = []
  /// For each table the FNV-1a hash of all keys and values, in key order.
  private var hashes: [UInt64] = []
  private var files: Set<String>

  init(of session: any EngineSession, tables: [TableState], in folder: FilePath) throws {
    files = Set(try FileSystem.list(folder))
    let snapshot = try session.beginSnapshot(label: "reading all rows")
    defer { snapshot.end() }
    for table in tables {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      rows.append(
        try snapshot.scan(table.index, from: .min, limit: .max) { key, bytes in
          hash = (hash ^ UInt64(bitPattern: key)) &* 0x100_0000_01b3
          for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        })
      hashes.append(hash)
    }
  }

  /// Ignores a file that is missing in `earlier`. Returns its name if it is present here, and nothing otherwise.
  mutating func ignore(_ file: String, unlessIn earlier: Self) -> [String] {
    if earlier.files.contains(file) { return [] }
    return files.remove(file).map { [$0] } ?? []
  }

  /// Throws unless `now` has the same rows as this, and no file more; this was read before `event`.
  func check(
    _ now: Self, _ tables: [TableState], of engine: any Engine,
    after event: String = "a compaction that was killed"
  ) throws {
    for (index, table) in tables.enumerated()
    where now.rows[index] != rows[index]
      || now.hashes[index] != hashes[index]
    {
      throw EngineError(
        engine: engine.id, code: .corrupt,
        message: "after \(event) table \(table.spec.name) has"
          + " \(now.rows[index]) rows of \(rows[index])"
          + (now.rows[index] == rows[index] ? ", with other contents" : ""))
    }
    let left = now.files.subtracting(files).sorted()
    guard left.isEmpty else {
      throw EngineError(
        engine: engine.id, code: .failed,
        message: "\(event) left \(left.joined(separator: ", ")) behind, and the"
          + " next opening did not remove it")
    }
  }
}
