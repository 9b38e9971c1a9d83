// The figures of all clients of lookups. It has a lock of its own, so that a thread that passes on its latencies never waits
// for a sample of the engine.
import RecordModel
import Synchronization
import SystemIO

/// Safe to use from many threads.
final class LookupRecorder: Sendable {
  private struct State {
    var clients: [String: LookupClientFigures] = [:]
    var recent = Recent()
    var whole = LookupHistograms()
    var operations = 0
    var nanoseconds = 0
  }

  /// What came since the latest row of timings.csv.
  struct Recent {
    var service = LatencyHistogram()
    var intended = LatencyHistogram()
    /// Single reads and scans.
    var reads = LatencyHistogram()
  }

  private let timeline: TimelineRecorder
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var state = State()
  private nonisolated(unsafe) var sources: [Source] = []
  private let stageNumber = Atomic<Int>(CompactionStage.before.rawValue)
  private let commitNumber = Atomic<Int>(0)

  init(_ timeline: TimelineRecorder) { self.timeline = timeline }

  /// A thread of lookups.
  private struct Source {
    let client: String
    let thread: Int
    let latencies: LookupLatencies
  }

  /// Where the phase is, as compactions go.
  var stage: CompactionStage {
    CompactionStage(rawValue: stageNumber.load(ordering: .relaxed)) ?? .before
  }

  /// Commits so far. A thread of lookups reads this without a lock that a writer holds.
  var commits: Int { commitNumber.load(ordering: .relaxed) }

  func record(commits: Int) { commitNumber.store(commits, ordering: .relaxed) }

  func record(stage: CompactionStage) { stageNumber.store(stage.rawValue, ordering: .relaxed) }

  /// Adds a thread, whose latencies are taken from now on. Only called while no thread runs.
  func add(_ client: String, thread: Int, _ latencies: LookupLatencies) {
    lock.withLock {
      sources.append(Source(client: client, thread: thread, latencies: latencies))
      let figures = state.clients[client] ?? LookupClientFigures()
      figures.makeThread(thread)
      state.clients[client] = figures
    }
  }

  /// Takes the latencies of a thread, which passes them on.
  func pass(_ latencies: LookupLatencies) {
    lock.withLock {
      guard let source = sources.first(where: { $0.latencies === latencies }) else { return }
      take(source)
    }
  }

  /// Records the work of a thread at the end of its phase.
  func record(work: LookupWork, of client: String, thread: Int) {
    lock.withLock {
      state.operations += work.operations
      state.clients[client]?.add(work, thread: thread)
    }
  }

  /// Records the length of a snapshot's life in commits.
  func record(snapshotCommits commits: [Int], of client: String) {
    lock.withLock {
      guard let figures = state.clients[client] else { return }
      for count in commits { figures.snapshotCommits.record(count) }
    }
  }

  /// Records the scheduled rate of a client; `maximum` is what it reached as a closed loop, nil where that was not measured.
  func record(targetRate rate: Double, maximum: Double?, of client: String) {
    lock.withLock {
      state.clients[client]?.rate = rate
      state.clients[client]?.maximumRate = maximum
    }
  }

  /// Ends a phase, in which lookups ran for so long. Its threads have ended.
  func endPhase(nanoseconds: UInt64) {
    lock.withLock {
      for source in sources { take(source) }
      sources = []
      state.nanoseconds += Int(nanoseconds)
    }
    // One that goes on is going on in the next phase as well.
    if stage == .after { record(stage: .before) }
  }

  /// Takes what every thread has gathered, and returns what came since the call before; nil without lookups.
  func takeRecent() -> Recent? {
    lock.withLock {
      guard !state.clients.isEmpty else { return nil }
      for source in sources { take(source) }
      defer { state.recent = Recent() }
      return state.recent
    }
  }

  private func take(_ source: Source) {
    let batch = source.latencies.take()
    let figures = state.clients[source.client]
    for transaction in batch.transactions {
      figures?.add(transaction, thread: source.thread)
      state.whole.add(transaction)
      state.recent.service.record(Int(transaction.service))
      if let intended = transaction.intended { state.recent.intended.record(Int(intended)) }
    }
    timeline.record(lookups: batch.transactions)
    for latency in batch.operations { state.recent.reads.record(Int(latency)) }
  }

  /// The figures of each client, by name; nil without lookups.
  var figures: [LookupFigures]? {
    lock.withLock {
      guard !state.clients.isEmpty else { return nil }
      return state.clients.sorted { $0.key < $1.key }.map { $0.value.figures(of: $0.key) }
    }
  }

  /// All clients together; nil without lookups.
  var together: LookupSpan? {
    lock.withLock {
      guard !state.clients.isEmpty else { return nil }
      return state.whole.span(operations: state.operations, nanoseconds: state.nanoseconds)
    }
  }
}
