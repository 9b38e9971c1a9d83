// Images of files in use: what an inspection reads while other threads and sessions commit, compact and replace the file.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

/// A flag by which a thread ends.
private final class Ending: Sendable {
  let hasBegun = Locked(false)
}

@Suite("Images of files in use")
struct FileImageTests {
  /// Commits rows that replace, delete and lengthen others. With `isLong`, some values are in blocks of their own.
  private func change(_ database: Database, _ random: inout SeededRandom, isLong: Bool = true)
    throws
  {
    try database.write { transaction, table in
      for _ in 0..<40 {
        let key = Int64(random.below(2000))
        try transaction.put(table, key, random.bytes(random.below(isLong ? 900 : 400)))
        _ = try transaction.delete(table, Int64(random.below(2000)))
      }
    }
  }

  /// What an inspection finds, without what depends on when it was made.
  private struct Found: Equatable {
    var tables: [InspectedTable]
    var account: SpaceAccount
    var ranges: [InspectedRange]
    var records: Int

    init(_ inspection: FileInspection) {
      (tables, account) = (inspection.tables, inspection.account)
      (ranges, records) = (inspection.ranges, inspection.records)
    }
  }

  /// The function that reads a file, and `body` before each read, with its number.
  private func reading(
    _ body: @escaping (Int) throws -> Void
  ) -> (FileReader) -> ReadBytes {
    { file in
      var count = 0
      return { buffer, offset throws(SystemError) in
        do { try body(count) } catch { Issue.record(error) }
        count += 1
        return try file.read(into: buffer, at: offset)
      }
    }
  }

