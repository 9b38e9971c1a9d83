// One snapshot pinned from commit 50 on, while ten of ten thousand rows are updated in each commit: the length of the
// file, to the byte. Realm Core, measured with the same rows, ends at the same length as its preset (Docs/Engines/Native.md).
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Growth under a pin")
struct GrowthUnderPinTests {
  private static let realmBytes = 8_388_608

  /// The file's length after the load and after 500, 1000, 2000, 3000 and 3500 commits.
  private func lengths(_ options: DatabaseOptions) throws -> [Int] {
    var options = options
    options.durability = .none
    let bench = try Workbench()
    // Keeps the folder: a database that has lost its name takes no commits.
    defer { withExtendedLifetime(bench) {} }
    let database = try bench.open("data", options)
    try database.write { transaction, table in
      for key in Int64(0)..<10_000 { try transaction.put(table, key, row(key, 0, count: 256)) }
    }
    var lengths = [database.usage().file]
    var random = SeededRandom(seed: 1)
    var pin: Snapshot?
    for commit in 1...3500 {
      try database.write { transaction, table in
        for _ in 0..<10 {
          let key = Int64(random.below(10_000))
          try transaction.put(table, key, row(key, commit, count: 256))
        }
      }
      if commit == 50 { pin = try database.beginSnapshot(label: "from commit 50 on") }
      if [500, 1000, 2000, 3000, 3500].contains(commit) { lengths.append(database.usage().file) }
    }
    let account = database.usage()
    // Only what the snapshot sees is retained, once: no byte of the versions in between.
    #expect(account.pinned < 3_200_000)
    try database.checkedAudit()
    pin?.end()
    return lengths
  }

  // Both grow by 1 MiB at a time.
  @Test("the Realm preset gets no longer than Realm Core, to one growth step")
  func realmCompatible() throws {
    let lengths = try lengths(.realmCompatible)
    #expect(lengths == [3_145_728, 5_242_880, 6_291_456, 8_388_608, 8_388_608, 8_388_608])
    #expect(lengths.allSatisfy { $0 <= Self.realmBytes + 1 << 20 })
  }

  @Test("the defaults end at one and a half times Realm Core's length at most")
  func defaults() throws {
    let lengths = try lengths(DatabaseOptions())
    #expect(lengths == [3_145_728, 6_291_456, 6_291_456, 6_291_456, 6_291_456, 6_291_456])
    #expect(lengths.allSatisfy { 2 * $0 <= 3 * Self.realmBytes })
  }
}
