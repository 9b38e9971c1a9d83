// The work of all processes on one table: numbered transactions. Each transaction reads the last number and makes the changes
// of the next, so that the rows do not depend on which process commits, and a commit that is lost, torn or made twice shows in
// the rows.
import EngineInterface
import TestSupport

extension EngineSession {
  /// Makes the transaction that follows the newest one.
  func commitNext(_ series: NumberedCommits) throws(EngineError) {
    try write { transaction throws(EngineError) in
      var digits: [UInt8] = []
      _ = try transaction.read(0, NumberedCommits.counterKey) { digits = Array($0) }
      let number = (Int(String(decoding: digits, as: UTF8.self)) ?? 0) + 1
      try transaction.make(series.changes(of: number))
    }
  }

  /// Makes these changes in one transaction.
  func commit(_ changes: [RowChange]) throws(EngineError) {
    try write { transaction throws(EngineError) in try transaction.make(changes) }
  }

  private func write(
    _ body: (any EngineTransaction) throws(EngineError) -> Void
  ) throws(EngineError) {
    let transaction = try beginWrite()
    do throws(EngineError) {
      try body(transaction)
      try transaction.commit()
    } catch {
      transaction.rollBack()
      throw error
    }
  }
}

extension EngineTransaction {
  fileprivate func make(_ changes: [RowChange]) throws(EngineError) {
    for change in changes {
      guard let value = change.value else {
        _ = try delete(0, change.key)
        continue
      }
      let made: Result<Void, EngineError> = value.withUnsafeBytes { bytes in
        Result { () throws(EngineError) in try put(0, change.key, bytes) }
      }
      try made.get()
    }
  }
}

extension EngineSnapshot {
  /// The number of the version that this sees; 0 before the first. Its own transaction's rows must be as the number says.
  func check(_ series: NumberedCommits) throws -> Int {
    guard let digits = try value(NumberedCommits.counterKey) else { return 0 }
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else {
      throw SoakError("the counter is no number: \(digits)")
    }
    let changes = series.changes(of: number)
    let wanted = RowModel().applying(changes)
    for change in changes where try value(change.key) != wanted[change.key] {
      throw SoakError("row \(change.key) is not of commit \(number), which is the newest here")
    }
    return number
  }

  /// All rows that the soak changes, as one number that depends on each of their bytes.
  func digest() throws(EngineError) -> UInt64 {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    _ = try scan(0, from: NumberedCommits.counterKey, limit: .max) { key, bytes in
      digest = (digest ^ UInt64(bitPattern: key)) &* 0x100_0000_01b3
      for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return digest
  }

  func rows() throws(EngineError) -> RowModel {
    var rows: RowModel = [:]
    _ = try scan(0, from: .min, limit: .max) { rows[$0] = Array($1) }
    return rows
  }

  private func value(_ key: Int64) throws(EngineError) -> [UInt8]? {
    var found: [UInt8]?
    return try read(0, key) { found = Array($0) } ? found : nil
  }
}
