// The decrypted units of an encrypted file: no more than the limit, and none that a reader uses is evicted.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Decrypted units")
struct DecryptedUnitsTests {
  private static let most = 256 << 10

  /// About 3 MB of rows, of which 256 KiB may stay decrypted.
  private func database(_ generation: Int = 0) throws -> (Database, EncryptedFile) {
    var options = DatabaseOptions(durability: .none)
    options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
    options.maximumDecryptedBytes = Self.most
    options.automaticCompaction = nil
    let database = try Database.open(file: FaultyStorageFile(), options: options)
    for batch in Int64(0)..<30 {
      try database.write { transaction, table in
        for key in batch * 100..<(batch + 1) * 100 {
          try transaction.put(table, key, row(key, generation, count: 1000))
        }
      }
    }
    return (database, try #require(try database.store.file as? EncryptedFile))
  }

  @Test("after many look-ups, scans and commits no more is decrypted than allowed")
  func bounded() throws {
    let (database, file) = try database()
    #expect(file.decryptedBytes <= Self.most)
    #expect(database.usage().file > 10 * Self.most)
    var random = SeededRandom(seed: testSeed())
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    for _ in 0..<3000 {
      let key = Int64(random.below(3000))
      #expect(try snapshot.value(table, key) == row(key, 0, count: 1000))
      #expect(file.decryptedBytes <= Self.most)
    }
    var largest = 0
    var keys: [Int64] = []
    let count = try snapshot.scan(table) { key, value in
      keys.append(key)
      largest = max(largest, file.decryptedBytes)
      if !value.elementsEqual(row(key, 0, count: 1000)) { Issue.record("row \(key)") }
    }
    #expect(count == 3000)
    #expect(keys == Array(0..<3000))
    // A scan may exceed the limit by one batch and its nodes.
    #expect(largest <= Self.most + (1 << 18) + (1 << 17))
    #expect(try snapshot.scan(table, from: 500, limit: 1700) { _, _ in } == 1700)
    snapshot.end()
    #expect(file.decryptedBytes <= Self.most)
    try database.checkedAudit()
    #expect(file.decryptedBytes <= Self.most)
  }

  @Test("a scan of keys of bytes finds each row once, across all its batches")
  func keysOfBytes() throws {
    var options = DatabaseOptions(durability: .none)
    options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
    options.maximumDecryptedBytes = Self.most
    let database = try Database.open(file: FaultyStorageFile(), options: options)
    let transaction = try database.beginWrite()
    let names = try transaction.table("names", .bytes)
    for key in 0..<2000 {
      try transaction.put(names, Array("name \(10_000 + key)".utf8), row(Int64(key), 0, count: 900))
    }
    try transaction.commit()
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("names"))
    var found: [String] = []
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    let count = try snapshot.scan(table, from: none) { key, _ in
      found.append(String(decoding: key, as: UTF8.self))
    }
    #expect(count == 2000)
    #expect(found == (0..<2000).map { "name \(10_000 + $0)" })
    #expect(try snapshot.scan(table, from: none, limit: 777) { _, _ in } == 777)
    snapshot.end()
    try database.close()
  }

  @Test("most units of a load are decrypted only when they are read")
  func load() throws {
    var options = DatabaseOptions(durability: .none)
    options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
    let database = try Database.open(file: FaultyStorageFile(), options: options)
    try database.write { transaction, table in
      for key in Int64(0)..<3000 { try transaction.put(table, key, row(key, 0, count: 1000)) }
    }
    let file = try #require(try database.store.file as? EncryptedFile)
    #expect(database.usage().live > 3_000_000)
    // Up to 1 MiB the file doubles, and the load is written in short parts.
    #expect(file.decryptedBytes <= 1 << 20)
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    for key in Int64(0)..<3000 {
      #expect(try snapshot.value(table, key) == row(key, 0, count: 1000))
    }
    #expect(file.decryptedBytes > 3_000_000)
    snapshot.end()
    try database.checkedAudit()
  }

  @Test("a file that outgrows the limit is evicted from then on, though its memory was taken whole")
  func outgrown() throws {
    var options = DatabaseOptions(durability: .none)
    options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
    options.maximumDecryptedBytes = 5 << 20
    options.automaticCompaction = nil
    let database = try Database.open(file: FaultyStorageFile(), options: options)
    let file = try #require(try database.store.file as? EncryptedFile)
    for batch in Int64(0)..<70 {
      try database.write { transaction, table in
        for key in batch * 100..<(batch + 1) * 100 {
          try transaction.put(table, key, row(key, 0, count: 1000))
        }
      }
      let snapshot = try database.beginSnapshot()
      let table = try #require(snapshot.table("rows"))
      #expect(try snapshot.value(table, batch * 50) == row(batch * 50, 0, count: 1000))
      snapshot.end()
      #expect(file.decryptedBytes <= options.maximumDecryptedBytes)
    }
    #expect(database.usage().file > 7 << 20)
    try database.checkedAudit()
    #expect(file.decryptedBytes <= options.maximumDecryptedBytes)
  }

