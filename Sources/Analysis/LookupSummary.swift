// The lookups of one client in one cell: medians over the runs on real threads, or over the stepped ones where there are
// none.
package import RecordModel
import Statistics

/// The median of each percentile over several runs, in nanoseconds or commits.
package struct MedianPercentiles: Sendable, Equatable {
  package let count: Double
  package let p50: Double
  package let p90: Double
  package let p99: Double
  package let p999: Double
  package let max: Double

  /// Creates the medians of the runs that have values.
  ///
  /// - Returns: nil if none has.
  package init?(_ runs: [LatencyPercentiles]) {
    let runs = runs.filter { $0.count > 0 }
    func median(_ value: (LatencyPercentiles) -> Int) -> Double? {
      Quantiles.median(runs.map { Double(value($0)) })
    }
    guard let count = median(\.count), let p50 = median(\.p50), let p90 = median(\.p90),
      let p99 = median(\.p99), let p999 = median(\.p999), let max = median(\.max)
    else { return nil }
    (self.count, self.p50, self.p90) = (count, p50, p90)
    (self.p99, self.p999, self.max) = (p99, p999, max)
  }
}

package struct LookupSummary: Sendable, Equatable {
  /// Some of the client's transactions: medians over the runs that made any.
  package struct Span: Sendable, Equatable {
    package let transactions: Double
    /// Nil where the time of the transactions is not known.
    package let perSecond: Double?
    package let service: MedianPercentiles?
    /// Nil in a closed loop and on the virtual clock.
    package let intended: MedianPercentiles?

    /// - Returns: nil without runs.
    init?(_ runs: [LookupSpan]) {
      guard let transactions = Quantiles.median(runs.map { Double($0.transactions) }) else {
        return nil
      }
      self.transactions = transactions
      perSecond = Quantiles.median(runs.compactMap(\.perSecond))
      service = MedianPercentiles(runs.map(\.service))
      intended = MedianPercentiles(runs.map(\.intended))
    }
  }

  package let key: CellKey
  package let client: String
  /// The schedule of the runs, and how many there are.
  package let schedule: Schedule
  package let runCount: Int
  package let together: Span
  /// By number, from 0.
  package let threads: [Span]
  /// The p99 of the slowest thread of each run, in nanoseconds.
  package let slowestThreadP99: Double?
  package let beforeCompaction: Span?
  package let duringCompaction: Span?
  package let afterCompaction: Span?
  /// The most commits that a snapshot lived.
  package let longestSnapshotCommits: Double
  /// The scheduled rate per second; nil in a closed loop.
  package let rate: Double?
  package let maximumRate: Double?

  init?(_ runs: [LookupFigures], of client: String, _ key: CellKey, _ schedule: Schedule) {
    guard let together = Span(runs.map(\.together)),
      let longest = Quantiles.median(runs.map { Double($0.snapshotCommits.max) })
    else { return nil }
    self.key = key
    self.client = client
    self.schedule = schedule
    runCount = runs.count
    self.together = together
    let threadCount = runs.map(\.threads.count).max() ?? 0
    threads = (0..<threadCount).compactMap { number in
      Span(runs.compactMap { number < $0.threads.count ? $0.threads[number] : nil })
    }
    slowestThreadP99 = Quantiles.median(
      runs.compactMap { $0.threads.map { Double($0.service.p99) }.max() })
    beforeCompaction = Span(runs.compactMap(\.beforeCompaction))
    duringCompaction = Span(runs.compactMap(\.duringCompaction))
    afterCompaction = Span(runs.compactMap(\.afterCompaction))
    longestSnapshotCommits = longest
    rate = Quantiles.median(runs.compactMap(\.rate))
    maximumRate = Quantiles.median(runs.compactMap(\.maximumRate))
  }
}

extension CellRecord {
  /// Returns the runs that particulars of times are shown of, with their schedule: those on real threads, or stepped ones
  /// where none has ended.
  ///
  /// - Parameter schedule: the schedule of the record.
  package func runsOfParticulars(
    _ schedule: RunSchedule
  ) -> (schedule: Schedule, runs: [RepetitionRecord]) {
    let threaded = threadedRepetitions ?? []
    return threaded.isEmpty ? (schedule.ofBytes, repetitions) : (.threads, threaded)
  }
}

extension RunRecord {
  /// The clients of lookups of all cells, in the order of the record.
  package var lookupSummaries: [LookupSummary] {
    cells.flatMap { cell -> [LookupSummary] in
      let (schedule, runs) = cell.runsOfParticulars(provenance.schedule)
      let figures = runs.flatMap { $0.lookups ?? [] }
      let clients = figures.reduce(into: [String]()) {
        if !$0.contains($1.client) { $0.append($1.client) }
      }
      return clients.compactMap { client in
        LookupSummary(
          figures.filter { $0.client == client }, of: client, cell.key, schedule)
      }
    }
  }

  /// The waits for the write lock of the cells that have any, in the order of the record, and in how many runs.
  package var lockWaits: [(key: CellKey, runCount: Int, wait: MedianPercentiles)] {
    cells.compactMap { cell in
      let waits = cell.runsOfParticulars(provenance.schedule).runs.compactMap(\.timing.lockWait)
      return MedianPercentiles(waits).map { (cell.key, waits.count, $0) }
    }
  }
}
