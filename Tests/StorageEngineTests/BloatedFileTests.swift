// Updates in a file of which a third and more is free, in holes between values that stay: where leaves and records lie decides
// how many pages a commit writes.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Bloated files")
struct BloatedFileTests {
  private static let rows = Int64(3000)

  /// 3,000 rows in leaves, which are updated, and 5,000 values of 600 bytes with a hole behind each.
  private func bloated() throws -> Database {
    let database = try Workbench.memory { $0.growthStep = 1 << 16 }
    try database.write { transaction, table in
      for key in 0..<Self.rows { try transaction.put(table, key, row(key, 0, count: 256)) }
    }
    try database.write { transaction, table in
      for key in Int64(10_000)..<20_000 {
        try transaction.put(table, key, row(key, 0, count: 600))
      }
    }
    try database.write { transaction, table in
      for key in Int64(10_000)..<20_000 where key % 2 == 0 {
        _ = try transaction.delete(table, key)
      }
    }
    return database
  }

  /// Commits of ten updates. Returns the pages with blocks that each of them wrote, added up.
  private func update(
    _ database: Database, commits: Range<Int>, _ random: inout SeededRandom
  ) throws -> Int {
    var pages = 0
    for commit in commits {
      try database.write { transaction, table in
        for _ in 0..<10 {
          let key = Int64(random.below(Int(Self.rows)))
          try transaction.put(table, key, row(key, commit, count: 256))
        }
      }
      pages += try pagesOfNewestCommit(database)
    }
    return pages
  }

  private func pagesOfNewestCommit(_ database: Database) throws -> Int {
    var pages: Set<Int> = []
    for extent in try database.recordChain().newest.allocated {
      pages.formUnion(extent.offset / Layout.pageSize...(extent.end - 1) / Layout.pageSize)
    }
    return pages.count
  }

  @Test("500 commits of ten updates write blocks to 11.5 pages each, and the file keeps its length")
  func pages() throws {
    let database = try bloated()
    let length = database.usage().file
    #expect(database.usage().free > length / 3)
    var random = SeededRandom(seed: 1)
    _ = try update(database, commits: 1..<1000, &random)
    let pages = try update(database, commits: 1000..<1500, &random)
    // 6,669 if leaves go into holes of their size and records behind inner nodes.
    #expect(pages == 5734)
    #expect(database.usage().file == length)
    try database.checkedAudit()
  }
}
