// A run on real threads by time: one call of the engine that takes 200 ms is in the window in which it ended, and events
// are where they happened.
import Generators
import MetricModel
import RecordModel
import SQLiteEngine
import ScenarioModel
import Testing

@Suite("The timeline of a run")
struct TimelineTests {
  private static let load = LoadSpec(
    arrivals: .scheduled(.steady, nil), rate: .perSecond(1000))
  private static let writer = ClientSpec(
    name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 1, load: load)))
  private static let delay = Int(DelayingEngine.delay)

  private func timeline(_ scenario: Scenario, on engine: DelayingEngine) throws -> Timeline {
    let result = try CellRunTests.run(scenario, on: engine, schedule: .threads)
    return try #require(result.record.timeline)
  }

  private func series(_ role: ClientRole, _ timeline: Timeline) throws -> TimelineSeries {
    try #require(timeline.series.first { $0.role == role })
  }

  /// Checks that the window in which the n-th operation ended has one of 200 ms, by its start and by its intended time;
  /// returns the window.
  private func checkDelay(of number: Int, _ series: TimelineSeries) throws -> Int {
    let window = try #require(
      series.service.counts.indices.first {
        series.service.counts.prefix($0 + 1).reduce(0, +) >= number
      })
    #expect(series.service.max[window] >= Self.delay)
    let intended = try #require(series.intended)
    #expect(intended.counts == series.service.counts)
    #expect(intended.max[window] >= Self.delay)
    return window
  }

  @Test("a write that takes 200 ms is in the window in which it ended")
  func writerInWindow() throws {
    // The load writes 100 rows; then each transaction writes one.
    let engine = DelayingEngine(delaysAtPut: 100 + 300)
    let timeline = try timeline(CellRunTests.scenario([Self.writer], commits: 600), on: engine)
    let writers = try series(.writers, timeline)
    #expect(writers.service.counts.reduce(0, +) == 600)
    _ = try checkDelay(of: 300, writers)
    #expect(timeline.series.count == 1 && timeline.events.isEmpty)
    let phase = try #require(timeline.phases.last)
    #expect(phase.phase == "work" && phase.launch == 1 && phase.end - phase.begin >= Self.delay)
    // The first windows are a millisecond wide, and are joined until the run fits.
    #expect(timeline.windowNanoseconds.isMultiple(of: 1_000_000))
    #expect((100...Timeline.maxWindows).contains(writers.service.counts.count))
  }

  @Test("a read that takes 200 ms is in the window in which it ended")
  func lookupInWindow() throws {
    let client = LookupTests.lookups(reads: 1, load: Self.load)
    let timeline = try timeline(
      LookupTests.alone(client, transactions: 600), on: DelayingEngine(delaysAtRead: 300))
    _ = try checkDelay(of: 300, try series(.lookups, timeline))
  }

  @Test("a compaction is marked from the commit in which it began to the one in which it ended")
  func compaction() throws {
    let engine = DelayingEngine(
      delaysAtPut: 100 + 300, events: [1 + 300: .started, 1 + 400: .finished])
    let timeline = try timeline(CellRunTests.scenario([Self.writer], commits: 600), on: engine)
    let writers = try series(.writers, timeline)
    let window = try checkDelay(of: 300, writers)
    let event = try #require(timeline.events.first)
    #expect(timeline.events.count == 1 && event.kind == .compaction)
    // The delayed commit is the first of it.
    let end = window * timeline.windowNanoseconds + writers.service.maxEnd[window]
    #expect(event.begin <= end - Self.delay && event.end >= end)
    let last = min(event.end / timeline.windowNanoseconds, writers.service.counts.count - 1)
    #expect(writers.service.counts.prefix(last + 1).reduce(0, +) >= 400)
  }

  @Test("a compaction of one commit lasts as long as that commit")
  func compactionWithinCommit() throws {
    let engine = DelayingEngine(delaysAtPut: 100 + 30, events: [1 + 30: .finished])
    let timeline = try timeline(CellRunTests.scenario([Self.writer], commits: 60), on: engine)
    #expect(timeline.events.map(\.kind) == [.compaction])
    #expect(timeline.events.allSatisfy { $0.length >= Self.delay })
  }

  @Test("a snapshot that is held for long is an event of its holder")
  func pin() throws {
    let reader = ClientSpec(name: "reader", kind: .reader(ReaderSpec(table: "Item")))
    let engine = DelayingEngine(delaysAtPut: 100 + 30)
    let timeline = try timeline(
      CellRunTests.scenario([Self.writer, reader], commits: 60), on: engine)
    #expect(timeline.events.map(\.kind) == [.pin] && timeline.events.map(\.label) == ["reader"])
    #expect(timeline.events.allSatisfy { $0.length >= Self.delay })
  }

  @Test("jobs on dispatch queues are an event, and a role with intended times")
  func jobs() throws {
    let jobs = ClientSpec(
      name: "jobs",
      kind: .queues(QueueSpec(table: "Item", queues: 2, jobEveryCommits: 5, release: .atEndOfBlock))
    )
    let engine = DelayingEngine(delaysAtRead: 1)
    // Enough commits that a job begins before the last of them on a machine that is busy with others.
    let timeline = try timeline(
      CellRunTests.scenario([Self.writer, jobs], commits: 600), on: engine)
    let series = try series(.jobs, timeline)
    #expect(series.service.counts.reduce(0, +) >= 1)
    #expect(series.intended?.max.max() ?? 0 >= Self.delay)
    #expect(timeline.events.contains { $0.kind == .jobs && $0.length >= Self.delay })
  }

  @Test("a cold start stands beside warm ones, with what was left of the files in memory")
  func coldStart() throws {
    let engine = LoggingEngine(mainFile: "data", files: ["data": 1 << 20])
    var scenario = CellRunTests.scenario([CellRunTests.writer], launches: 3)
    scenario.lifecycle.coldStarts = [3]
    let result = try CellRunTests.run(scenario, on: engine, schedule: .threads)
    let starts = try #require(result.record.coldStarts)
    #expect(starts.map(\.launch) == [3] && starts.allSatisfy { $0.failure == nil })
    #expect(starts[0].cachedBefore == 1 << 20 && starts[0].cachedAfter <= 1 << 20)
    let events = try #require(result.record.timeline?.events)
    #expect(events.map(\.kind) == [.warmStart, .coldStart])
    scenario.lifecycle.coldStarts = nil
    let other = try CellRunTests.run(scenario, on: LoggingEngine(), schedule: .threads)
    #expect(other.record.coldStarts == nil && other.record.timeline?.events == [])
  }

  @Test("a checkpoint that SQLite makes within a commit is an event of its own")
  func commitCheckpoints() throws {
    let writer = ClientSpec(
      name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 50)))
    var scenario = CellRunTests.scenario([writer], commits: 100)
    func checkpoints(_ pages: Int) throws -> [TimelineEvent] {
      scenario.arms[0].log = LogSpec(checkpointPages: pages)
      let result = try CellRunTests.run(scenario, on: try SQLiteEngine(), schedule: .threads)
      let timeline = try #require(result.record.timeline)
      let phase = try #require(timeline.phases.last)
      return timeline.events.filter {
        $0.kind == .checkpoint && $0.begin >= phase.begin && $0.end <= phase.end
      }
    }
    let often = try checkpoints(20)
    #expect(often.count >= 2 && often.allSatisfy { $0.label.isEmpty && $0.length > 0 })
    #expect(try checkpoints(0).isEmpty)
  }

  @Test("a stepped run has no timeline, since its clock is virtual")
  func stepped() throws {
    let scenario = CellRunTests.scenario([CellRunTests.writer])
    let result = try CellRunTests.run(scenario, on: DelayingEngine(), schedule: .stepped)
    #expect(result.record.timeline == nil)
  }
}
