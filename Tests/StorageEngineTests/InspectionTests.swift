// Inspections, compared with the running account and the walk.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Inspection")
struct InspectionTests {
  private func change(_ database: Database, _ random: inout SeededRandom) throws {
    try database.write { transaction, table in
      for _ in 0..<40 {
        let key = Int64(random.below(600))
        try transaction.put(table, key, random.bytes(random.below(400)))
        _ = try transaction.delete(table, Int64(random.below(600)))
      }
    }
  }

  /// Every byte is in one range, and the sums are those of the running account.
  private func check(_ database: Database, _ inspection: FileInspection) throws {
    var end = 0
    for range in inspection.ranges {
      #expect(range.offset == end && range.size > 0)
      #expect(range.use != .unknown)
      end = range.offset + range.size
    }
    #expect(end == inspection.account.file)
    #expect(inspection.account == database.usage())
    let table = try #require(inspection.tables.first)
    #expect(table.rows == (try database.audit().rows))
    #expect(table.nodeBytes + table.valueBytes == inspection.account.live)
    #expect(inspection.slots.compactMap(\.version).max() == inspection.version)
  }

  @Test(
    "every byte has one use, and the sums are the account's, also with snapshots and a savepoint")
  func account() throws {
    let bench = try Workbench()
    let database = try bench.open()
    var random = SeededRandom(seed: testSeed(3))
    for _ in 0..<20 { try change(database, &random) }
    try check(database, try database.inspect())
    let snapshot = try database.beginSnapshot(label: "reader")
    for _ in 0..<15 { try change(database, &random) }
    _ = try database.makeSavepoint("kept")
    for _ in 0..<12 { try change(database, &random) }
    let inspection = try database.inspect()
    try check(database, inspection)
    #expect(inspection.pins.map(\.label) == ["reader", "kept"])
    #expect(inspection.account.pinned > 0)
    // What the reader pins was freed up to 28 versions ago.
    let ages = inspection.ranges.filter { $0.use == .pinned }.map(\.age)
    #expect((ages.max() ?? 0) >= 13 && (ages.max() ?? 0) < 28)
    snapshot.end()
    try check(database, try database.inspect())
  }

  @Test("a file opened read-only is inspected, estimated and walked without a change")
  func readOnly() throws {
    let bench = try Workbench()
    let database = try bench.open()
    var random = SeededRandom(seed: testSeed(4))
    for _ in 0..<20 { try change(database, &random) }
    try database.close()
    let bytes = try FileSystem.read(bench.path())
    var options = DatabaseOptions(durability: .none)
    options.readOnly = true
    let reading = try bench.open("data", options)
    let inspection = try reading.inspect()
    try check(reading, inspection)
    #expect(inspection.isMarkedClosed)
    let estimate = try reading.estimateCompaction()
    #expect(estimate.skip == nil)
    #expect(estimate.nanoseconds != nil)
    try reading.close()
    #expect(try FileSystem.read(bench.path()) == bytes)
    let (version, slots) = try Database.inspect(front: Array(bytes.prefix(12288)))
    #expect(version == Database.formatVersion)
    #expect(slots == inspection.slots)
    let wrong = #expect(throws: StorageError.self) {
      try Database.inspect(front: [UInt8](repeating: 7, count: 12288))
    }
    #expect(wrong?.code == .notADatabase)
  }
}
