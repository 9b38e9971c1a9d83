// Deleting most of the data, and inserting it again, in transactions of a given size: what a user's clean-up or sync does
// in one go, before clients run.
import EngineInterface
import SystemIO

struct BulkChanges {
  var recorder: Recorder
  var session: any EngineSession
  /// Rows in one transaction.
  var batch: Int

  /// Virtual time moves as for a writer with this rate.
  private static let rate = 100.0

  /// Deletes the share of the table's rows, spread evenly over them in order of insertion.
  func delete(_ share: Double, of table: TableState) throws {
    let millionths = Int((share * 1_000_000).rounded())
    let keys = table.keys.removeAll { rank in
      (rank + 1) * millionths / 1_000_000 > rank * millionths / 1_000_000
    }
    try inBatches(keys) { transaction, key, _ throws(EngineError) in
      let found = try transaction.delete(table.index, key)
      try table.expect(found, key)
    }
  }

  /// Inserts the rows that are missing from those that the table began with.
  func refill(_ table: TableState, _ values: inout ValueWriter) throws {
    let keys = table.keys.missing(below: table.spec.rows)
    for key in keys { table.keys.append(key) }
    try inBatches(keys) { transaction, key, work throws(EngineError) in
      let value = values.next()
      try transaction.put(table.index, key, value)
      work.requestedBytes += MemoryLayout<Int64>.size + value.count
    }
  }

  private func inBatches(
    _ keys: [Int64],
    _ body: (any EngineTransaction, Int64, inout CommittedWork) throws(EngineError) -> Void
  ) throws {
    var rest = keys[...]
    while !rest.isEmpty {
      let start = Clock.monotonicNanoseconds()
      var work = CommittedWork(pace: .rate(Self.rate, think: .zero))
      let transaction = try session.beginWrite()
      do {
        for key in rest.prefix(batch) { try body(transaction, key, &work) }
        try transaction.commit()
      } catch {
        transaction.rollBack()
        throw error
      }
      work.operations = min(batch, rest.count)
      work.nanoseconds = Clock.monotonicNanoseconds() - start
      try recorder.committed(work, session)
      rest = rest.dropFirst(batch)
    }
  }
}
