// What one group of events did in one cell, over the runs on real threads.
package import RecordModel

/// The median of a value over runs, and its range.
package struct RunSpread: Sendable, Equatable {
  package let median: Double
  package let low: Double
  package let high: Double

  /// Nil without values.
  package init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let low = sorted.first, let high = sorted.last else { return nil }
    self.low = low
    self.high = high
    let middle = sorted.count / 2
    median =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

package struct InterferenceSummary: Sendable {
  /// One role over the runs in which it was at work during the event.
  package struct Role: Sendable {
    package let role: ClientRole
    package let runs: [Interference]

    /// Whether waits count from intended times.
    package var isScheduled: Bool { runs.contains { $0.longestIntended != nil } }
    /// In nanoseconds.
    package var longestWait: RunSpread? {
      RunSpread(runs.compactMap { $0.longestWait.map(Double.init) })
    }

    package func perSecond(_ stage: (Interference) -> Interference.Stage?) -> RunSpread? {
      RunSpread(runs.compactMap { stage($0)?.perSecond })
    }

    /// In nanoseconds.
    package func p99(_ stage: (Interference) -> Interference.Stage?) -> RunSpread? {
      RunSpread(runs.compactMap { stage($0)?.p99.map(Double.init) })
    }
  }

  package let key: CellKey
  package let group: EventGroup
  /// The labels of the events, each once; without empty ones.
  package let labels: [String]
  /// The runs with a timeline, and those of them in which there was such an event.
  package let runCount: Int
  package let observedCount: Int
  /// Over the runs in which there was one.
  package let events: RunSpread
  /// The time in which at least one of the events was going on, in nanoseconds.
  package let length: RunSpread
  /// Those that were at work during the event, in the order of roles.
  package let roles: [Role]

  /// The longest median wait of any role, in nanoseconds; zero without any.
  package var worstWait: Double { roles.compactMap { $0.longestWait?.median }.max() ?? 0 }

  /// Nil where there was no such event.
  package init?(_ group: EventGroup, in cell: CellRecord) {
    let timelines = cell.timedRepetitions.compactMap(\.timeline)
    let observed = timelines.compactMap { timeline -> (Timeline, [TimelineEvent])? in
      let events = timeline.events.filter { EventGroup($0) == group }
      return events.isEmpty ? nil : (timeline, events)
    }
    guard let events = RunSpread(observed.map { Double($0.1.count) }),
      let length = RunSpread(observed.map { Double(Self.time(of: $0.1)) })
    else { return nil }
    self.events = events
    self.length = length
    self.group = group
    key = cell.key
    runCount = timelines.count
    observedCount = observed.count
    labels = observed.flatMap { $0.1.map(\.label) }
      .reduce(into: []) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }.sorted()
    roles = ClientRole.allCases.compactMap { role in
      let runs = observed.compactMap { $0.0.interference(of: $0.1, with: role) }
      return runs.isEmpty ? nil : Role(role: role, runs: runs)
    }
  }

  /// The time that the events cover. They may overlap, if their labels differ.
  private static func time(of events: [TimelineEvent]) -> Int {
    var (covered, end) = (0, 0)
    for event in events.sorted(by: { $0.begin < $1.begin }) where event.end > end {
      covered += event.end - max(event.begin, end)
      end = event.end
    }
    return covered
  }
}

extension ScenarioAnalysis {
  /// What events did, by cell in the order of the record, and by group.
  package var interference: [InterferenceSummary] {
    record.cells.flatMap { cell in
      EventGroup.all.compactMap { InterferenceSummary($0, in: cell) }
    }
  }
}
