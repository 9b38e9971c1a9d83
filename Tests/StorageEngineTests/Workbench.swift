// Shared by the tests of the engine: a temporary folder, databases in it, and bytes for rows.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

/// A folder for one test, removed with the object.
final class Workbench {
  let folder: FilePath

  init() throws { folder = try FileSystem.makeTemporaryFolder(prefix: "storage-engine") }
  deinit { try? FileSystem.removeTree(folder) }

  func path(_ name: String = "data") -> FilePath { folder.appending(name) }

  /// Options without syncs: the same bytes, faster.
  static let fast = DatabaseOptions(durability: .none)

  /// The same for sessions of one process that stand for processes: each replays what another has committed.
  static let asProcess: DatabaseOptions = {
    var options = fast
    options.takesOverState = false
    return options
  }()

  /// A new database in a file in memory.
  static func memory(_ change: (inout DatabaseOptions) -> Void = { _ in }) throws -> Database {
    var options = fast
    change(&options)
    return try Database.open(file: FaultyStorageFile(), options: options)
  }

  func open(
    _ name: String = "data", _ options: DatabaseOptions = fast,
    compactOnLaunch: ((LaunchUsage) -> Bool)? = nil
  ) throws -> Database {
    try Database.open(path: path(name), options: options, compactOnLaunch: compactOnLaunch)
  }
}

/// A value of `count` bytes that is determined by its key and generation.
func row(_ key: Int64, _ generation: Int, count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: Int(key) &* 31 &+ generation &* 7 &+ $0) }
}

extension WriteTransaction {
  func put(_ table: Table, _ key: Int64, _ value: [UInt8]) throws(StorageError) {
    try value.withBytes { (bytes) throws(StorageError) in try put(table, key, bytes) }
  }

  func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws(StorageError) {
    try key.withBytes { (key) throws(StorageError) in
      try value.withBytes { (value) throws(StorageError) in try put(table, key, value) }
    }
  }

  func delete(_ table: Table, _ key: [UInt8]) throws(StorageError) -> Bool {
    try key.withBytes { (key) throws(StorageError) in try delete(table, key) }
  }

  func value(_ table: Table, _ key: Int64) throws(StorageError) -> [UInt8]? {
    var found: [UInt8]?
    return try get(table, key) { found = Array($0) } ? found : nil
  }
}

extension Snapshot {
  func value(_ table: Table, _ key: Int64) throws(StorageError) -> [UInt8]? {
    var found: [UInt8]?
    return try get(table, key) { found = Array($0) } ? found : nil
  }

  func value(_ table: Table, _ key: [UInt8]) throws(StorageError) -> [UInt8]? {
    var found: [UInt8]?
    let isThere = try key.withBytes { (key) throws(StorageError) in
      try get(table, key) { found = Array($0) }
    }
    return isThere ? found : nil
  }

  /// All rows of a table keyed by Int64.
  func rows(_ table: Table) throws(StorageError) -> [(Int64, [UInt8])] {
    var rows: [(Int64, [UInt8])] = []
    _ = try scan(table) { rows.append(($0, Array($1))) }
    return rows
  }
}

extension Database {
  /// Commits one transaction.
  func write(_ body: (WriteTransaction, Table) throws -> Void) throws {
    let transaction = try beginWrite()
    do {
      try body(transaction, try transaction.table("rows"))
    } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
  }

  /// The records up to the newest commit, as the file has them.
  func recordChain() throws -> RecordChain {
    let store = try store
    let slot = try #require(
      CommitSlot(store.context.base, at: Layout.slotOffset(of: store.readers.newest.number)))
    return try RecordChain(slot, base: store.context.base)
  }

  /// The walk, with its violations as test failures.
  @discardableResult
  func checkedAudit(
    _ context: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SpaceAudit {
    let audit = try audit()
    if !audit.violations.isEmpty {
      Issue.record(
        "\(context()): \(audit.violations.prefix(5))", sourceLocation: sourceLocation)
    }
    #expect(audit.account == usage(), sourceLocation: sourceLocation)
    return audit
  }
}
