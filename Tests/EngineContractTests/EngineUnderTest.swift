// The engines that the contract is asked of: those of the catalog that keep data.
import EngineInterface
import Engines
import MetricModel
import SystemIO
import TestSupport
import Testing

/// One engine, shown by its name in the test's arguments.
struct EngineUnderTest: Sendable, CustomTestStringConvertible {
  let engine: any Engine

  var testDescription: String { engine.id }

  /// Every engine that keeps data. The library of an optional engine may be missing, and a test says so; all others must
  /// be on the machine that tests them.
  static let all = EngineCatalog.entries.filter(\.declared.keepsRows).compactMap { entry in
    entry.id.isOptional
      ? (try? entry.open()).map { EngineUnderTest(engine: $0) }
      : EngineUnderTest(engine: try! entry.open())
  }

  /// The engine of that name, for a process that was given no more than the name.
  static func named(_ id: String) throws -> EngineUnderTest {
    try #require(all.first { $0.engine.id == id })
  }

  static var supportingNever: [EngineUnderTest] {
    all.filter { $0.engine.capabilities.never.isSupported }
  }

  static var supportingAutomatic: [EngineUnderTest] {
    all.filter { $0.engine.capabilities.automatic.isSupported }
  }

  static var supportingOnLaunch: [EngineUnderTest] {
    all.filter { $0.engine.capabilities.onLaunch.isSupported }
  }

  static var supportingOtherProcesses: [EngineUnderTest] {
    all.filter { $0.engine.capabilities.otherProcesses.isSupported }
  }

  /// The engines whose data is in one file: what its length is limited to limits the database, and a part of it is a part
  /// of the database. `RocksDBEngineTests` holds the other one to the same.
  static let inOneFile = all.filter { test in
    (try? test.withSession { _, folder in FileSystem.isFile(test.file(in: folder)) }) ?? true
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
