// Encrypted files: only the key opens them, every change is detected, and the only additional space is the entry of each
// unit.
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Encrypted files")
struct EncryptedFileTests {
  private static let key = EncryptionKey((0..<64).map { UInt8($0 * 3) })
  private static let layout = EncryptedLayout.adjacentEntries
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
    for generation in 5..<30 {
      try fill(again, generation, 30..<60)
      try again.checkedAudit()
    }
    rows.merge(expected(29, 30..<60)) { $1 }
    #expect(try self.rows(again) == rows)
    #expect(FileHeader.layout(try again.store.file.base) == .pagesOfEntries)
    // A compacted copy is a new file, with the entries beside the units.
    let estimate = try again.estimateCompaction(measuringTime: false)
    guard case .compacted(_, let after, _) = try again.compact() else {
      Issue.record("not compacted")
      return
    }
    #expect(after.file == estimate.resultBytes)
    #expect(FileHeader.layout(try again.store.file.base) == .adjacentEntries)
    #expect(try self.rows(again) == rows)
    try again.checkedAudit()
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

  @Test("a file has 40 bytes for each unit, which the account includes to the byte")
  func overhead() throws {
    let bench = try Workbench()
    let database = try bench.open("data", options(Self.key))
    for generation in 0..<8 {
      try fill(database, generation, 0..<Int64(300 * (generation + 1)))
      #expect(try FileSystem.read(bench.path()).count == database.usage().file)
      let logical = try database.store.readers.account.file
      #expect(Self.layout.physical(logical) == database.usage().file)
      #expect(Self.layout.logical(database.usage().file) == logical)
      let units = (logical - 12288) / Self.layout.unit
      #expect(database.usage().file == 12288 + units * (Self.layout.unit + 40))
    }
    try database.checkedAudit()
    try database.close()
  }

  @Test(
    "the offsets of units and entries are disjoint and fill the file",
    arguments: [EncryptedLayout.adjacentEntries, .pagesOfEntries], [1, 101, 102, 103, 205, 1000])
  func offsets(_ layout: EncryptedLayout, _ units: Int) {
    let size = layout.physical(12288 + units * layout.unit)
    var parts: [Range<Int>] = []
    for unit in 0..<units {
      #expect(layout.unit(of: layout.offset(of: unit)) == unit)
      #expect(layout.unit(of: layout.offset(of: unit) + layout.unit - 1) == unit)
      let (start, entry) = (layout.fileOffset(of: unit), layout.entryOffset(of: unit))
      #expect(entry < start)
      #expect(!layout.hasAdjacentEntries || entry + 40 == start)
      // A commit slot is 104 bytes within one sector; an entry may be torn, and then its unit does not open.
      parts += [start..<start + layout.unit, entry..<entry + 40]
    }
    parts.sort { $0.lowerBound < $1.lowerBound }
    #expect(parts.first?.lowerBound == 12288)
    #expect(parts.last?.upperBound == size)
    for (part, next) in zip(parts, parts.dropFirst()) {
      #expect(part.upperBound <= next.lowerBound)
      #expect(!layout.hasAdjacentEntries || part.upperBound == next.lowerBound)
    }
    #expect(layout.logical(size) == 12288 + units * layout.unit)
    #expect(layout.logical(size - 1) == 12288 + (units - 1) * layout.unit)
    #expect(layout.logical(size + 39) == 12288 + units * layout.unit)
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
        // Without the newest slot the older one is read, whose file may have been longer.
        #expect([.corrupt, .notADatabase, .truncated].contains(error.code), "\(error)")
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
    let size = Self.layout.unit + 40
    let (from, to) = (Self.layout.entryOffset(of: unit), Self.layout.entryOffset(of: target))
    image.replaceSubrange(to..<to + size, with: source[from..<from + size])
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
    let units = (Self.layout.logical(good.count) - 12288) / Self.layout.unit
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
    for batch in Int64(0)..<40 {
      try database.write { transaction, table in
        for key in batch * 100..<(batch + 1) * 100 {
          try transaction.put(table, key, row(key, 0, count: 1200))
        }
      }
    }
    var steps: [CompactionStep] = []
    for key in Int64(0)..<4000 where key % 5 != 2 {
      try database.write { transaction, table in _ = try transaction.delete(table, key) }
      steps += database.drainEvents()
    }
    return (database, steps)
  }

