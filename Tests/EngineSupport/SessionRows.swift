// Rows for the tests of adapters, through the contract.
package import EngineInterface
import TestSupport

extension EngineSession {
  /// One write transaction.
  package func write<Result>(_ body: (any EngineTransaction) throws -> Result) throws -> Result {
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
  package func fill(_ keys: some Sequence<Int>, bytes: Int, seed: UInt64 = 1) throws {
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

  package func delete(_ keys: some Sequence<Int>) throws {
    try write { transaction in
      for key in keys { _ = try transaction.delete(0, Int64(key)) }
    }
  }

  package func count() throws -> Int {
    let snapshot = try beginSnapshot(label: "count")
    defer { snapshot.end() }
    return try snapshot.count(0)
  }
}