  @Test("bytes in use by a reader stay decrypted while others read more than the limit")
  func looking() throws {
    let (database, file) = try database()
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    let isFound = try snapshot.get(table, 7) { value in
      // Meanwhile all other rows are read twice.
      for _ in 0..<2 {
        for key in Int64(0)..<3000 {
          #expect((try? snapshot.value(table, key)) == row(key, 0, count: 1000))
        }
      }
      #expect(value.elementsEqual(row(7, 0, count: 1000)))
    }
    #expect(isFound)
    // The units that were in use are evicted later.
    _ = try snapshot.value(table, 8)
    _ = try snapshot.value(table, 9)
    #expect(file.decryptedBytes <= Self.most)
    snapshot.end()
  }

  @Test(
    "a transaction that reads and changes all rows keeps no more decrypted, except what it is using"
  )
  func transaction() throws {
    let (database, file) = try database()
    let transaction = try database.beginWrite()
    let table = try transaction.table("rows")
    for key in Int64(0)..<3000 {
      let isFound = try transaction.get(table, key) { value in
        // Another change and other look-ups while this value is in use.
        for other in [key + 1000, key + 2000, key + 500] {
          _ = try? transaction.value(table, other % 3000)
        }
        _ = try? transaction.delete(table, 10_000 + key)
        #expect(value.elementsEqual(row(key, 0, count: 1000)))
      }
      #expect(isFound)
      #expect(file.decryptedBytes <= Self.most + (1 << 17))
    }
    for key in Int64(0)..<3000 where key % 7 == 0 {
      try transaction.put(table, key, row(key, 1, count: 1000))
      #expect(file.decryptedBytes <= Self.most + (1 << 17))
    }
    try transaction.commit()
    #expect(file.decryptedBytes <= Self.most)
    #expect(try database.checkedAudit().rows == 3000)
  }

  @Test("a compaction by copy and a copy of a transaction keep no more decrypted")
  func copies() throws {
    let bench = try Workbench()
    var options = DatabaseOptions(durability: .none, sharing: .exclusive)
    options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
    options.maximumDecryptedBytes = Self.most
    let database = try bench.open("data", options)
    try database.write { transaction, table in
      for key in Int64(0)..<3000 { try transaction.put(table, key, row(key, 0, count: 1000)) }
    }
    let file = try #require(try database.store.file as? EncryptedFile)
    var largest = 0
    func watch(_: CompactionProgress) -> CompactionDirective {
      largest = max(largest, file.decryptedBytes)
      return .continue
    }
    let transaction = try database.beginWrite()
    try transaction.writeCopy(
      to: bench.path("copy"), encryptionKey: options.encryptionKey, watch)
    transaction.rollBack()
    guard case .compacted = try database.compact(watch) else {
      Issue.record("not compacted")
      return
    }
    #expect(largest > 0)
    #expect(largest <= Self.most + (1 << 17))
    #expect(try database.checkedAudit().rows == 3000)
    try database.close()
    #expect(try bench.open("copy", options).checkedAudit().rows == 3000)
  }

  @Test("threads that read while units are evicted, and while rows change, read what was written")
  func threads() throws {
    let (database, file) = try database()
    let wrong = Tally()
    let seed = testSeed()
    let readers = try (0..<3).map { number in
      try SystemThread.start(name: "reader \(number)") {
        var random = SeededRandom(seed: seed + UInt64(number))
        do {
          for _ in 0..<40 {
            let snapshot = try database.beginSnapshot()
            let table = snapshot.table("rows")!
            for _ in 0..<60 {
              let key = Int64(random.below(3000))
              let value = try snapshot.value(table, key) ?? []
              // The generation is the first byte; the others follow from it.
              let first = value.first ?? 0
              let expected = (0..<1000).map { first &+ UInt8(truncatingIfNeeded: $0) }
              if value != expected { wrong.add() }
            }
            snapshot.end()
          }
        } catch { wrong.add() }
      }
    }
    for generation in 1..<60 {
      try database.write { transaction, table in
        for key in Int64(0)..<3000 where key % 50 == Int64(generation % 50) {
          try transaction.put(table, key, row(key, generation, count: 1000))
        }
      }
    }
    for reader in readers { reader.join() }
    #expect(wrong.count == 0, "SEED=\(seed)")
    try database.checkedAudit()
    #expect(file.decryptedBytes <= Self.most)
  }
}

/// Counts from many threads.
private final class Tally: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var number = 0
  func add() { mutex.withLock { number += 1 } }
  var count: Int { mutex.withLock { number } }
}
