// The figures of one client of lookups while a repetition runs.
import RecordModel

/// What a thread of lookups did in a phase, beside its latencies.
struct LookupWork {
  var operations = 0
  /// Reads that found no row.
  var missing = 0
  /// From its first transaction to the end of its last, by the machine's clock.
  var nanoseconds: UInt64 = 0
  /// Whether the engine stores rows at all.
  var storesRows = true
}

struct LookupHistograms {
  private var service = LatencyHistogram()
  private var intended: LatencyHistogram?

  mutating func add(_ transaction: LookupTransaction) {
    service.record(Int(transaction.service))
    if let time = transaction.intended {
      if intended == nil { intended = LatencyHistogram() }
      intended?.record(Int(time))
    }
  }

  func span(operations: Int, nanoseconds: Int?) -> LookupSpan {
    LookupSpan(
      transactions: service.count, operations: operations, nanoseconds: nanoseconds,
      service: service.percentiles, intended: intended?.percentiles ?? .none)
  }
}

/// A class, so that what a thread passes on is added in its place: a copy for each would be made under a lock that all threads
/// take.
final class LookupClientFigures {
  private struct Thread {
    var latencies = LookupHistograms()
    var operations = 0
    var nanoseconds = 0
  }

  private var threads: [Thread] = []
  private var together = LookupHistograms()
  /// By the number of the stage; nil for one that no transaction began in.
  private var stages = [LookupHistograms?](repeating: nil, count: CompactionStage.allCases.count)
  private var stageOperations = [Int](repeating: 0, count: CompactionStage.allCases.count)
  private var missing: Int?
  var snapshotCommits = LatencyHistogram()
  var rate: Double?
  var maximumRate: Double?

  func makeThread(_ number: Int) {
    while threads.count <= number { threads.append(Thread()) }
  }

  func add(_ transaction: LookupTransaction, thread: Int) {
    threads[thread].latencies.add(transaction)
    together.add(transaction)
    let stage = transaction.stage.rawValue
    if stages[stage] == nil { stages[stage] = LookupHistograms() }
    stages[stage]?.add(transaction)
    stageOperations[stage] += transaction.operations
  }

  func add(_ work: LookupWork, thread: Int) {
    threads[thread].operations += work.operations
    threads[thread].nanoseconds += Int(work.nanoseconds)
    if work.storesRows { missing = (missing ?? 0) + work.missing }
  }

  func figures(of client: String) -> LookupFigures {
    var figures = LookupFigures(
      client: client,
      threads: threads.map {
        $0.latencies.span(operations: $0.operations, nanoseconds: $0.nanoseconds)
      },
      together: together.span(
        operations: threads.reduce(0) { $0 + $1.operations },
        nanoseconds: threads.map(\.nanoseconds).max()),
      snapshotCommits: snapshotCommits.percentiles)
    // Without a compaction all of them are before it, which says nothing.
    if [CompactionStage.during, .after].contains(where: { stages[$0.rawValue] != nil }) {
      figures.beforeCompaction = span(.before)
      figures.duringCompaction = span(.during)
      figures.afterCompaction = span(.after)
    }
    figures.rate = rate
    figures.maximumRate = maximumRate
    figures.missingRows = missing
    return figures
  }

  private func span(_ stage: CompactionStage) -> LookupSpan? {
    stages[stage.rawValue]?.span(operations: stageOperations[stage.rawValue], nanoseconds: nil)
  }
}
