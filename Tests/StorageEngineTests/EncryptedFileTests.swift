// Encrypted files: only the key opens them, every change is detected, and the only additional space is the page of
// entries for each 102 units.
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Encrypted files")
struct EncryptedFileTests {
  private static let key = EncryptionKey((0..<64).map { UInt8($0 * 3) })
  private static let otherKey = EncryptionKey((0..<64).map { UInt8($0 * 3 + 1) })

  private func options(_ key: EncryptionKey?) -> DatabaseOptions {
    var options = DatabaseOptions(durability: .none, verification: .everything)
    options.encryptionKey = key
    return options
  }

  private func fill(_ database: Database, _ generation: Int, _ keys: Range<Int64> = 0..<200) throws
  {
    try database.write { transaction, table in
      for key in keys { try transaction.put(table, key, row(key, generation, count: 150)) }
    }
  }

  private func rows(_ database: Database) throws -> [Int64: [UInt8]] {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    guard let table = snapshot.table("rows") else { return [:] }
    return Dictionary(uniqueKeysWithValues: try snapshot.rows(table))
  }

  private func expected(_ generation: Int, _ keys: Range<Int64> = 0..<200) -> [Int64: [UInt8]] {
    Dictionary(uniqueKeysWithValues: keys.map { ($0, row($0, generation, count: 150)) })
  }

  private func code(_ body: () throws -> Database) -> StorageError.Code? {
    do {
      _ = try body()
      return nil
    } catch { return (error as? StorageError)?.code }
  }

  @Test("rows are readable with the key, and none of their bytes are in the file")
  func roundTrip() throws {
    let bench = try Workbench()
    let marker = Array("a sentence that must not be read by others".utf8)
    let database = try bench.open("data", options(Self.key))
    try fill(database, 1)
    try database.write { try $0.put($1, 1000, marker) }
    try database.checkedAudit()
    try database.close()
    let bytes = try FileSystem.read(bench.path())
    for start in bytes.indices where bytes[start] == marker[0] {
      #expect(!bytes[start...].starts(with: marker))
    }
    let again = try bench.open("data", options(Self.key))
    var all = expected(1)
    all[1000] = marker
    #expect(try rows(again) == all)
    try again.checkedAudit()
    try fill(again, 2)
    try again.close()
    let third = try bench.open("data", options(Self.key))
    all.merge(expected(2)) { $1 }
    #expect(try rows(third) == all)
    try third.close()
  }

