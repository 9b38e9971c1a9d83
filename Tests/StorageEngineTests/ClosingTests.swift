// What closing leaves on disk when the last commit's record is long: the truncation must leave space for it.
import SystemIO
import Testing

@testable import StorageEngine

@Suite("Closing")
struct ClosingTests {
  /// Without automatic compaction, which would raise the limit step by step.
  private static let fixed: DatabaseOptions = {
    var options = Workbench.fast
    options.automaticCompaction = nil
    return options
  }()

  private static func name(_ table: Int) -> String {
    String(repeating: "t", count: 200) + "\(table)"
  }

  @Test(
    "a record that does not fit below the new end does not prevent the truncation",
    arguments: [1, 10, 30, 300, 3000])
  func longRecords(tables: Int) throws {
    let bench = try Workbench()
    let database = try bench.open("data", Self.fixed)
    let transaction = try database.beginWrite()
    // Each record names all tables, and after one commit nothing is free but the file's end.
    for table in 0..<tables {
      _ = try transaction.table(Self.name(table))
    }
    try transaction.commit()
    try database.close()
    let again = try bench.open("data", Self.fixed)
    try again.checkedAudit()
    let account = again.usage()
    let snapshot = try again.beginSnapshot()
    for table in 0..<tables { #expect(snapshot.table(Self.name(table)) != nil) }
    snapshot.end()
    // The length of one record, and of a page for each end that is rounded.
    #expect(account.free < 3 * Layout.pageSize + 220 * tables)
    try again.close()
    #expect(account.file == (try FileSystem.size(of: bench.path()).bytes))
  }

  @Test(
    "the record mentions no compaction when the limit of closing is given up")
  func limitOfClosing() throws {
    let bench = try Workbench()
    let database = try bench.open("data", Self.fixed)
    try database.write { transaction, table in
      for key in Int64(0)..<100 { try transaction.put(table, key, row(key, 0, count: 100)) }
    }
    let store = try database.store
    let transaction = try database.beginWrite()
    // Nothing is free below: the blocks lie side by side from the front.
    try transaction.writer.pointee.allocator.space.setLimit(Layout.blocksStart)
    try transaction.put(try transaction.table("rows"), 1, row(1, 1, count: 100))
    try transaction.commit()
    var access = try store.acquireWriteLock()
    access.writer.allocator.space.setLimit(Int.max)
    _ = consume access
    #expect(try database.stage == .idle)
    try database.close()
    let again = try bench.open()
    #expect(try again.checkedAudit().rows == 100)
    #expect(try again.stage == .idle)
  }
}
