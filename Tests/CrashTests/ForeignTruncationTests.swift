// A file that another process truncated while this one reads an older version of it: its mapping still spans the
// removed part, and an access there would end the process. No sound reference leads there; a damaged one must be an
// error.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("A file truncated by another process")
struct ForeignTruncationTests {
  @Test(
    "a damaged reference into what another process truncated is an error, even if the block was verified before"
  )
  func damagedReference() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      // This process truncates nothing, and what the snapshot sees is at low offsets: it was written first.
      let database = try Database.open(
        path: path, options: DatabaseOptions(automaticCompaction: nil))
      try database.apply((0..<4).map { RowChange(key: $0, value: bytes($0)) }, to: "kept")
      let keys = Int64(0)..<4000
      try database.apply(keys.map { RowChange(key: $0, value: bytes($0)) }, to: "bulk")
      let gone = try lastValue(under: root(of: 1, database), database)
      try database.apply(keys.map { RowChange(key: $0, value: nil) }, to: "bulk")
      let snapshot = try database.beginSnapshot(label: "before the cut")
      let leaf = try root(of: 0, database)
      let table = try #require(snapshot.table("kept"))
      for key in Int64(0)..<4 { #expect(try value(snapshot, table, key) == bytes(key)) }
      let size = try FileSystem.size(of: path).bytes
      let outcome = try await WriterProcess(file: path, seed: 1).run(["turns", "150"])
      #expect(outcome.ending.isSuccess, "\(outcome.outputText)\(outcome.errorText)")
      let cut = try FileSystem.size(of: path).bytes
      #expect(cut < size && gone.offset > cut, "\(size) bytes, then \(cut)")
      for key in Int64(0)..<4 { #expect(try value(snapshot, table, key) == bytes(key)) }
      // Detected not only by its checksum: blocks that this process wrote count as verified.
      #expect(try database.store.context.verifiedBlocks.isVerified(gone.offset, gone.size))
      for target in [gone, BlockRef(offset: size - 4096, size: 600, birth: 2, checksum: 5)] {
        try lead(leaf, 2, to: target, database)
        let error = #expect(throws: StorageError.self) { try value(snapshot, table, 2) }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("offset \(target.offset)") == true)
        #expect(try value(snapshot, table, 3) == bytes(3))
      }
      snapshot.end()
      try database.close()
    }
  }

  private func bytes(_ key: Int64) -> [UInt8] { [UInt8](repeating: UInt8(key & 0xFF), count: 600) }

  private func value(_ snapshot: Snapshot, _ table: Table, _ key: Int64) throws -> [UInt8]? {
    var found: [UInt8]?
    return try snapshot.get(table, key) { found = Array($0) } ? found : nil
  }

  /// The root of a table in the newest version.
  private func root(of table: Int, _ database: Database) throws -> BlockRef {
    try database.store.readers.newest.roots[table].root
  }

  /// The value of the tree's last row.
  private func lastValue(under root: BlockRef, _ database: Database) throws -> BlockRef {
    let base = try database.store.file.base
    var ref = root
    while true {
      let node = Node(base + ref.offset)
      ref = try node.reference(node.count - 1, .int64)
      if node.level == 0 { return ref }
    }
  }

  /// Writes another reference to a row's value into a leaf, behind the engine's back.
  private func lead(
    _ leaf: BlockRef, _ index: Int, to target: BlockRef, _ database: Database
  ) throws {
    let store = try database.store
    let node = Node(try store.file.base + leaf.offset)
    #expect(node.level == 0 && node.number(index) == Int64(index))
    let referenceOffset = Int(node.slot(index, .int64) & 0x7FFF)
    var reference = [UInt8](repeating: 0, count: BlockRef.size)
    try reference.withUnsafeMutableBytes { bytes in
      target.store(bytes.baseAddress!, at: 0)
      try store.file.write(UnsafeRawBufferPointer(bytes), at: leaf.offset + referenceOffset)
    }
  }
}

extension Database {
  fileprivate func apply(_ changes: [RowChange], to name: String) throws {
    let transaction = try beginWrite()
    let table = try transaction.table(name)
    for change in changes { try transaction.apply(change, to: table) }
    try transaction.commit()
  }
}
