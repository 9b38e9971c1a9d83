// Rows for the tests of the WiredTiger adapter, and what they ask of a session that the contract does not have.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import WiredTigerEngine

/// Whether this machine has WiredTiger; the tests of the adapter are skipped where it does not.
let hasWiredTiger = (try? WiredTigerEngine()) != nil

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

  /// Writes rows of random bytes, in transactions of a hundred.
  func fill(_ keys: some Sequence<Int>, bytes: Int, seed: UInt64 = 1) throws {
    var random = SeededRandom(seed: seed)
    var rest = Array(keys)[...]
    while !rest.isEmpty {
      try write { transaction in
        for key in rest.prefix(100) {
          try random.bytes(bytes).withUnsafeBytes { try transaction.put(0, Int64(key), $0) }
        }
      }
      rest = rest.dropFirst(100)
    }
  }

  func delete(_ keys: some Sequence<Int>) throws {
    try write { transaction in
      for key in keys { _ = try transaction.delete(0, Int64(key)) }
    }
  }

  func count() throws -> Int {
    let snapshot = try beginSnapshot(label: "count")
    defer { snapshot.end() }
    return try snapshot.count(0)
  }

  var tiger: WiredTigerDatabase {
    get throws { try #require(self as? WiredTigerSession).openDatabase() }
  }
}

extension WiredTigerEngine {
  func session(
    _ folder: FilePath, automatic: Bool = false, durability: Durability = .none,
    inBackground: Bool = false
  ) throws -> any EngineSession {
    try open(
      folder,
      SessionOptions(
        tables: ["rows"], durability: durability, automaticCompaction: automatic,
        worksInBackground: inBackground)
    ).session
  }
}
