// One forged violation for each invariant of the audit: a check that was never seen to fail proves nothing.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Invariants")
struct InvariantTests {
  @Test("an unchanged file violates nothing, also after a forgery that changes nothing")
  func sound() throws {
    let forgery = try Forgery()
    try forgery.editLeaf(1) { _, _ in }
    try forgery.database.checkedAudit()
  }

  @Test("TREE-1: a block that does not match its parent's checksum is reported with its offset")
  func contents() throws {
    let forgery = try Forgery()
    let leaf = try forgery.child(2)
    _ = try forgery.edit(leaf) { $0.put8(0x55, leaf.size - 1) }
    #expect(try forgery.violations("TREE-1", at: leaf.offset).count == 1)
  }

  @Test("TREE-1: a reference that leads out of the file is reported and not followed")
  func outside() throws {
    let forgery = try Forgery()
    let far = BlockRef(offset: 1 << 40, size: 64, birth: 2, checksum: 1)
    try forgery.editRoot { far.store($0, at: Int($1.slot(1, .int64) & 0xFFFF)) }
    #expect(try forgery.violations("TREE-1", at: 1 << 40).count == 1)
  }

  @Test("TREE-2: keys out of order within a leaf, and past the separator above it, are reported")
  func order() throws {
    let inside = try Forgery()
    try inside.editLeaf(1) { $0.put64(UInt64(bitPattern: $1.number(2)), 8 + 3 * 8) }
    #expect(try inside.violations("TREE-2", at: inside.child(1).offset).count == 1)
    let past = try Forgery()
    try past.editLeaf(1) { $0.put64(9999, 8 + ($1.count - 1) * 8) }
    #expect(try past.violations("TREE-2", at: past.child(1).offset).count == 1)
  }

  @Test("TREE-3: a node that is not one level below its parent is reported")
  func levels() throws {
    let forgery = try Forgery()
    try forgery.editRoot { bytes, _ in bytes.put8(2, 1) }
    #expect(try forgery.violations("TREE-3", at: forgery.child(0).offset).count == 1)
  }

  @Test("TREE-4: a gap between entries, and a block that is not a node, are reported")
  func packing() throws {
    let gap = try Forgery()
    // The first cell begins a byte behind its slots.
    try gap.editLeaf(1) { $0.put16(UInt16($1.slot(0, .int64) & 0x7FFF) + 1, 8 + $1.count * 8) }
    #expect(try gap.violations("TREE-4", at: gap.child(1).offset).count == 1)
    let none = try Forgery()
    try none.editLeaf(1) { bytes, _ in bytes.put8(0, 0) }
    #expect(try none.violations("TREE-4", at: none.child(1).offset).count == 1)
  }

  @Test("TREE-5: a table with a wrong number of rows is reported")
  func rows() throws {
    let forgery = try Forgery()
    try forgery.editRecord { $0.tables[0].root.rows += 1 }
    #expect(try forgery.violations("TREE-5").first?.contains("\"rows\"") == true)
  }

  @Test("TREE-6: a block that two entries lead to is reported")
  func twice() throws {
    let forgery = try Forgery()
    let leaf = try forgery.child(3)
    try forgery.editRoot { leaf.store($0, at: Int($1.slot(4, .int64) & 0xFFFF)) }
    #expect(try forgery.violations("TREE-6", at: leaf.offset).count == 1)
  }

  @Test("TREE-7: a block that is younger than its parent is reported")
  func ages() throws {
    let forgery = try Forgery()
    let leaf = try forgery.child(3)
    let birth = try forgery.root().birth + 1
    let younger = BlockRef(
      offset: leaf.offset, size: leaf.size, birth: birth,
      checksum: Checksum.of(forgery.base + leaf.offset, count: leaf.space, seed: birth))
    try forgery.editRoot { younger.store($0, at: Int($1.slot(3, .int64) & 0xFFFF)) }
    #expect(try forgery.violations("TREE-7", at: leaf.offset).count == 1)
  }

  @Test("SPACE-1: unclaimed bytes, and bytes claimed twice, are reported")
  func claims() throws {
    let lost = try Forgery()
    var removed: DeferredFreeExtent?
    try lost.editRecord { removed = $0.freed.removeFirst() }
    let extent = try #require(removed)
    #expect(try !lost.violations("SPACE-1", at: extent.offset).isEmpty)
    let shared = try Forgery()
    let leaf = try shared.child(2)
    try shared.editRecord {
      $0.freed[0].offset = leaf.offset
      $0.freed[0].size = leaf.space
      $0.freed.sort { $0.offset < $1.offset }
    }
    #expect(try !shared.violations("SPACE-1", at: leaf.offset).isEmpty)
  }

  @Test("SPACE-2: a running account that is off by a granule is reported")
  func account() throws {
    let forgery = try Forgery()
    forgery.database.storeForTests.readers.withLock { $0.freeBytes += 8 }
    #expect(try forgery.violations("SPACE-2").count == 1)
  }

  @Test("SPACE-3: a block that a snapshot reaches and the free list does not pin is reported")
  func kept() throws {
    let forgery = try Forgery()
    let snapshot = try forgery.database.beginSnapshot(label: "held")
    try forgery.database.write { transaction, table in try transaction.put(table, 300, [1]) }
    try forgery.database.checkedAudit()
    var given = 0
    try forgery.editRecord {
      // Birth equal to death, as if no version could ever have seen it.
      given = $0.freed[0].offset
      $0.freed[0].birth = $0.version
    }
    #expect(try forgery.violations("SPACE-3", at: given).count == 1)
    snapshot.end()
  }

  @Test("SPACE-4: a snapshot that is not in the reader table is reported with its version")
  func unregistered() throws {
    let forgery = try Forgery()
    let snapshot = try forgery.database.beginSnapshot(label: "held")
    let version = snapshot.version
    try forgery.database.write { transaction, table in try transaction.put(table, 300, [1]) }
    try forgery.database.checkedAudit()
    let table = forgery.database.storeForTests.session.table
    let slot = try #require(
      (0..<Int(table[.readersUsed])).first { table.version($0) == version })
    table.setVersion(slot, 0)
    #expect(try forgery.violations("SPACE-4").first?.contains("[\(version)] are held") == true)
    snapshot.end()
  }

  @Test("a file of a newer format is refused as such, and not changed")
  func newerFormat() throws {
    let bench = try Workbench()
    try bench.open().close()
    var bytes = try FileSystem.read(bench.path())
    bytes.withUnsafeMutableBytes { raw in
      guard let base = raw.baseAddress else { return }
      base.put32(FileHeader.formatVersion + 1, 8)
      base.put64(Checksum.of(base, count: 56, seed: UnsafeRawPointer(base).u64(0)), 56)
    }
    try FileSystem.write(bytes, to: bench.path())
    let error = try #require(throws: StorageError.self) { try bench.open() }
    #expect(error.code == .newerFormat)
    #expect(error.message.contains("\(FileHeader.formatVersion + 1)"))
    #expect(error.message.contains(bench.path().string))
    #expect(try FileSystem.read(bench.path()) == bytes)
    #expect(try !FileSystem.list(bench.folder).contains { $0.hasSuffix(".compacting") })
    // The format version counts only if the header's checksum is valid.
    bytes[8] ^= 0x10
    try FileSystem.write(bytes, to: bench.path())
    #expect(throws: StorageError.self) { try bench.open() }
    let damaged = #expect(throws: StorageError.self) { try bench.open() }
    #expect(damaged?.code == .corrupt)
  }
}
