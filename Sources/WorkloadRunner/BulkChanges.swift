// Deleting most of the data, and inserting it again, in transactions of a given size: what a user's clean-up or sync does
// in one go, before clients run.
import EngineInterface
import Generators
import ScenarioModel
import SystemIO

struct BulkChanges {
  var recorder: Recorder
  var session: any EngineSession
  /// Rows in one transaction.
  var batch: Int

  /// Virtual time moves as for a writer with this rate.
  private static let rate = 100.0

  /// Deletes the share of the table's rows, whichever are to go; `stream` draws them where they are random.
  func delete(
    _ share: Double, of table: TableState, _ which: DeletedRows, _ stream: inout RandomStream
  ) throws {
    let millionths = Int((share * 1_000_000).rounded())
    let count = table.keys.count * millionths / 1_000_000
    let keys =
      switch which {
      case .spread:
        table.keys.removeAll { rank in
          (rank + 1) * millionths / 1_000_000 > rank * millionths / 1_000_000
        }
      case .first: table.keys.removeAll { $0 < count }
      case .random: randomKeys(count, of: table, &stream)
      }
    try inBatches(keys) { transaction, key, _ throws(EngineError) in
      let found = try transaction.delete(table.index, key)
      try table.expect(found, key)
    }
  }

  /// In the order in which they were drawn: a random row each time.
  private func randomKeys(
    _ count: Int, of table: TableState, _ stream: inout RandomStream
  ) -> [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(count)
    while keys.count < count {
      keys.append(table.keys.remove(rank: stream.next(below: table.keys.count)))
    }
    return keys
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
