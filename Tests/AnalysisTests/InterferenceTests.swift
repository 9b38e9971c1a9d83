// What an event did: windows before, during and after it, and the longest wait of a transaction that was under way.
import Analysis
import RecordFixtures
import RecordModel
import Testing

@Suite("Interference")
struct InterferenceTests {
  /// Ten windows of 100 ns; the sixth and seventh are slow.
  private static func timeline(
    _ events: [TimelineEvent], counts: [Int] = [4, 4, 4, 4, 4, 1, 1, 4, 4, 4],
    role: ClientRole = .lookups, phase: Range<Int> = 0..<1000
  ) -> Timeline {
    let slow = [10, 10, 11, 12, 13, 50, 160, 14, 15, 16]
    let latencies = TimelineLatencies(
      counts: counts, p99: slow, max: slow, maxEnd: [Int](repeating: 90, count: 10))
    return Timeline(
      windowNanoseconds: 100, series: [TimelineSeries(role: role, service: latencies)],
      phases: [
        TimelinePhase(launch: 1, phase: "work", begin: phase.lowerBound, end: phase.upperBound)
      ],
      events: events)
  }

  private static func found(_ timeline: Timeline) throws -> Interference {
    let role = try #require(timeline.series.first?.role)
    return try #require(timeline.interference(of: timeline.events, with: role))
  }

  @Test("stages are the windows that an event touches, and those beside it in its phase")
  func stages() throws {
    let event = TimelineEvent(.compaction, begin: 520, end: 640)
    let found = try Self.found(Self.timeline([event]))
    #expect(found.during.transactions == 2 && found.during.nanoseconds == 200)
    #expect(found.during.perSecond == 1e7)
    #expect(found.before?.transactions == 20 && found.before?.serviceP99 == 11)
    #expect(found.after?.transactions == 12 && found.after?.nanoseconds == 300)
    #expect(found.during.serviceP99 == 50)
    // Before it there are only the windows of its phase, of which the first is cut.
    let late = try Self.found(Self.timeline([event], phase: 350..<1000))
    #expect(late.before?.transactions == 8 && late.before?.nanoseconds == 150)
    let alone = try Self.found(Self.timeline([event], phase: 500..<700))
    #expect(alone.before == nil && alone.after == nil)
  }

  @Test("the longest wait is that of a transaction under way, whenever it ended")
  func longestWait() throws {
    // It ended at 690 after 160 ns, and so was under way at 535.
    let early = TimelineEvent(.checkpoint, begin: 535, end: 540)
    #expect(try Self.found(Self.timeline([early])).longestService == 160)
    // The one of 50 ns ended at 590, before this; that of 160 ns went on.
    let between = TimelineEvent(.checkpoint, begin: 595, end: 596)
    #expect(try Self.found(Self.timeline([between])).longestService == 160)
    let later = TimelineEvent(.checkpoint, begin: 700, end: 705)
    #expect(try Self.found(Self.timeline([later])).longestService == nil)
  }

  @Test("a role that made nothing during an event was not kept waiting by it")
  func absent() {
    let event = TimelineEvent(.launchCompaction, begin: 520, end: 640)
    let counts = [4, 4, 4, 4, 4, 0, 0, 4, 4, 4]
    let idle = Self.timeline([event], counts: counts, phase: 0..<500)
    #expect(idle.interference(of: [event], with: .lookups) == nil)
    #expect(idle.interference(of: [event], with: .writers) == nil)
    // Probes run while no phase does.
    let probes = Self.timeline([event], role: .probes, phase: 0..<500)
    #expect(probes.interference(of: [event], with: .probes)?.during.transactions == 2)
    let lookups = Self.timeline([event], phase: 0..<500)
    #expect(lookups.interference(of: [event], with: .lookups) == nil)
  }

