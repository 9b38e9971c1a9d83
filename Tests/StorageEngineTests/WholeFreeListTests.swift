// The free list as Realm Core writes it: whole, in one piece, with each commit.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Free list in one piece")
struct WholeFreeListTests {
  private func update(_ database: Database, _ random: inout SeededRandom, _ commit: Int) throws {
    try database.write { transaction, table in
      for _ in 0..<40 {
        let key = Int64(random.below(6000))
        try transaction.put(table, key, row(key, commit, count: 16 + random.below(400)))
      }
    }
  }

  private func loaded(_ options: DatabaseOptions) throws -> Database {
    let database = try Workbench.memory { unsynced in
      unsynced = options
      unsynced.durability = .none
      // Each value is a block of its own, so that many small extents become free.
      unsynced.inlineValueLimit = 0
      unsynced.growthStep = 64 << 10
    }
    try database.write { transaction, table in
      for key in Int64(0)..<6000 { try transaction.put(table, key, row(key, 0, count: 200)) }
    }
    return database
  }

  @Test("under the Realm preset each commit's record has the whole free list, in one piece")
  func onePiece() throws {
    let database = try loaded(.realmCompatible)
    var random = SeededRandom(seed: testSeed())
    var longest = 0
    for commit in 1...150 {
      try update(database, &random, commit)
      let chain = try database.recordChain()
      #expect(chain.count == 1, "commit \(commit)")
      let pieces = chain.pieces(ofRecord: 0)
      for (piece, next) in zip(pieces, pieces.dropFirst()) { #expect(piece.end == next.offset) }
      let replay = try chain.freeSpace(pinnedBy: ReclamationRule(.exact, []))
      #expect(replay.free.bytes == database.usage().free)
      longest = max(longest, pieces.count)
    }
    // Otherwise one piece would be no more than the format's.
    #expect(longest > 1)
    try database.checkedAudit()
  }

  /// For each of 40 commits, how many of its blocks lie where the commit one or two before it has freed something.
  private func reuse(pinned isPinned: Bool) throws -> (afterOne: Int, afterTwo: Int) {
    let database = try loaded(.realmCompatible)
    var random = SeededRandom(seed: testSeed())
    let pin = isPinned ? try database.beginSnapshot() : nil
    defer { pin?.end() }
    var freed: [[Extent]] = []
    var (afterOne, afterTwo) = (0, 0)
    for commit in 1...40 {
      try update(database, &random, commit)
      let record = try database.recordChain().newest
      func blocks(in extents: [Extent]) -> Int {
        record.allocated.count { block in
          extents.contains { $0.offset < block.end && block.offset < $0.end }
        }
      }
      if let last = freed.last { afterOne += blocks(in: last) }
      if freed.count > 1 { afterTwo += blocks(in: freed[freed.count - 2]) }
      freed.append(record.freed.map(\.extent) + record.freedMetadata)
    }
    try database.checkedAudit()
    return (afterOne, afterTwo)
  }

  @Test("under a pin what a commit freed is used two commits later, without one by the next")
  func delayedReuse() throws {
    let pinned = try reuse(pinned: true)
    #expect(pinned.afterOne == 0 && pinned.afterTwo > 0)
    #expect(try reuse(pinned: false).afterOne > 0)
  }

  /// Entries and bytes of the list in a file that Realm Core 14.14 wrote under a pin, without the top array.
  @Test("a list has the bytes that Realm Core's three arrays have")
  func sameBytes() {
    let list = WholeFreeList(
      entryCount: 58_361, end: 51_380_224, maxExtentSize: 2_270_000, version: 5398)
    #expect(list.writtenBytes == 583_648)
    #expect(list.reservedBytes == 104 + 16 * 58_371 + 8)
  }

  @Test("a file written under a long pin is longer with whole free lists")
  func longerUnderPin() throws {
    var differences = DatabaseOptions.realmCompatible
    differences.freeListRecords = .differences
    var lengths: [Int] = []
    for options in [DatabaseOptions(), differences, .realmCompatible] {
      let database = try loaded(options)
      let pin = try database.beginSnapshot()
      var random = SeededRandom(seed: 1)
      for commit in 1...600 { try update(database, &random, commit) }
      lengths.append(database.usage().file)
      pin.end()
    }
    // Nearly half as long again as with the defaults: the list needs several times its length in long extents.
    #expect(lengths == [3_211_264, 3_211_264, 4_657_152])
  }
}
