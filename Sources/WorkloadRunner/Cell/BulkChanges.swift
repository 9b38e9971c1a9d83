// Deletes a share of the rows, or inserts missing ones again, in transactions of a given size, before the clients of a phase
// run: the work of a user's clean-up or of a sync.
import EngineInterface
import Generators
import ScenarioModel
import SystemIO

struct BulkChanges {
  var recorder: Recorder
  var session: any EngineSession
  var phase: PhaseSpec

  /// Deletes the phase's share of the table's rows. `which` selects them; `stream` draws them if they are random.
  func delete(
    from table: TableState, _ which: DeletedRows, _ stream: inout RandomStream
  ) throws {
    let count = phase.deletions(of: table.keys.count)
    let keys =
      switch which {
      case .spread:
        table.keys.removeAll { rank in phase.deletions(of: rank + 1) > phase.deletions(of: rank) }
      case .first: table.keys.removeAll { $0 < count }
      case .random: randomKeys(count, of: table, &stream)
      }
    try inBatches(keys) { transaction, key, _ throws(EngineError) in
      try table.delete(transaction, key)
    }
  }

  /// Removes random keys and returns them in the order in which they were drawn.
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

  /// Inserts the missing rows of those that the table began with.
  func refill(
    _ table: TableState, _ values: inout ValueWriter, _ parts: inout PartsChooser?
  ) throws {
    let keys = table.keys.missing(below: table.spec.rows)
    for key in keys { table.keys.append(key) }
    try inBatches(keys) { transaction, key, work throws(EngineError) in
      let value = values.next()
      let partBytes = try table.put(transaction, key, value, &parts, among: table.keys)
      work.requestedBytes += MemoryLayout<Int64>.size + value.count + partBytes
    }
  }

  private func inBatches(
    _ keys: [Int64],
    _ body: (any EngineTransaction, Int64, inout CommittedWork) throws(EngineError) -> Void
  ) throws {
    var rest = keys[...]
    let batch = phase.deleteBatch
    for _ in 0..<phase.bulkTransactions(for: keys.count) {
      let start = Clock.monotonicNanoseconds()
      var work = CommittedWork(pace: .rate(PhaseSpec.bulkRate, think: .zero))
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
      try recorder.record(commit: work, session)
      rest = rest.dropFirst(batch)
    }
  }
}