  @Test("a summary has the median over the runs in which there was an event, and their range")
  func summary() throws {
    var (record, _) = try SyntheticRecord.make(schedule: .both)
    #expect(record.cells.allSatisfy { InterferenceSummary(EventGroup(.compaction), in: $0) == nil })
    SyntheticTimeline.add(to: &record)
    var cell = try #require(
      record.cells.first { InterferenceSummary(EventGroup(.compaction), in: $0) != nil })
    cell.threadedRepetitions?[0].timeline?.events = []
    let found = try #require(InterferenceSummary(EventGroup(.compaction), in: cell))
    #expect(found.runCount == 6 && found.observedCount == 5)
    #expect(found.roles.map(\.role) == [.writers, .lookups])
    // From intended times: 5 ms times 11 to 15, and 5 µs.
    let wait = try #require(found.roles[1].longestWait)
    #expect(wait.low == 55_005_000 && wait.median == 65_005_000 && wait.high == 75_005_000)
    #expect(found.roles[1].isScheduled && !found.roles[0].isScheduled)
    #expect(found.worstWait == wait.median)
    let text = found.sentence(mechanism: "moves blocks")
    #expect(
      text.hasPrefix(
        "**While it compacted automatically** (moves blocks), for 58.0 ms in 5 of 6 runs: "))
    #expect(
      text.contains("reads waited up to 65.0 ms (55.0 ms to 75.0 ms) from their intended time"))
  }

  @Test("a sentence says where nothing was read during an event")
  func absentReads() throws {
    var (record, samples) = try SyntheticRecord.make(schedule: .both)
    SyntheticTimeline.add(to: &record)
    let analysis = ScenarioAnalysis(record: record, samples: samples)
    let launch = try #require(analysis.interference.first { $0.group.kind == .launchCompaction })
    #expect(launch.roles.isEmpty)
    #expect(launch.sentence(mechanism: nil).hasSuffix(": no reads or writes were made during it."))
    let pin = try #require(analysis.interference.first { $0.group.kind == .pin })
    #expect(pin.labels == ["reader"] && pin.roles.map(\.role) == [.writers])
    #expect(pin.sentence(mechanism: nil).hasSuffix("; no reads were made during it."))
  }

  @Test("a sentence leaves out a wait that no run has, and a throughput of none before the event")
  func absentFigures() throws {
    let (record, _) = try SyntheticRecord.make(schedule: .both)
    func sentence(_ timeline: Timeline) throws -> String {
      var cell = record.cells[0]
      for run in (cell.threadedRepetitions ?? []).indices {
        cell.threadedRepetitions?[run].timeline = timeline
      }
      let found = try #require(InterferenceSummary(EventGroup(.compaction), in: cell))
      return found.sentence(mechanism: nil)
    }
    // Four probes ended in its window, after it. In the five windows before it there were 14 in 500 ns.
    let short = TimelineEvent(.compaction, begin: 700, end: 705)
    #expect(
      try sentence(Self.timeline([short], role: .probes)).hasSuffix(
        ": probes ran at 40,000,000 per s with a p99 of 14 ns, compared with 28,000,000 per s and 12 ns before."
      ))
    let long = TimelineEvent(.compaction, begin: 520, end: 640)
    let first = Self.timeline([long], counts: [0, 0, 0, 0, 0, 1, 1, 4, 4, 4])
    #expect(
      try sentence(first).hasSuffix(
        ": reads waited up to 160 ns, at 10,000,000 per s with a p99 of 50 ns."))
    // One read in a window of three seconds, after the event: none per second, rounded.
    let slow = Timeline(
      windowNanoseconds: 3_000_000_000,
      series: [
        TimelineSeries(
          role: .lookups,
          service: TimelineLatencies(counts: [1], p99: [10], max: [10], maxEnd: [900]))
      ],
      phases: [TimelinePhase(launch: 1, phase: "work", begin: 0, end: 3_000_000_000)],
      events: [TimelineEvent(.compaction, begin: 100, end: 200)])
    #expect(try sentence(slow).hasSuffix(": no read or write was under way."))
  }

  @Test("checkpoints that commits make, and those of a client, each have a sentence")
  func checkpoints() throws {
    var (record, samples) = try SyntheticRecord.make(schedule: .both)
    SyntheticTimeline.add(to: &record)
    let index = try #require(
      record.cells.firstIndex { InterferenceSummary(EventGroup(.compaction), in: $0) != nil })
    for run in (record.cells[index].threadedRepetitions ?? []).indices {
      // The windows of the compaction are the slow ones.
      let event = try #require(
        record.cells[index].threadedRepetitions?[run].timeline?.events.first)
      record.cells[index].threadedRepetitions?[run].timeline?.events = [
        TimelineEvent(.checkpoint, label: "truncate", begin: 1_000_000, end: 3_000_000),
        TimelineEvent(.checkpoint, begin: event.begin, end: event.end),
      ]
    }
    let key = record.cells[index].key
    let found = ScenarioAnalysis(record: record, samples: samples).interference
      .filter { $0.key == key }
    #expect(found.map(\.group.isWithinCommits) == [true, false])
    let sentences = found.map { $0.sentence(mechanism: nil) }
    #expect(
      sentences[0].hasPrefix("**While a commit made a checkpoint**, for 58.0 ms in every run"))
    #expect(
      sentences[1].hasPrefix(
        "**While a client had the log checkpointed** (`truncate`), for 2.00 ms in every run"))
    // 2 ms times 10 to 15, and not what is usual.
    let waits = found.map { $0.roles[0].longestWait?.median ?? 0 }
    #expect(waits[0] >= 20_000_000 && waits[1] < 1_000_000)
  }
}
