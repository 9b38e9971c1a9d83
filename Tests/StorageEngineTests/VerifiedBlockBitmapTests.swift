// Blocks are verified at their first read after opening, and not again.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Verified blocks")
struct FirstTouchTests {
  /// A closed database of 2,000 rows whose newest commit did not write them, and the offset of a row's bytes.
  private func image(_ bench: Workbench) throws -> (bytes: [UInt8], byteOffset: Int) {
    let database = try bench.open()
    try database.write { transaction, table in
      for key in Int64(0)..<2000 { try transaction.put(table, key, row(key, 0, count: 200)) }
    }
    try database.close()
    let bytes = try FileSystem.read(bench.path())
    let wanted = row(77, 0, count: 200)
    let byteOffset = try #require(
      (0..<bytes.count - 200).first { Array(bytes[$0..<$0 + 200]) == wanted })
    return (bytes, byteOffset)
  }

  @Test("a read of a damaged block is an error, and rows elsewhere are read")
  func damagedRead() throws {
    let bench = try Workbench()
    var (bytes, byteOffset) = try image(bench)
    bytes[byteOffset + 50] ^= 4
    let database = try Database.open(file: FaultyStorageFile(image: bytes))
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    #expect(try snapshot.value(table, 3) == row(3, 0, count: 200))
    let error = #expect(throws: StorageError.self) { try snapshot.value(table, 77) }
    #expect(error?.code == .corrupt)
    #expect(throws: StorageError.self) { try snapshot.rows(table) }
    #expect(throws: StorageError.self) {
      try database.write { transaction, table in try transaction.put(table, 77, [1]) }
    }
    // Again: an error is not taken for a verification.
    #expect(throws: StorageError.self) { try snapshot.value(table, 77) }
  }

  @Test("a block is verified only at its first read")
  func onlyOnce() throws {
    let bench = try Workbench()
    let (bytes, byteOffset) = try image(bench)
    let file = FaultyStorageFile(image: bytes)
    let database = try Database.open(file: file)
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    #expect(try snapshot.value(table, 77) == row(77, 0, count: 200))
    // Later damage is not detected by reads; the walk finds it.
    try [bytes[byteOffset] ^ 1].withUnsafeBytes { try file.write($0, at: byteOffset) }
    #expect(try snapshot.value(table, 77)?[0] == bytes[byteOffset] ^ 1)
    #expect(try !database.audit().violations.isEmpty)
  }

  @Test("blocks that another process has written are verified again")
  func forgets() throws {
    let memory = try VerifiedBlockBitmap.reserve(for: 1 << 20)
    let bitmap = VerifiedBlockBitmap(memory)
    for offset in stride(from: 0, to: 1 << 20, by: 64) { bitmap.markVerified(offset, 64) }
    bitmap.clear(4096 + 128, to: 8192 + 64)
    for offset in stride(from: 0, to: 1 << 20, by: 64) {
      #expect(bitmap.isVerified(offset, 64) == !(4224..<8256).contains(offset))
    }
    // Too small to have a bit of its own, and a file without memory for bits: always verified again.
    #expect(!bitmap.isVerified(0, 63))
    #expect(!VerifiedBlockBitmap(nil).isVerified(0, 64))
  }

  @Test("closing truncates the free end of the file, and the next session continues in it")
  func trims() throws {
    let bench = try Workbench()
    var database = try bench.open()
    try database.write { transaction, table in
      for key in Int64(0)..<6000 { try transaction.put(table, key, row(key, 0, count: 256)) }
    }
    let before = database.usage()
    #expect(before.free > 100_000)
    try database.close()
    let size = try FileSystem.read(bench.path()).count
    #expect(size < before.live + before.overhead + 20_000)
    database = try bench.open()
    #expect(try database.checkedAudit().account.file == size)
    try database.write { transaction, table in try transaction.put(table, 1, [1]) }
    #expect(try database.checkedAudit().rows == 6000)
  }
}
