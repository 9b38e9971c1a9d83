// Transactions as values, so that a test, its model and another process can all make the same ones.

/// One change to a table of rows: the row's new bytes, or nil where it goes.
package struct RowChange: Sendable, Equatable {
  package let key: Int64
  package let value: [UInt8]?

  package init(key: Int64, value: [UInt8]?) {
    self.key = key
    self.value = value
  }
}

/// What a table should hold.
package typealias RowModel = [Int64: [UInt8]]

extension RowModel {
  /// The rows after these changes, made in order.
  package func applying(_ changes: [RowChange]) -> RowModel {
    var rows = self
    for change in changes { rows[change.key] = change.value }
    return rows
  }
}

/// An endless series of transactions, each determined by its number alone: the number found in a file determines
/// every byte that must be there.
package struct NumberedCommits: Sendable {
  /// The row that holds the number of the last transaction, in decimal digits.
  package static let counterKey: Int64 = -1
  private static let keys = 300

  package let seed: UInt64

  package init(seed: UInt64) { self.seed = seed }

  /// What transaction `number`, from 1 on, changes: up to 8 rows, one in four of them deleted, and the counter.
  package func changes(of number: Int) -> [RowChange] {
    var random = SeededRandom(seed: seed &+ UInt64(number) &* 0x2545_f491_4f6c_dd1d)
    var changes = (0..<1 + random.below(8)).map { _ in
      let key = Int64(random.below(Self.keys))
      let size = random.oneIn(10) ? random.below(20_000) : random.below(600)
      return RowChange(key: key, value: random.oneIn(4) ? nil : random.bytes(size))
    }
    changes.append(RowChange(key: Self.counterKey, value: Array(String(number).utf8)))
    return changes
  }

  /// The number that the counter row of `rows` holds; 0 before the first transaction, nil where it is no number.
  package static func number(in rows: RowModel) -> Int? {
    guard let digits = rows[counterKey] else { return rows.isEmpty ? 0 : nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
