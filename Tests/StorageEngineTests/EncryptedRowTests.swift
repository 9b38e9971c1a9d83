// Rows in encrypted files: a unit is used again only when all of its blocks are free, so where a value lies decides how
// long the file becomes. Lengths are exact, and level off.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Rows in encrypted files")
struct EncryptedRowTests {
  private static let key = EncryptionKey((0..<64).map { UInt8($0) })

  /// The file's length after the load of 10,000 rows, and after 500, 2,000 and 4,000 commits of ten updates.
  private func lengths(
    ofRows count: Int, _ key: EncryptionKey?, _ options: DatabaseOptions = DatabaseOptions()
  ) throws -> [Int] {
    var options = options
    options.durability = .none
    options.encryptionKey = key
    let bench = try Workbench()
    // Keeps the folder: a database that has lost its name takes no commits.
    defer { withExtendedLifetime(bench) {} }
    let database = try bench.open("data", options)
    try database.write { transaction, table in
      for key in Int64(0)..<10_000 { try transaction.put(table, key, row(key, 0, count: count)) }
    }
    var lengths = [database.usage().file]
    var random = SeededRandom(seed: 1)
    for commit in 1...4000 {
      try database.write { transaction, table in
        for _ in 0..<10 {
          let key = Int64(random.below(10_000))
          try transaction.put(table, key, row(key, commit, count: count))
        }
      }
      if [500, 2000, 4000].contains(commit) { lengths.append(database.usage().file) }
    }
    try database.checkedAudit()
    return lengths
  }

  @Test(
    "rows of up to 1,008 bytes are in the leaves: the file levels off below 1.3 times the plain one",
    arguments: [
      (256, [3_206_928, 3_206_928, 3_206_928, 3_206_928]),
      (520, [6_414_096, 8_552_208, 8_552_208, 8_552_208]),
      (1000, [10_690_320, 11_759_376, 11_759_376, 11_759_376]),
    ])
  func leaves(_ count: Int, _ expected: [Int]) throws {
    let lengths = try lengths(ofRows: count, Self.key)
    #expect(lengths == expected)
    let plain = try self.lengths(ofRows: count, nil)
    #expect(expected[3] * 10 <= plain[3] * 13)
  }

  @Test("the Realm preset, which gives each plain value a block, makes an encrypted file no longer")
  func realmPreset() throws {
    let lengths = try lengths(ofRows: 256, Self.key, .realmCompatible)
    #expect(
      lengths == [3_206_928, 4_275_984, 4_275_984, 4_275_984])
  }

  @Test("the limit is where two rows fill a unit, and a longer row has a block of its own")
  func limit() throws {
    let rows = Node.headerSize + 2 * (Node.entrySize(.int64, 0) + EncryptedLayout.inlineValueLimit)
    #expect(roundedUp(rows) == EncryptedLayout.adjacentEntries.unit)
    for (count, blocks) in [(1008, 1), (1009, 2)] {
      let bench = try Workbench()
      defer { withExtendedLifetime(bench) {} }
      var options = DatabaseOptions()
      options.encryptionKey = Self.key
      let database = try bench.open("data", options)
      try database.write { transaction, table in
        try transaction.put(table, 1, row(1, 0, count: count))
      }
      #expect(try database.checkedAudit().liveBlocks == blocks, "\(count) bytes")
    }
  }
}
