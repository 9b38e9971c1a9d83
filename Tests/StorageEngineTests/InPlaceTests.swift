// Inserts of new rows, changes in place, and values that stay valid: what ObjectStore builds on.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Changes in place")
struct InPlaceTests {
  @Test(
    "insert adds a new row, and leaves an existing one unchanged")
  func insert() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try database.write { transaction, table in
      for key in Int64(0)..<300 {
        let isNew = try transaction.insert(table, key * 2, row(key, 0, count: 40))
        #expect(isNew)
      }
    }
    try database.write { transaction, table in
      for key in Int64(0)..<600 {
        let isNew = try transaction.insert(table, key, row(key, 1, count: 40))
        #expect(isNew == (key % 2 == 1))
      }
      let count = try transaction.count(table)
      #expect(count == 600)
    }
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    for key in Int64(0)..<600 {
      let expected = key % 2 == 1 ? row(key, 1, count: 40) : row(key / 2, 0, count: 40)
      #expect(try snapshot.value(table, key) == expected)
    }
    snapshot.end()
    try database.checkedAudit()
  }

  @Test("insert checks the length of keys of bytes")
  func insertBytes() throws {
    let database = try Workbench.memory()
    let transaction = try database.beginWrite()
    let table = try transaction.table("names", .bytes)
    let isNew = try transaction.insert(table, [7, 7], [1])
    let isNewAgain = try transaction.insert(table, [7, 7], [2])
    #expect(isNew && !isNewAgain)
    #expect(throws: StorageError.self) { _ = try transaction.insert(table, [], [2]) }
    try transaction.commit()
    let snapshot = try database.beginSnapshot()
    let names = try #require(snapshot.table("names"))
    #expect(try snapshot.value(names, [7, 7]) == [1])
  }

  @Test(
    "changing a value in place writes the same file as putting the row",
    arguments: [1, 8, 100, 400, 5000])
  func change(_ count: Int) throws {
    func made(_ write: (WriteTransaction, Table, Int64) throws -> Void) throws -> [[UInt8]] {
      let database = try Workbench.memory()
      try database.write { transaction, table in
        for key in Int64(0)..<200 { try transaction.put(table, key, row(key, 0, count: count)) }
      }
      let before = try database.beginSnapshot()
      try database.write { transaction, table in
        for key in [Int64(0), 7, 7, 199] { try write(transaction, table, key) }
      }
      try database.checkedAudit()
      let after = try database.beginSnapshot()
      let table = try #require(after.table("rows"))
      // Readers of the previous version see no change.
      for key in Int64(0)..<200 {
        #expect(try before.value(table, key) == row(key, 0, count: count))
      }
      return try after.rows(table).map(\.1) + [Array("\(database.usage())".utf8)]
    }
    let changed = try made { transaction, table, key in
      let isThere = try transaction.change(table, key) { bytes in
        #expect(bytes.count == count)
        bytes[count - 1] = 0xEE
      }
      #expect(isThere)
    }
    let whole = try made { transaction, table, key in
      var value = row(key, 0, count: count)
      value[count - 1] = 0xEE
      try transaction.put(table, key, value)
    }
    #expect(changed == whole)
  }

  @Test("changing a missing row returns false, in a table with rows and in an empty one")
  func nothingToChange() throws {
    let database = try Workbench.memory()
    try database.write { transaction, table in
      func expectNothing(_ key: Int64) throws {
        let isThere = try transaction.change(table, key) { _ in Issue.record("There is no row.") }
        #expect(!isThere)
      }
      try expectNothing(1)
      try transaction.put(table, 1, [1])
      try expectNothing(2)
      let count = try transaction.count(table)
      #expect(count == 1)
    }
  }

  @Test(
    "values found by a snapshot of a plain file stay valid while others write and the file is compacted"
  )
  func bytesStay() throws {
    let database = try Workbench.memory()
    try database.write { transaction, table in
      for key in Int64(0)..<500 { try transaction.put(table, key, row(key, 0, count: 90)) }
    }
    let snapshot = try database.beginSnapshot()
    #expect(snapshot.hasStableValues)
    let table = try #require(snapshot.table("rows"))
    var found: [UnsafeRawBufferPointer] = []
    for key in Int64(0)..<500 { _ = try snapshot.get(table, key) { found.append($0) } }
    for generation in 1..<6 {
      try database.write { transaction, table in
        for key in Int64(0)..<500 where key % 3 != 0 || generation == 1 {
          try transaction.put(table, key, row(key, generation, count: 90))
        }
      }
    }
    for (key, bytes) in found.enumerated() {
      #expect(Array(bytes) == row(Int64(key), 0, count: 90))
    }
    snapshot.end()
    #expect(!snapshot.hasStableValues)
  }

  @Test("values of an encrypted file are not stable")
  func encrypted() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
    let database = try bench.open("sealed", options)
    try database.write { transaction, table in
      let hasStableValues = try transaction.hasStableValues
      #expect(!hasStableValues)
      try transaction.put(table, 1, [1, 2, 3])
      let isThere = try transaction.change(table, 1) { $0[1] = 9 }
      #expect(isThere)
    }
    let snapshot = try database.beginSnapshot()
    #expect(!snapshot.hasStableValues)
    let rows = try #require(snapshot.table("rows"))
    #expect(try snapshot.value(rows, 1) == [1, 9, 3])
  }
}

extension WriteTransaction {
  fileprivate func insert(
    _ table: Table, _ key: Int64, _ value: [UInt8]
  ) throws(StorageError) -> Bool {
    try value.withBytes { (bytes) throws(StorageError) in try insert(table, key, bytes) }
  }

  fileprivate func insert(
    _ table: Table, _ key: [UInt8], _ value: [UInt8]
  ) throws(StorageError) -> Bool {
    try key.withBytes { (key) throws(StorageError) in
      try value.withBytes { (value) throws(StorageError) in try insert(table, key, value) }
    }
  }
}
