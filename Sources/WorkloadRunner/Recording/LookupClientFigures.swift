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

struct LookupClientFigures {
  private struct Thread {
    var latencies = LookupHistograms()
    var operations = 0
    var nanoseconds = 0
  }

  private var threads: [Thread] = []
  private var together = LookupHistograms()
  private var stages: [CompactionStage: LookupHistograms] = [:]
  private var stageOperations: [CompactionStage: Int] = [:]
  private var missing: Int?
  var snapshotCommits = LatencyHistogram()
  var rate: Double?
  var maximumRate: Double?

  mutating func makeThread(_ number: Int) {
    while threads.count <= number { threads.append(Thread()) }
  }

  mutating func add(_ transaction: LookupTransaction, thread: Int) {
    threads[thread].latencies.add(transaction)
    together.add(transaction)
    stages[transaction.stage, default: LookupHistograms()].add(transaction)
    stageOperations[transaction.stage, default: 0] += transaction.operations
  }

  mutating func add(_ work: LookupWork, thread: Int) {
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
    if stages.count > 1 || stages[.before] == nil {
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
    stages[stage]?.span(operations: stageOperations[stage] ?? 0, nanoseconds: nil)
  }
}
