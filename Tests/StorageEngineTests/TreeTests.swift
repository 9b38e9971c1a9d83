// Trees through the public interface: many rows, long keys, values of every size, and trees that shrink again.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Trees")
struct TreeTests {
  @Test("rows of a table keyed by bytes are read in order, whatever the lengths (TREE-2)")
  func byteKeys() throws {
    let bench = try Workbench()
    let database = try bench.open()
    var random = SeededRandom(seed: testSeed())
    var model: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<12 {
      let transaction = try database.beginWrite()
      let table = try transaction.table("names", .bytes)
      for _ in 0..<120 {
        let key = random.bytes(1 + random.below(random.oneIn(4) ? 511 : 12))
        let value = random.bytes(random.below(300))
        try transaction.put(table, key, value)
        model[key] = value
      }
      for key in model.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }).prefix(30) {
        let was = try transaction.delete(table, key)
        #expect(was)
        model[key] = nil
      }
      try transaction.commit()
      #expect(try database.checkedAudit("seed \(random.seed)").rows == model.count)
    }
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("names"))
    var keys: [[UInt8]] = []
    try [UInt8]().withBytes { (start) throws(StorageError) in
      _ = try snapshot.scan(table, from: start) { key, value in
        keys.append(Array(key))
        #expect(model[Array(key)] == Array(value))
      }
    }
    #expect(keys == model.keys.sorted { $0.lexicographicallyPrecedes($1) })
    for (key, value) in model { #expect(try snapshot.value(table, key) == value) }
    #expect(try snapshot.value(table, [0, 0, 0]) == nil)
  }

  @Test("values of zero bytes to two megabytes are read back, also after changes of their lengths")
  func valueSizes() throws {
    let bench = try Workbench()
    let database = try bench.open()
    let sizes = [0, 1, 63, 64, 65, 255, 4096, 70_000, 2 << 20]
    for generation in 0..<3 {
      try database.write { transaction, table in
        for (index, _) in sizes.enumerated() {
          let size = sizes[(index + generation) % sizes.count]
          try transaction.put(table, Int64(index), row(Int64(index), generation, count: size))
          // Twice in a transaction: the second change finds the copy of the first in memory.
          try transaction.put(table, Int64(index), row(Int64(index), generation + 9, count: size))
        }
      }
      try database.checkedAudit()
      let snapshot = try database.beginSnapshot()
      let table = try #require(snapshot.table("rows"))
      for index in sizes.indices {
        let size = sizes[(index + generation) % sizes.count]
        let expected = row(Int64(index), generation + 9, count: size)
        #expect(try snapshot.value(table, Int64(index)) == expected)
      }
    }
  }

  @Test("an empty table uses no blocks, and rows inserted in key order fill their leaves")
  func emptyAndFull() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try database.write { transaction, table in
      for key in Int64(0)..<6400 { try transaction.put(table, key, [1]) }
    }
    // A hundred full leaves, seven nodes above them, a root.
    #expect(try database.checkedAudit().liveBlocks == 108)
    try database.write { transaction, table in
      for key in Int64(0)..<6400 {
        let was = try transaction.delete(table, key)
        #expect(was)
      }
      let again = try transaction.delete(table, 5)
      #expect(!again)
    }
    #expect(try database.checkedAudit().liveBlocks == 0)
    #expect(database.usage().live == 0)
  }

  @Test("keys at the ends of the range are found, and a scan may begin between two keys")
  func extremes() throws {
    let bench = try Workbench()
    let database = try bench.open()
    let keys: [Int64] = [.min, -5, 0, 7, .max]
    try database.write { transaction, table in
      for key in keys { try transaction.put(table, key, row(key, 0, count: 9)) }
    }
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    #expect(try snapshot.rows(table).map(\.0) == keys)
    var found: [Int64] = []
    #expect(try snapshot.scan(table, from: -4, limit: 2) { key, _ in found.append(key) } == 2)
    #expect(found == [0, 7])
  }

  @Test("a row may be assigned its own bytes while they are being read")
  func ownBytes() throws {
    let bench = try Workbench()
    let database = try bench.open()
    let value = row(1, 2, count: 1003)
    try database.write { transaction, table in
      for key in Int64(0)..<3 { try transaction.put(table, key, key == 1 ? value : [5, 6]) }
      for key in Int64(0)..<3 {
        var failure: StorageError?
        let found = try transaction.get(table, key) { bytes in
          do throws(StorageError) { try transaction.put(table, key, bytes) } catch {
            failure = error
          }
        }
        #expect(found && failure == nil)
      }
      #expect(try transaction.value(table, 1) == value)
      #expect(try transaction.value(table, 2) == [5, 6])
    }
    #expect(try database.checkedAudit().rows == 3)
  }

  @Test("keys and tables beyond the limits of the format are refused and change nothing")
  func refusals() throws {
    let bench = try Workbench()
    let database = try bench.open()
    let transaction = try database.beginWrite()
    let table = try transaction.table("names", .bytes)
    let long = #expect(throws: StorageError.self) {
      try transaction.put(table, [UInt8](repeating: 1, count: 512), [1])
    }
    #expect(long?.code == .unsupported)
    let kind = #expect(throws: StorageError.self) { try transaction.put(table, 1, [1]) }
    #expect(kind?.code == .unsupported)
    #expect(throws: StorageError.self) { try transaction.table("names", .int64) }
    #expect(throws: StorageError.self) { try transaction.table("") }
    try transaction.put(table, [1], [2])
    try transaction.commit()
    #expect(try database.checkedAudit().rows == 1)
  }
}
