// The engines that the contract is asked of. An engine that joins the catalog joins this list.
import EngineInterface
import Glibc
import LMDBEngine
import MDBXEngine
import NativeEngine
import RealmCoreEngine
import SQLiteEngine
import SystemIO
import TestSupport
import Testing

/// One engine, shown by its name in the test's arguments.
struct EngineUnderTest: Sendable, CustomTestStringConvertible {
  let engine: any Engine

  var testDescription: String { engine.id }

  /// Every engine that keeps data. LMDB and SQLite must be on the machine that tests them; libmdbx, which no package of
  /// a system brings, may be missing, and a test says so; Realm Core is asked where its variable names a library.
  static let all =
    everywhere + [mdbx].compactMap { $0 }
    + (isRealmCoreNamed ? [EngineUnderTest(engine: try! RealmCoreEngine())] : [])

  static let isRealmCoreNamed = getenv("COMPACTION_LAB_REALM") != nil

  /// nil where libmdbx is not on this machine.
  static let mdbx = (try? MDBXEngine()).map { EngineUnderTest(engine: $0) }

  private static let everywhere = [
    EngineUnderTest(engine: NativeEngine.exact),
    EngineUnderTest(engine: NativeEngine.oldestReader),
    EngineUnderTest(engine: NativeEngine.objects),
    EngineUnderTest(engine: try! LMDBEngine()),
    EngineUnderTest(engine: try! SQLiteEngine()),
  ]

  /// Realm Core answers the launch callback after an empty commit of its own, in which its automatic compaction goes on.
  var commitsBeforeAsking: Bool { engine.id == RealmCoreEngine.id }

  /// Whether places of dead processes can be had back while the database is open.
  var freesDeadReaders: Bool { engine.id != RealmCoreEngine.id }

  static var supportingNever: [EngineUnderTest] {
    all.filter { $0.engine.capabilities.never.isSupported }
  }

  static var supportingAutomatic: [EngineUnderTest] {
    all.filter { $0.engine.capabilities.automatic.isSupported }
  }

  static var supportingOnLaunch: [EngineUnderTest] {
    all.filter { $0.engine.capabilities.onLaunch.isSupported }
  }

  /// Runs `body` with a session in a new folder, and closes it.
  func withSession<Result>(
    tables: [String] = ["rows"], durability: Durability = .none, automatic: Bool = false,
    _ body: (any EngineSession, FilePath) throws -> Result
  ) throws -> Result {
    try withTemporaryFolder { folder in
      let session = try open(
        folder, tables: tables, durability: durability, automatic: automatic)
      let result = try body(session, folder)
      try session.close()
      return result
    }
  }

  func open(
    _ folder: FilePath, tables: [String] = ["rows"], durability: Durability = .none,
    automatic: Bool = false
  ) throws -> any EngineSession {
    try engine.open(
      folder,
      SessionOptions(tables: tables, durability: durability, automaticCompaction: automatic)
    ).session
  }

  func file(in folder: FilePath) -> FilePath { folder.appending(engine.mainFile) }
}

extension EngineSession {
  /// One write transaction.
  func write<Result>(_ body: (any EngineTransaction) throws -> Result) throws -> Result {
    let transaction = try beginWrite()
    do {
      let result = try body(transaction)
      try transaction.commit()
      return result
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// One read transaction.
  func read<Result>(_ body: (any EngineSnapshot) throws -> Result) throws -> Result {
    let snapshot = try beginSnapshot(label: "test")
    defer { snapshot.end() }
    return try body(snapshot)
  }
}

extension EngineSnapshot {
  func value(_ key: Int64, table: TableIndex = 0) throws -> [UInt8]? {
    var found: [UInt8]?
    let isThere = try read(table, key) { found = Array($0) }
    #expect(isThere == (found != nil), "the answer and the callback disagree about key \(key)")
    return found
  }

  func rows(
    from key: Int64 = .min, limit: Int = .max, table: TableIndex = 0
  ) throws -> [Row] {
    var rows: [Row] = []
    let count = try scan(table, from: key, limit: limit) {
      rows.append(Row(key: $0, value: Array($1)))
    }
    #expect(count == rows.count)
    return rows
  }
}

extension EngineTransaction {
  func put(_ key: Int64, _ value: [UInt8], table: TableIndex = 0) throws {
    try value.withUnsafeBytes { try put(table, key, $0) }
  }

  func value(_ key: Int64, table: TableIndex = 0) throws -> [UInt8]? {
    var found: [UInt8]?
    let isThere = try read(table, key) { found = Array($0) }
    #expect(isThere == (found != nil), "the answer and the callback disagree about key \(key)")
    return found
  }
}

struct Row: Equatable {
  var key: Int64
  var value: [UInt8]
}
