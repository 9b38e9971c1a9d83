// The figures of one client of lookups while a repetition runs.
import RecordModel

/// What a thread of lookups did in a phase, beside its latencies.
struct LookupWork {
  var operations = 0
  /// Reads that found no row.
  var missing = 0
  /// From the beginning of its first transaction to the end of its last, by the machine's clock; nil without one.
  var span: ClosedRange<UInt64>?
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
  /// When threads were at work: what several did at the same time is one stretch of time.
  private var spans: [ClosedRange<UInt64>] = []
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
    if let span = work.span {
      threads[thread].nanoseconds += Int(span.upperBound - span.lowerBound)
      spans.append(span)
    }
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
        nanoseconds: busyNanoseconds),
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

  /// The time in which any thread was at work. That of the longest thread would be less where threads start one after the
  /// other, and throughput more than it was.
  private var busyNanoseconds: Int {
    var (total, end): (UInt64, UInt64) = (0, 0)
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) where span.upperBound > end {
      total += span.upperBound - max(span.lowerBound, end)
      end = span.upperBound
    }
    return Int(total)
  }

  private func span(_ stage: CompactionStage) -> LookupSpan? {
    stages[stage.rawValue]?.span(operations: stageOperations[stage.rawValue], nanoseconds: nil)
  }
}
