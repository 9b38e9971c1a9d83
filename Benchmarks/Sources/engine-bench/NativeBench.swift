// The storage engine of this project, by its public calls.
import BenchSupport
import StorageEngine

final class NativeBench: BenchEngine {
  let name = "native"
  let modes = CommitMode.allCases
  let readsInParallel = true
  private let path: String
  private let allocation: Allocation
  private var mode = CommitMode.durable
  private var database: Database
  private var table: Table?

  init(folder: String, allocation: Allocation) throws {
    path = folder + "/native.db"
    self.allocation = allocation
    database = try Database.open(
      path: .init(path), options: Self.options(.durable, allocation))
  }

  private static func options(_ mode: CommitMode, _ allocation: Allocation) -> DatabaseOptions {
    DatabaseOptions(
      durability: mode == .unsynced ? .none : .full, allocation: allocation,
      verifiedCommitLimit: mode == .twoSyncs ? 0 : 4 << 20)
  }

  var files: [String] { [path] }
  var account: SpaceAccount { database.usage() }
  func freeExtents() throws -> Int { try database.audit().freeExtents }

  func load(_ keys: Range<Int64>, value: UnsafeRawBufferPointer) throws {
    let transaction = try database.beginWrite()
    let table = try transaction.table("rows")
    for key in keys { try transaction.put(table, key, value) }
    try transaction.commit()
    self.table = table
  }

  func setMode(_ mode: CommitMode) throws {
    guard mode != self.mode else { return }
    self.mode = mode
    try close()
    try reopen()
  }

  func reopen() throws {
    database = try Database.open(path: .init(path), options: Self.options(mode, allocation))
  }

  /// Finds the table of a file that was loaded before.
  func find() throws {
    let snapshot = try database.beginSnapshot()
    table = snapshot.table("rows")
    snapshot.end()
  }

  func update(_ keys: [Int64], value: UnsafeRawBufferPointer) throws {
    let transaction = try database.beginWrite()
    for key in keys { try transaction.put(table!, key, value) }
    try transaction.commit()
  }

  func delete(_ keys: [Int64]) throws {
    let transaction = try database.beginWrite()
    for key in keys { _ = try transaction.delete(table!, key) }
    try transaction.commit()
  }

  func read(_ keys: [Int64]) throws -> UInt64 {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    let table = table!
    var total: UInt64 = 0
    for key in keys {
      guard try snapshot.get(table, key, { total &+= sum($0) }) else {
        throw BenchError(description: "native: row \(key) is missing")
      }
    }
    return total
  }

  func scan() throws -> UInt64 {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    var total: UInt64 = 0
    _ = try snapshot.scan(table!) { total &+= sum($1) }
    return total
  }

  func close() throws { try database.close() }
}
