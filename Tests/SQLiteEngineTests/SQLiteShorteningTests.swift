// Cutting the file when it is asked for (auto_vacuum = INCREMENTAL), and how full pages are.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import SQLiteEngine

@Suite("SQLite's file, shortened on demand")
struct SQLiteShorteningTests {
  private func open(
    _ folder: FilePath, shortenable: Bool = true, automatic: Bool = false,
    journal: JournalMode? = nil
  ) throws -> any EngineSession {
    var options = SessionOptions(tables: ["rows"], automaticCompaction: automatic)
    options.isShortenable = shortenable
    options.busyTimeout = 0
    options.log = journal.map { LogSettings(journal: $0) }
    return try SQLiteEngine().open(folder, options).session
  }

  /// Many rows of which most are deleted again.
  private func churn(_ session: any EngineSession) throws {
    let transaction = try session.beginWrite()
    for key in Int64(0)..<3000 {
      try [UInt8](repeating: 7, count: 900).withUnsafeBytes { try transaction.put(0, key, $0) }
    }
    try transaction.commit()
    let other = try session.beginWrite()
    for key in Int64(0)..<2500 { _ = try other.delete(0, key) }
    try other.commit()
  }

  @Test("commits cut nothing; asked for, so much is cut as was named, and then all that is free")
  func shortens() throws {
    for journal in [JournalMode.writeAhead, .delete] {
      try withTemporaryFolder { folder in
        let session = try open(folder, journal: journal)
        try churn(session)
        let full = try session.spaceUsage()
        let free = try #require(full.free)
        #expect(2 * free > full.file)
        #expect(session.drainEvents().isEmpty)
        let step = 100 * Connection.pageSize
        let first = try #require(try session.capability((any Shortenable).self)?.shorten(by: step))
        #expect(first.before == full.file)
        #expect(first.before - first.after >= step)
        // A page of pointers may go with the pages that it was for.
        #expect(first.before - first.after <= step + Connection.pageSize)
        try #expect(session.spaceUsage().file == first.after)
        let none = try #require(try session.capability((any Shortenable).self)?.shorten(by: .zero))
        #expect(none.before == none.after && none.rewritten == .zero)
        let all = try #require(try session.capability((any Shortenable).self)?.shorten(by: nil))
        let left = try session.spaceUsage()
        #expect(left.free == .zero && left.file == all.after)
        #expect(left.live == full.live)
        #expect(all.rewritten == all.before - all.after)
        let snapshot = try session.beginSnapshot(label: "after")
        try #expect(snapshot.count(0) == 500)
        snapshot.end()
        try session.close()
        try #expect(
          FileSystem.size(of: folder.appending("data.sqlite")).bytes == all.after.bytes)
      }
    }
  }

  @Test("a file that was not laid out for it is not shortened, and cannot be had so afterwards")
  func notLaidOut() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, shortenable: false)
      try churn(session)
      let full = try session.spaceUsage().file
      #expect(try session.capability((any Shortenable).self)?.shorten(by: nil) == nil)
      try #expect(session.spaceUsage().file == full)
      try session.close()
      let error = #expect(throws: EngineError.self) { try open(folder) }
      #expect(error?.code == .unsupported)
    }
  }

  @Test("auto_vacuum is full or incremental, and a file of the one may be opened as the other")
  func bothWays() throws {
    try withTemporaryFolder { folder in
      let error = #expect(throws: EngineError.self) { try open(folder, automatic: true) }
      #expect(error?.code == .unsupported)
      let made = try open(folder)
      try churn(made)
      try made.close()
      let full = try open(folder, shortenable: false, automatic: true)
      try #expect(full.spaceUsage().free == .zero)
      #expect(try full.capability((any Shortenable).self)?.shorten(by: nil) == nil)
      try full.close()
      let again = try open(folder)
      #expect(try again.capability((any Shortenable).self)?.shorten(by: nil) != nil)
      try again.close()
    }
  }

  @Test("with a rollback journal a reader keeps the file from being cut, and is told of as busy")
  func reader() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, journal: .delete)
      try churn(session)
      let snapshot = try session.beginSnapshot(label: "reader")
      let error = #expect(throws: EngineError.self) {
        try session.capability((any Shortenable).self)?.shorten(by: nil)
      }
      #expect(error?.code == .busy)
      try #expect(snapshot.count(0) == 500)
      snapshot.end()
      let done = try #require(try session.capability((any Shortenable).self)?.shorten(by: nil))
      #expect(done.after < done.before)
      try session.close()
    }
  }

  @Test("the pages of each table are told with what is in them, as far as this SQLite can")
  func statistics() throws {
    try withTemporaryFolder { folder in
      var options = SessionOptions(tables: ["rows", "other", "empty"])
      options.busyTimeout = 0
      let session = try SQLiteEngine().open(folder, options).session
      let transaction = try session.beginWrite()
      for key in Int64(0)..<1000 {
        try [UInt8](repeating: 7, count: 500).withUnsafeBytes { try transaction.put(0, key, $0) }
      }
      for key in Int64(0)..<3 {
        try [UInt8](repeating: 7, count: 20_000).withUnsafeBytes { try transaction.put(1, key, $0) }
      }
      try transaction.commit()
      let live = try #require(session.spaceUsage().live)
      switch try session.require((any PageInspecting).self, for: "page statistics").pageStatistics()
      {
      case .absent(let reason): #expect(reason.contains("SQLITE_ENABLE_DBSTAT_VTAB"))
      case .tables(let tables):
        #expect(tables.map(\.table) == ["rows", "other", "empty"])
        for table in tables {
          #expect(
            table.bytes
              == (table.innerPages + table.leafPages + table.overflowPages) * Connection.pageSize)
          #expect(table.payload + table.unused < table.bytes)
        }
        #expect(tables[0].payload >= ByteCount(1000 * 500))
        #expect(tables[0].overflowPages == 0 && tables[0].innerPages > 0)
        #expect(tables[1].overflowPages >= 3 * 4)
        #expect(tables[2].leafPages == 1 && tables[2].payload == .zero)
        // All but the table of tables.
        let schema = live - tables.reduce(ByteCount.zero) { $0 + $1.bytes }
        #expect(schema == Connection.pageSize)
      }
      try session.close()
    }
  }
}