  @Test(
    "an image shows what the database that has the file open shows, with the readers of all sessions"
  )
  func sameAsTheDatabase() throws {
    let bench = try Workbench()
    let (database, other) = (try bench.open(), try bench.open())
    var random = SeededRandom(seed: testSeed(11))
    for _ in 0..<20 { try change(database, &random) }
    let first = try other.beginSnapshot(label: "another session's")
    for _ in 0..<15 { try change(database, &random) }
    _ = try database.makeSavepoint("kept")
    let second = try database.beginSnapshot(label: "own")
    for _ in 0..<12 { try change(database, &random) }
    try database.write { transaction, table in
      try transaction.put(table, 9999, random.bytes(3 << 20))
    }
    let lockFile = FilePath(bench.path().string + ".lock")
    let before = (try FileSystem.read(bench.path()), try FileSystem.read(lockFile))
    let image = try FileImage(of: bench.path())
    #expect(try FileSystem.read(bench.path()) == before.0)
    #expect(try FileSystem.read(lockFile) == before.1)
    let (seen, expected) = (try image.inspect(), try database.inspect())
    #expect(image.hasNodes && seen.hasNodes)
    #expect(Found(seen) == Found(expected))
    #expect(seen.version == expected.version && seen.slots == expected.slots)
    #expect(seen.pins == expected.pins && seen.pins.count == 3)
    #expect(image.database.versions == database.versions)
    #expect(try image.database.automaticState == database.automaticState)
    #expect(image.database.usage() == database.usage())
    #expect(
      try image.database.estimateCompaction(measuringTime: false).resultBytes
        == database.estimateCompaction(measuringTime: false).resultBytes)
    let records = try FileImage(of: bench.path(), recordsOnly: true)
    #expect(records.database.usage() == database.usage() && !records.hasNodes)
    #expect(records.database.oldestPins() == database.oldestPins())
    let sums = try records.inspect()
    #expect(sums.account == expected.account && sums.tables.isEmpty)
    #expect(sums.ranges.allSatisfy { $0.use != .unknown })
    first.end()
    second.end()
    try image.database.close()
    #expect(FileSystem.exists(lockFile))
  }

  @Test("an image keeps no program from compacting, closing or opening the file, also exclusively")
  func disturbsNothing() throws {
    let bench = try Workbench()
    let database = try bench.open()
    var random = SeededRandom(seed: testSeed(12))
    for _ in 0..<20 { try change(database, &random) }
    let image = try FileImage(of: bench.path())
    let found = Found(try image.inspect())
    guard case .compacted = try database.compact() else {
      Issue.record("The compaction was skipped.")
      return
    }
    try change(database, &random)
    try database.close()
    #expect(try FileSystem.list(bench.folder) == ["data"])
    var options = Workbench.fast
    options.sharing = .exclusive
    let exclusive = try bench.open("data", options)
    #expect(Found(try image.inspect()) == found)
    let next = try FileImage(of: bench.path())
    #expect(Found(try next.inspect()) == Found(try exclusive.inspect()))
    try exclusive.close()
  }

  @Test(
    "commits between any two reads: the image is one of the versions, to the byte",
    arguments: [1, 2, 3, 7, 40])
  func commitsBetweenReads(readsPerCommit: Int) throws {
    let bench = try Workbench()
    let database = try bench.open()
    var random = SeededRandom(seed: testSeed(UInt64(readsPerCommit)))
    for _ in 0..<60 { try change(database, &random) }
    var versions: [UInt64: Found] = [:]
    func note() throws { versions[database.version] = Found(try database.inspect()) }
    try note()
    var commits = 0
    let image = try FileImage(
      of: bench.path(), .nodes, nil, maxPasses: 100,
      reading: reading { count in
        guard count % readsPerCommit == readsPerCommit - 1, commits < 400 else { return }
        commits += 1
        try database.write { transaction, table in
          try transaction.put(table, Int64(random.below(2000)), random.bytes(random.below(900)))
        }
        try note()
      })
    let inspection = try image.inspect()
    #expect(inspection.hasNodes)
    #expect(commits > 3)
    #expect(Found(inspection) == versions[inspection.version])
    // With many commits some versions are passed over, so that the repetition is tested.
    if readsPerCommit <= 3 { #expect(inspection.version > versions.keys.min()!) }
    try database.close()
  }

  @Test("a file whose blocks are all replaced during each pass has its sums, of one version")
  func changesTooFast() throws {
    let bench = try Workbench()
    let database = try bench.open()
    func rewrite(_ generation: Int) throws {
      try database.write { transaction, table in
        for key in Int64(0)..<400 {
          try transaction.put(table, key, row(key, generation, count: 60 + generation % 30))
        }
      }
    }
    for generation in 0..<5 { try rewrite(generation) }
    var accounts: [UInt64: SpaceAccount] = [:]
    var generation = 5
    let image = try FileImage(
      of: bench.path(), .nodes, nil, maxPasses: 4,
      reading: reading { count in
        // Three commits after the front, slots and records were read, and while nodes are.
        guard count % 9 == 8 else { return }
        try rewrite(generation)
        generation += 1
        accounts[database.version] = database.usage()
      })
    #expect(!image.hasNodes)
    let inspection = try image.inspect()
    #expect(inspection.account == accounts[inspection.version])
    #expect(inspection.tables.isEmpty && !inspection.hasNodes)
    try database.close()
  }

  @Test("damage that no commit has made is reported, and not taken for a change")
  func damage() throws {
    let bench = try Workbench()
    let database = try bench.open()
    var random = SeededRandom(seed: testSeed(14))
    for _ in 0..<20 { try change(database, &random) }
    let live = try database.inspect().ranges.filter { $0.use == .live }
    try database.close()
    var bytes = try FileSystem.read(bench.path())
    for range in live {
      for offset in range.offset..<range.offset + range.size { bytes[offset] ^= 0x55 }
    }
    try FileSystem.write(bytes, to: bench.path())
    let error = #expect(throws: StorageError.self) { try FileImage(of: bench.path()) }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("no commit has overwritten it") == true)
  }

  @Test("readers of a process that died are not pins of an image")
  func deadReaders() throws {
    let bench = try Workbench()
    let database = try bench.open()
    var random = SeededRandom(seed: testSeed(15))
    try change(database, &random)
    let snapshot = try database.beginSnapshot(label: "alive")
    try change(database, &random)
    // An entry of a session whose number is no longer that of its slot.
    let store = try database.store
    let slot = try store.session.claimReaderSlot()
    store.session.table.reader(slot).atomicStore(ReaderTable.number(77, at: 9), 0)
    store.session.table.setVersion(slot, 1)
    let pins = try FileImage(of: bench.path()).inspect().pins
    #expect(pins.map(\.label) == ["alive"])
    snapshot.end()
    store.session.table.release(slot)
    try database.close()
  }

  @Test(
    "beside a writer at full speed every whole image passes the walk that adds everything up",
    arguments: [false, true])
  func fullSpeed(compacts: Bool) throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.automaticCompaction = AutomaticCompaction()
    let database = try bench.open("data", options)
    var random = SeededRandom(seed: testSeed(16))
    // Values in nodes only, so that the walk finds all that it reads in the image.
    for _ in 0..<100 { try change(database, &random, isLong: false) }
    let ending = Ending()
    let path = bench.path()
    let writer = try SystemThread.start(name: "writer") {
      var random = SeededRandom(seed: testSeed(17))
      var count = 0
      while !ending.hasBegun.withLock({ $0 }) {
        do {
          try database.write { transaction, table in
            for _ in 0..<3 {
              try transaction.put(
                table, Int64(random.below(2000)), random.bytes(random.below(400)))
            }
            if count % 5 == 0 { _ = try transaction.delete(table, Int64(random.below(2000))) }
          }
          count += 1
          if compacts, count % 50 == 0 { _ = try database.compact() }
        } catch { Issue.record(error) }
      }
    }
    var whole = 0
    var versions: Set<UInt64> = []
    var images = 0
    let waitEnd = HangGuard.waitEnd
    // Beside commits, and not between two of them: on a busy machine a dozen may be made during the first
    // 150 images.
    while images < 150 || versions.count <= 20 || whole <= 100, .now() < waitEnd {
      images += 1
      let image = try FileImage(of: path)
      let inspection = try image.inspect()
      versions.insert(inspection.version)
      #expect(inspection.account == image.database.usage())
      #expect(inspection.ranges.allSatisfy { $0.use != .unknown })
      guard image.hasNodes else { continue }
      whole += 1
      let audit = try image.database.checkedAudit("version \(inspection.version)")
      #expect(audit.account == inspection.account)
      #expect(audit.rows == inspection.tables.reduce(0) { $0 + $1.rows })
    }
    ending.hasBegun.withLock { $0 = true }
    writer.join()
    #expect(versions.count > 20)
    #expect(whole > 100)
    try database.close()
  }
}