  @Test("units of which little is in use are emptied too, and no compaction has to give up")
  func scatteredBytes() throws {
    let (database, first) = try scattered(options(Self.key))
    var steps = first
    for number in 0..<300 {
      try database.write { try $0.put($1, 2, row(2, number, count: 1200)) }
      steps += database.drainEvents()
    }
    #expect(steps.contains { $0.kind == .finished })
    #expect(!steps.contains { $0.kind == .abandoned }, "\(steps)")
    let account = database.usage()
    let store = try database.store
    let (_, unit, pages) = try freeSpace(of: store)
    #expect(unit == Self.layout.unit)
    #expect(account.free == store.readers.scatteredBytes + pages * unit)
    guard case .tooLittleFree(let free, let used, _) = try database.automaticState.condition else {
      Issue.record("\(try database.automaticState)")
      return
    }
    #expect((free, used) == (account.free, store.readers.account.file - account.free))
    try database.checkedAudit()
    let (plain, _) = try self.scattered(options(nil))
    #expect(account.file < 2 * plain.usage().file)
  }

  @Test("scattered bytes alone, without whole units to move into, are left as they are")
  func onlyScatteredBytes() {
    let thresholds = AutomaticCompaction()
    let megabyte = 1 << 20
    func account(used: Int, free: Int) -> SpaceAccount {
      SpaceAccount(
        file: used + free, live: used, free: free, pinned: 0, pending: 0, overhead: 0)
    }
    let file = account(used: 2 * megabyte, free: 8 * megabyte)
    func limit(scattered: Int) -> Int? {
      guard
        case .due(_, _, _, let limit) = thresholds.condition(file, scattered: scattered, pin: nil)
      else { return nil }
      return limit
    }
    #expect(limit(scattered: 8 * megabyte) == nil)
    #expect(limit(scattered: 0) == 3 * megabyte)
    // 10 MiB · 3 ÷ (3 + 2), in whole pages.
    #expect(limit(scattered: 6 * megabyte) == 6 * megabyte)
    #expect(limit(scattered: 7 * megabyte + megabyte / 2) == nil)
  }

  @Test("a session counts the scattered bytes that the previous one left")
  func scatteredBytesAfterOpening() throws {
    let bench = try Workbench()
    var database = try bench.open("data", options(Self.key))
    for generation in 0..<40 {
      try fill(database, generation, Int64(generation * 3)..<Int64(generation * 3 + 9))
    }
    let before = try (database.automaticState, database.store.readers.scatteredBytes)
    try database.close()
    database = try bench.open("data", options(Self.key))
    #expect(before.1 > 0)
    let scattered = try database.store.readers.scatteredBytes
    let (bytes, pageSize, pages) = try freeSpace(of: database.store)
    #expect(scattered == bytes - pages * pageSize)
  }

  /// The free bytes, the size of a unit of allocation, and the number of units that are free.
  private func freeSpace(of store: Store) throws -> (bytes: Int, unit: Int, units: Int) {
    let access = try store.acquireWriteLock()
    return (
      access.writer.allocator.space.bytes, access.writer.allocator.space.pageSize,
      access.writer.allocator.space.freePages
    )
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
      // As near as the reserve for deletions and whole pages let it come, the page of entries that a next unit might need
      // included.
      #expect(size > limit - limit / 8 - 3 * Layout.pageSize, "\(size) of \(limit)")
      #expect(database.usage().file == size)
    }
  }
}