  @Test(
    "a file sealed by an earlier build, with another AES-GCM library, opens unchanged and is writable"
  )
  func earlierFile() throws {
    let bench = try Workbench()
    let url = try #require(
      Bundle.module.url(
        forResource: "sealed-by-swift-crypto", withExtension: "database", subdirectory: "Files"))
    try FileSystem.write(FileSystem.read(FilePath(url.path)), to: bench.path())
    // Written in three openings, so under three derived keys: each replaced the rows from its number to 29.
    var rows = expected(3, 3..<30)
    rows.merge(expected(2, 2..<3)) { $1 }
    rows.merge(expected(1, 1..<2)) { $1 }
    let database = try bench.open("data", options(Self.key))
    #expect(try self.rows(database) == rows)
    try database.checkedAudit()
    try fill(database, 4, 30..<60)
    try database.close()
    rows.merge(expected(4, 30..<60)) { $1 }
    let again = try bench.open("data", options(Self.key))
    #expect(try self.rows(again) == rows)
    try again.close()
  }

  @Test("a wrong key, no key, a short key and a key for a plain file are told apart")
  func wrongKeys() throws {
    let bench = try Workbench()
    try bench.open("data", options(Self.key)).close()
    try bench.open("plain", options(nil)).close()
    let before = try FileSystem.read(bench.path())
    #expect(code { try bench.open("data", options(Self.otherKey)) } == .keyWrong)
    #expect(code { try bench.open("data", options(nil)) } == .keyMissing)
    let short = EncryptionKey(Array(repeating: 1, count: 63))
    #expect(code { try bench.open("data", options(short)) } == .keyLength)
    #expect(code { try bench.open("plain", options(Self.key)) } == .notEncrypted)
    #expect(code { try bench.open("new", options(short)) } == .keyLength)
    #expect(!FileSystem.exists(bench.path("new")))
    #expect(try FileSystem.read(bench.path()) == before)
    #expect("\(Self.key)" == "a key of 64 bytes")
  }

  @Test("a file has one page of entries for each 102 units, which the account includes to the byte")
  func overhead() throws {
    let bench = try Workbench()
    let database = try bench.open("data", options(Self.key))
    for generation in 0..<8 {
      try fill(database, generation, 0..<Int64(300 * (generation + 1)))
      let units = (database.usage().file - 12288) / 4096
      #expect(try FileSystem.read(bench.path()).count == database.usage().file)
      let logical = try database.store.account.file
      #expect(EncryptedLayout.physical(logical) == database.usage().file)
      #expect(EncryptedLayout.logical(database.usage().file) == logical)
      #expect(units == (logical - 12288) / 4096 + ((logical - 12288) / 4096 + 101) / 102)
    }
    try database.checkedAudit()
    let logical = try database.store.account.file
    #expect((database.usage().file - logical) * 50 <= logical)
    try database.close()
  }

  @Test(
    "the offsets of units and entries are disjoint and fill the file",
    arguments: [1, 101, 102, 103, 205, 1000])
  func places(_ units: Int) {
    let size = EncryptedLayout.physical(12288 + units * 4096)
    var owner: [Int: Int] = [:]
    for unit in 0..<units {
      #expect(EncryptedLayout.unit(of: EncryptedLayout.offset(of: unit) + 4095) == unit)
      let byteOffset = EncryptedLayout.fileOffset(of: unit)
      #expect(byteOffset % 4096 == 0 && byteOffset + 4096 <= size)
      #expect(owner.updateValue(unit, forKey: byteOffset / 4096) == nil)
      let entry = EncryptedLayout.entryOffset(of: unit)
      #expect(entry / 4096 < byteOffset / 4096 && entry % 4096 + 40 <= 4096)
    }
    #expect(Set((0..<units).map { EncryptedLayout.entryOffset(of: $0) }).count == units)
    #expect((0..<units).allSatisfy { owner[EncryptedLayout.entryOffset(of: $0) / 4096] == nil })
    #expect(EncryptedLayout.logical(size) == 12288 + units * 4096)
  }

  @Test("a flipped bit anywhere is an error, or lies in unused bytes and every row is right")
  func flips() throws {
    let bench = try Workbench()
    let database = try bench.open("data", options(Self.key))
    for generation in 0..<4 { try fill(database, generation) }
    try database.close()
    let good = try FileSystem.read(bench.path())
    var random = SeededRandom(seed: testSeed())
    var refused = 0
    for _ in 0..<150 {
      var bytes = good
      let byteOffset = random.below(bytes.count)
      bytes[byteOffset] ^= 1 << UInt8(random.below(8))
      let file = FaultyStorageFile(image: bytes)
      do {
        let database = try Database.open(file: file, options: options(Self.key))
        #expect(try rows(database) == expected(3), "seed \(random.seed), bit at \(byteOffset)")
      } catch let error as StorageError {
        #expect([.corrupt, .notADatabase].contains(error.code), "\(error)")
        #expect(file.pendingChanges == 0)
        refused += 1
      }
    }
    #expect(refused > 15)
  }

  /// Copies a unit with its entry from the same or another image to another unit.
  private func move(
    _ unit: Int, of source: [UInt8], to target: Int, in image: inout [UInt8]
  ) {
    let (from, to) = (EncryptedLayout.fileOffset(of: unit), EncryptedLayout.fileOffset(of: target))
    image.replaceSubrange(to..<to + 4096, with: source[from..<from + 4096])
    let (old, new) = (
      EncryptedLayout.entryOffset(of: unit), EncryptedLayout.entryOffset(of: target)
    )
    image.replaceSubrange(new..<new + 40, with: source[old..<old + 40])
  }

  @Test("a unit replaced by another or by an older one is detected and named")
  func movedUnits() throws {
    let bench = try Workbench()
    var database = try bench.open("data", options(Self.key))
    var images: [[UInt8]] = []
    for generation in 0..<6 {
      try fill(database, generation)
      try database.close()
      images.append(try FileSystem.read(bench.path()))
      database = try bench.open("data", options(Self.key))
    }
    try database.close()
    let good = images[5]
    var found = 0
    var harmless = 0
    let units = (EncryptedLayout.logical(good.count) - 12288) / 4096
    for unit in 0..<units {
      var changed: [[UInt8]] = []
      var other = good
      move((unit + 1) % units, of: good, to: unit, in: &other)
      changed.append(other)
      for older in images[..<5] where older.count == good.count {
        var back = good
        move(unit, of: older, to: unit, in: &back)
        if back != good { changed.append(back) }
      }
      for image in changed {
        do {
          let file = FaultyStorageFile(image: image)
          let database = try Database.open(file: file, options: options(Self.key))
          #expect(try rows(database) == expected(5))
          harmless += 1
        } catch let error as StorageError {
          #expect(error.code == .corrupt)
          #expect(error.message.contains("Unit \(unit) "), "\(error)")
          found += 1
        }
      }
    }
    #expect(found > 10 && harmless > 0)
  }

  @Test(
    "a copy is encrypted with its own key, or plain, and includes uncommitted changes")
  func copies() throws {
    let bench = try Workbench()
    let database = try bench.open("data", options(Self.key))
    for generation in 0..<3 { try fill(database, generation) }
    try database.writeCopy(to: bench.path("same"), encryptionKey: Self.key)
    try database.writeCopy(to: bench.path("other"), encryptionKey: Self.otherKey)
    try database.writeCopy(to: bench.path("plain"))
    let transaction = try database.beginWrite()
    let table = try transaction.table("rows")
    try transaction.put(table, 7, [1, 2, 3])
    try transaction.writeCopy(to: bench.path("uncommitted"), encryptionKey: Self.otherKey)
    transaction.rollBack()
    try database.close()
    for (name, key) in [("same", Self.key), ("other", Self.otherKey), ("plain", nil)] {
      let copy = try bench.open(name, options(key))
      #expect(try rows(copy) == expected(2))
      try copy.checkedAudit(name)
      try fill(copy, 9)
      #expect(try rows(copy) == expected(9))
      try copy.close()
    }
    let copy = try bench.open("uncommitted", options(Self.otherKey))
    var changed = expected(2)
    changed[7] = [1, 2, 3]
    #expect(try rows(copy) == changed)
    try copy.close()
  }

  @Test("compaction keeps, changes, removes and adds a key")
  func compactions() throws {
    let bench = try Workbench()
    let database = try bench.open("data", options(Self.key))
    for generation in 0..<3 { try fill(database, generation) }
    var generation = 2
    let steps: [(CopyEncryption, EncryptionKey?)] = [
      (.same, Self.key), (.key(Self.otherKey), Self.otherKey), (.same, Self.otherKey),
      (.none, nil), (.same, nil), (.key(Self.key), Self.key),
    ]
    for (encryption, key) in steps {
      guard case .compacted = try database.compact(encryption: encryption) else {
        Issue.record("\(encryption) was skipped")
        return
      }
      #expect(try rows(database) == expected(generation))
      generation += 1
      try fill(database, generation)
      try database.checkedAudit("\(encryption)")
      let copy = FaultyStorageFile(image: try FileSystem.read(bench.path()))
      let again = try Database.open(file: copy, options: options(key))
      #expect(try rows(again) == expected(generation))
    }
    let short = EncryptionKey([1])
    let error = try #require(throws: StorageError.self) {
      try database.compact(encryption: .key(short))
    }
    #expect(error.code == .keyLength)
    #expect(try FileSystem.list(bench.folder).filter { $0.hasSuffix(".compacting") } == [])
    try database.close()
  }

  @Test("an aborted commit's nonces are never used again")
  func nonces() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: options(Self.key))
    try fill(database, 0)
    try file.sync()
    let durable = file.liveBytes
    var entries: [Int: Set<[UInt8]>] = [:]
    var written = 0
    // The same commit again and again, each time lost.
    for _ in 0..<6 {
      let again = FaultyStorageFile(image: durable)
      try fill(try Database.open(file: again, options: options(Self.key)), 1)
      let image = again.liveBytes
      for unit in 0..<(EncryptedLayout.logical(image.count) - 12288) / 4096 {
        let byteOffset = EncryptedLayout.entryOffset(of: unit)
        let entry = Array(image[byteOffset..<byteOffset + 24])
        guard
          byteOffset + 24 > durable.count || entry != Array(durable[byteOffset..<byteOffset + 24]),
          entry.contains(where: { $0 != 0 })
        else { continue }
        entries[unit, default: []].insert(entry)
        written += 1
      }
    }
    #expect(written > 6)
    #expect(entries.values.reduce(0) { $0 + $1.count } == written)
    #expect(Set(entries.values.joined()).count == written)
  }

  @Test("an encrypted seed, a read-only opening and an old snapshot work as with a plain file")
  func otherModes() throws {
    let bench = try Workbench()
    let seed = try bench.open("seed", options(Self.key))
    try fill(seed, 0)
    try seed.close()
    var seeded = options(Self.key)
    seeded.seedFile = bench.path("seed")
    let database = try bench.open("data", seeded)
    let old = try database.beginSnapshot()
    for generation in 1..<30 { try fill(database, generation) }
    let table = try #require(old.table("rows"))
    #expect(Dictionary(uniqueKeysWithValues: try old.rows(table)) == expected(0))
    try database.checkedAudit()
    old.end()
    try database.close()
    var reading = options(Self.key)
    reading.readOnly = true
    let before = try FileSystem.read(bench.path())
    let reader = try bench.open("data", reading)
    #expect(try rows(reader) == expected(29))
    try reader.close()
    #expect(try FileSystem.read(bench.path()) == before)
    seeded.encryptionKey = Self.otherKey
    #expect(code { try bench.open("new", seeded) } == .keyWrong)
    #expect(!FileSystem.exists(bench.path("new")))
  }

  @Test("automatic compaction moves blocks, truncates and resumes in an encrypted file")
  func automaticCompaction() throws {
    var options = options(Self.key)
    options.growthStep = 32 << 10
    options.automaticCompaction = AutomaticCompaction(
      minimumFile: 32 << 10, minimumLimit: 8 << 10, backOffCommits: 2)
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: options)
    try fill(database, 0, 0..<2000)
    let largest = database.usage().file
    try database.write { transaction, table in
      for key in Int64(100)..<2000 { _ = try transaction.delete(table, key) }
    }
    for _ in 0..<200 { try database.write { try $0.put($1, 0, row(0, 0, count: 150)) } }
    try database.checkedAudit()
    #expect(database.usage().file < largest)
    #expect(file.size == database.usage().file)
    #expect(database.drainEvents().contains { $0.kind == .finished })
    let again = try Database.open(
      file: FaultyStorageFile(image: file.liveBytes), options: options)
    #expect(try rows(again).count == 100)
  }

  /// Values of which three fit into a page, and of which most are deleted, a few at a time.
  private func scattered(_ options: DatabaseOptions) throws -> (Database, [CompactionStep]) {
    let database = try Database.open(file: FaultyStorageFile(), options: options)
    for batch in Int64(0)..<20 {
      try database.write { transaction, table in
        for key in batch * 100..<(batch + 1) * 100 {
          try transaction.put(table, key, row(key, 0, count: 1200))
        }
      }
    }
    var steps: [CompactionStep] = []
    for key in Int64(0)..<2000 where key % 5 != 2 {
      try database.write { transaction, table in _ = try transaction.delete(table, key) }
      steps += database.drainEvents()
    }
    return (database, steps)
  }

  @Test("scattered free bytes do not trigger a compaction that would have to give up")
  func scatteredBytes() throws {
    let (database, first) = try scattered(options(Self.key))
    var steps = first
    for number in 0..<300 {
      try database.write { try $0.put($1, 2, row(2, number, count: 1200)) }
      steps += database.drainEvents()
    }
    #expect(!steps.contains { $0.kind == .abandoned }, "\(steps)")
    let account = database.usage()
    let store = try database.store
    let scattered = store.scatteredBytes
    let pages = store.writer.pointee.freeSpace.freePages
    #expect(scattered > 0)
    #expect(account.free == scattered + pages * Layout.pageSize)
    guard case .tooLittleFree(let free, let used, _) = try database.automaticState.condition else {
      Issue.record("\(try database.automaticState)")
      return
    }
    #expect((free, used) == (pages * Layout.pageSize, store.account.file - free))
    try database.checkedAudit()
    // The same rows in a plain file are compacted.
    let (plain, plainSteps) = try self.scattered(options(nil))
    #expect(plainSteps.contains { $0.kind == .finished })
    #expect(plain.usage().file < account.file)
  }

  @Test("a session counts the scattered bytes that the previous one left")
  func scatteredBytesAfterOpening() throws {
    let bench = try Workbench()
    var database = try bench.open("data", options(Self.key))
    for generation in 0..<40 {
      try fill(database, generation, Int64(generation * 3)..<Int64(generation * 3 + 9))
    }
    let before = try (database.automaticState, database.store.scatteredBytes)
    try database.close()
    database = try bench.open("data", options(Self.key))
    #expect(before.1 > 0)
    let scattered = try database.store.scatteredBytes
    let writer = try database.store.writer
    let (bytes, pages) = (writer.pointee.freeSpace.bytes, writer.pointee.freeSpace.freePages)
    #expect(scattered == bytes - pages * Layout.pageSize)
  }

  @Test("the maximum file size limits the size on disk, including entries")
  func largestFile() throws {
    let bench = try Workbench()
    var options = options(Self.key)
    options.growthStep = 16 << 10
    for limit in [430_000, 434_176, 438_272, 500_000] {
      options.maximumFileSize = limit
      let name = "data-\(limit)"
      let database = try bench.open(name, options)
      var refusal: StorageError.Code?
      for key in Int64(0)..<4000 where refusal == nil {
        do {
          try database.write { try $0.put($1, key, row(key, 0, count: 400)) }
        } catch let error as StorageError { refusal = error.code }
      }
      #expect(refusal == .limitExceeded)
      let size = try FileSystem.size(of: bench.path(name)).bytes
      #expect(size <= limit)
      // As near as whole pages come, the page of entries that a next unit might need included.
      #expect(size > limit - 3 * Layout.pageSize, "\(size) of \(limit)")
      #expect(database.usage().file == size)
    }
  }
}
