// A database as an app leaves it: rows that came in order, of which some were purged together, and then small transactions that
// update and replace rows at random, so that neighbors by their keys are no longer neighbors in the file.
import Calibration
import EngineInterface
import Generators
import SystemIO

struct UsedDatabase {
  let engine: any Engine
  let file: CalibrationDesign.PlannedFile
  let table: String
  let seed: UInt64
  let index: Int

  private static let rowsOfBatch = 4096
  /// Rows that are purged together: neighbors, so that whole pages become free.
  private static let purgedTogether = 64
  /// Rows that a transaction of the app writes, unless there would be more than `maxTransactions`.
  private static let rowsOfTransaction = 32
  private static let maxTransactions = 8192
  /// One in so many writes deletes a row and inserts another.
  private static let replacedStride = 4

  private var rowCount: Int { max(1, file.file.bytes / CalibrationDesign.rowBytes) }

  private func stream(_ label: String) -> RandomStream {
    RandomStream(seed: seed, label: "calibration \(label)", index: index)
  }

  /// Makes the database in the folder, and closes it.
  func make(in folder: FilePath) throws {
    try FileSystem.makeFolders(folder)
    let session = try engine.open(
      folder, SessionOptions(tables: [table], durability: .none)
    ).session
    var rows = RowWriter(
      values: ValueSource(seed: seed, label: "calibration values", index: index),
      sizes: stream("sizes"))
    try insert(into: session, &rows)
    var keys = try purge(session)
    try use(session, &keys, &rows)
    try session.close()
  }

  /// Inserts rows until they have the bytes of the file.
  private func insert(into session: any EngineSession, _ rows: inout RowWriter) throws {
    for first in stride(from: 0, to: rowCount, by: Self.rowsOfBatch) {
      let transaction = try session.beginWrite()
      for key in first..<min(rowCount, first + Self.rowsOfBatch) {
        try rows.put(Int64(key), in: transaction)
      }
      try transaction.commit()
    }
  }

  /// Deletes so many rows that the live share is left, and returns the keys of those.
  private func purge(_ session: any EngineSession) throws -> [Int64] {
    let groupCount = (rowCount + Self.purgedTogether - 1) / Self.purgedTogether
    var groups = Array(0..<groupCount)
    var stream = stream("deletions")
    stream.shuffle(&groups)
    let purgedCount = Int(Double(groupCount) * (1 - file.liveShare))
    func keys(_ groups: ArraySlice<Int>) -> [Int64] {
      groups.sorted().flatMap { group -> [Int64] in
        let start = group * Self.purgedTogether
        return (start..<min(rowCount, start + Self.purgedTogether)).map(Int64.init)
      }
    }
    let purged = keys(groups[..<purgedCount])
    for first in stride(from: 0, to: purged.count, by: Self.rowsOfBatch) {
      let transaction = try session.beginWrite()
      for key in purged[first..<min(purged.count, first + Self.rowsOfBatch)] {
        _ = try transaction.delete(0, key)
      }
      try transaction.commit()
    }
    return keys(groups[purgedCount...])
  }

  /// Writes as many rows as there are, each at random.
  private func use(
    _ session: any EngineSession, _ keys: inout [Int64], _ rows: inout RowWriter
  ) throws {
    guard !keys.isEmpty else { return }
    var stream = stream("writes")
    var nextKey = Int64(rowCount)
    let length = max(Self.rowsOfTransaction, keys.count / Self.maxTransactions)
    for first in stride(from: 0, to: keys.count, by: length) {
      let transaction = try session.beginWrite()
      for write in first..<min(keys.count, first + length) {
        let chosen = stream.next(below: keys.count)
        if write % Self.replacedStride == 0 {
          _ = try transaction.delete(0, keys[chosen])
          keys[chosen] = nextKey
          nextKey += 1
        }
        try rows.put(keys[chosen], in: transaction)
      }
      try transaction.commit()
    }
  }
}

/// Writes rows of random sizes.
private struct RowWriter {
  let values: ValueSource
  var sizes: RandomStream

  private static let size =
    CalibrationDesign.rowBytes / 5...CalibrationDesign.rowBytes * 9 / 5

  mutating func put(_ key: Int64, in transaction: any EngineTransaction) throws {
    try values.withValue(size: sizes.next(in: Self.size)) { bytes throws(EngineError) in
      try transaction.put(0, key, bytes)
    }
  }
}
