// What events did to the transactions of one role in one run: throughput and 99th percentile in the windows before, during and
// after them, and the longest wait of a transaction that was under way in one of them.
package import RecordModel

package struct Interference: Sendable, Equatable {
  /// The windows of one stage together.
  package struct Stage: Sendable, Equatable {
    package var transactions: Int
    /// The time of the windows, as far as clients ran in it.
    package var nanoseconds: Int
    /// The 99th percentile of the middle window, each window counting as often as it has transactions; nil without any.
    package var serviceP99: Int?
    package var intendedP99: Int?

    /// A stage in which no transaction was made.
    package static let empty = Stage(transactions: 0, nanoseconds: 0)

    package var perSecond: Double {
      nanoseconds > 0 ? Double(transactions) * 1e9 / Double(nanoseconds) : 0
    }
    /// By intended time where there is one.
    package var p99: Int? { intendedP99 ?? serviceP99 }
  }

  package let role: ClientRole
  /// Nil where no client of the role ran right before.
  package let before: Stage?
  package let during: Stage
  package let after: Stage?
  /// Of the slowest transaction in each window, those that were under way during an event; nil for none.
  package let longestService: Int?
  package let longestIntended: Int?

  /// By intended time where there is one.
  package var longestWait: Int? { longestIntended ?? longestService }
}

extension Timeline {
  /// How many windows before and after an event are looked at: as many as it lasted, within these bounds.
  private static let sideWindows = 5...50

  /// Returns what the events did to the role; nil if none of its transactions was made during them.
  package func interference(
    of events: [TimelineEvent], with role: ClientRole
  ) -> Interference? {
    guard let series = series.first(where: { $0.role == role }) else { return nil }
    // Probes run also while the database is opened; other clients only in phases.
    let spans = role == .probes ? events.map { $0.begin..<($0.end + 1) } : spansInPhases(events)
    let windows = WindowSets(spans, in: self, count: series.service.counts.count, of: role)
    let during = windows.stage(windows.during, series)
    let longestService = longestWait(series.service, during: spans)
    guard during.transactions > 0 || longestService != nil else { return nil }
    return Interference(
      role: role, before: windows.side(windows.before, series), during: during,
      after: windows.side(windows.after, series), longestService: longestService,
      longestIntended: series.intended.flatMap { longestWait($0, during: spans) })
  }

  /// The parts of events that lie in phases.
  private func spansInPhases(_ events: [TimelineEvent]) -> [Range<Int>] {
    events.flatMap { event in
      phases.compactMap { phase in
        let (begin, end) = (max(event.begin, phase.begin), min(event.end, phase.end))
        return begin <= end ? begin..<(end + 1) : nil
      }
    }
  }

  private func longestWait(_ latencies: TimelineLatencies, during spans: [Range<Int>]) -> Int? {
    latencies.counts.indices.compactMap { index in
      guard latencies.counts[index] > 0 else { return nil }
      let end = index * windowNanoseconds + latencies.maxEnd[index]
      let begin = end - latencies.max[index]
      return spans.contains { begin < $0.upperBound && end >= $0.lowerBound }
        ? latencies.max[index] : nil
    }.max()
  }

  /// The windows of each stage.
  fileprivate struct WindowSets {
    private let timeline: Timeline
    private let isProbe: Bool
    private(set) var before: Set<Int> = []
    private(set) var during: Set<Int> = []
    private(set) var after: Set<Int> = []

    init(_ spans: [Range<Int>], in timeline: Timeline, count: Int, of role: ClientRole) {
      self.timeline = timeline
      isProbe = role == .probes
      let width = timeline.windowNanoseconds
      let ranges = spans.map { ($0.lowerBound / width)...(($0.upperBound - 1) / width) }
      for range in ranges { during.formUnion(range.clamped(to: 0...max(0, count - 1))) }
      for range in ranges {
        let sides = Timeline.sideWindows
        let length = min(max(range.count, sides.lowerBound), sides.upperBound)
        let phases = self.phases(of: range)
        func take(_ indices: some Sequence<Int>) -> [Int] {
          Array(
            indices.prefix { index in
              !during.contains(index) && index >= 0 && index < count
                && phases.contains { $0.contains(index) }
            }.prefix(length))
        }
        before.formUnion(take((range.lowerBound - length..<range.lowerBound).reversed()))
        after.formUnion(take(range.upperBound + 1..<range.upperBound + 1 + length))
      }
    }

    /// The windows of the phases in which the event was.
    private func phases(of range: ClosedRange<Int>) -> [ClosedRange<Int>] {
      let width = timeline.windowNanoseconds
      return timeline.phases.map { $0.begin / width...max($0.begin, $0.end - 1) / width }
        .filter { $0.overlaps(range) }
    }

    func side(_ windows: Set<Int>, _ series: TimelineSeries) -> Stage? {
      windows.isEmpty ? nil : stage(windows, series)
    }

    func stage(_ windows: Set<Int>, _ series: TimelineSeries) -> Stage {
      let windows = windows.sorted()
      return Stage(
        transactions: windows.reduce(0) { $0 + series.service.counts[$1] },
        nanoseconds: windows.reduce(0) { $0 + time(of: $1) },
        serviceP99: Self.middle(of: windows, series.service),
        intendedP99: series.intended.flatMap { Self.middle(of: windows, $0) })
    }

    /// The time of a window that lies in phases; of a probe, all of it.
    private func time(of window: Int) -> Int {
      let width = timeline.windowNanoseconds
      if isProbe { return width }
      let (begin, end) = (window * width, (window + 1) * width)
      return timeline.phases.reduce(0) { $0 + max(0, min(end, $1.end) - max(begin, $1.begin)) }
    }

    private static func middle(of windows: [Int], _ latencies: TimelineLatencies) -> Int? {
      let filled = windows.filter { latencies.counts[$0] > 0 }
        .sorted { latencies.p99[$0] < latencies.p99[$1] }
      let total = filled.reduce(0) { $0 + latencies.counts[$1] }
      var below = 0
      for window in filled {
        below += latencies.counts[window]
        if 2 * below >= total { return latencies.p99[window] }
      }
      return nil
    }
  }
}

private typealias Stage = Interference.Stage
