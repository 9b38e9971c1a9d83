import EngineInterface
import Generators
import MetricModel
import Policies
import RecordModel
import ScenarioModel
import SystemIO
import Testing
import WorkloadRunner

@Suite("A cell's run")
struct CellRunTests {
  static let writer = ClientSpec(
    name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 2, rate: 100)))

  static func scenario(
    _ clients: [ClientSpec], commits: Int = 40, launches: Int = 1, policy: Policy = .never,
    phase: PhaseSpec? = nil
  ) -> Scenario {
    Scenario(
      name: "test", question: "?",
      tables: [TableSpec(name: "Item", rows: 100, valueSize: .fixed(32))],
      arms: [ArmSpec(name: "only", clients: clients)],
      phases: [phase ?? PhaseSpec(name: "work", commits: commits, clients: clients.map(\.name))],
      launches: launches, policies: [policy], sampling: SamplingSpec(everyCommits: 10))
  }

  /// Runs the scenario's only cell on the engine.
  static func run(
    _ scenario: Scenario, on engine: any Engine, schedule: Schedule = .stepped
  ) throws -> RepetitionResult {
    let folder = try FileSystem.makeTemporaryFolder(prefix: "runner-test")
    defer { try? FileSystem.removeTree(folder) }
    let key = CellKey(
      engine: engine.id, policy: scenario.policies[0].name, arm: scenario.arms[0].name)
    let job = CellJob(
      scenario: scenario, key: key, repetition: 1, schedule: schedule, seed: scenario.seed,
      folder: folder.string)
    return try CellRun(job, on: engine).run()
  }

  @Test("a phase makes exactly its commits, and samples every tenth and its end")
  func countsCommits() throws {
    let engine = LoggingEngine()
    let result = try Self.run(Self.scenario([Self.writer], commits: 40), on: engine)
    #expect(result.record.exact.commits == 40)
    #expect(result.samples.map(\.observation.commits) == [0, 10, 20, 30, 40, 40])
    // One commit of the load, which is not the scenario's.
    #expect(engine.trace.lines.filter { $0 == "commit" }.count == 41)
  }

  @Test("the clock's samples count the main file and its sidecars, and no lock file beside them")
  func watchesDataFiles() throws {
    let engine = LoggingEngine(
      mainFile: "data", sidecarFiles: ["data-log", "data-other-log"],
      files: ["data": 3000, "data-log": 500, "data-lock": 8192])
    let result = try Self.run(Self.scenario([Self.writer]), on: engine)
    #expect(result.timings.last?.statSize == ByteCount(3500))
  }

  @Test("the virtual clock moves by the writer's rate and the gap between launches")
  func virtualClock() throws {
    let result = try Self.run(
      Self.scenario([Self.writer], commits: 50, launches: 2), on: LoggingEngine())
    let last = try #require(result.samples.last)
    #expect(last.observation.time == VirtualTime(seconds: 1 + 8 * 3600))
  }

  @Test("a blocked reader pins one version for the whole phase and lags by every commit")
  func blockedReader() throws {
    let reader = ClientSpec(name: "reader", kind: .reader(ReaderSpec(table: "Item")))
    let engine = LoggingEngine()
    let result = try Self.run(Self.scenario([Self.writer, reader], commits: 40), on: engine)
    let during = result.samples.filter { $0.phase == "work" }.dropLast()
    #expect(during.map(\.observation.oldestPinLag) == [10, 20, 30, 40])
    #expect(during.allSatisfy { $0.observation.pins == 1 })
    #expect(result.samples.last?.observation.pins == 0)
    #expect(engine.trace.lines.filter { $0.hasPrefix("begin") || $0.hasPrefix("end") }.count == 2)
    #expect(
      result.record.pins == [PinSpan(holder: "reader", firstCommit: 0, lastCommit: 40)])
  }

  @Test("a pin is recorded with the greatest retained bytes that the engine reports for it")
  func pinFigures() throws {
    let reader = ClientSpec(name: "reader", kind: .reader(ReaderSpec(table: "Item")))
    func pin(_ engine: LoggingEngine) throws -> PinSpan {
      let result = try Self.run(Self.scenario([Self.writer, reader], commits: 40), on: engine)
      return try #require(result.record.pins.first)
    }
    let reported = try pin(LoggingEngine(reportsPinOf: "reader"))
    let bytes = try #require(reported.retained)
    // A byte for each commit; the rows of before are commits too.
    #expect(bytes >= ByteCount(40) && reported.exclusive == ByteCount(bytes.bytes / 2))
    #expect(try pin(LoggingEngine(reportsPinOf: "another")).retained == nil)
  }

  @Test("a reader that invalidates before it blocks pins nothing")
  func invalidatingReader() throws {
    let spec = ReaderSpec(table: "Item", whileBlocked: .invalidates)
    let reader = ClientSpec(name: "reader", kind: .reader(spec))
    let result = try Self.run(Self.scenario([Self.writer, reader]), on: LoggingEngine())
    #expect(result.samples.allSatisfy { $0.observation.pins == 0 })
  }

  @Test("a reader that refreshes never lags much further than its interval")
  func refreshingReader() throws {
    let spec = ReaderSpec(table: "Item", whileBlocked: .refreshes(everyCommits: 5))
    let reader = ClientSpec(name: "reader", kind: .reader(spec))
    let engine = LoggingEngine()
    let result = try Self.run(Self.scenario([Self.writer, reader], commits: 100), on: engine)
    let refreshes = engine.trace.lines.filter { $0 == "refresh reader" }.count
    // Every 5 commits, each time a step or two later because the order is drawn.
    #expect((10...20).contains(refreshes))
    #expect(result.samples.dropLast().allSatisfy { $0.observation.oldestPinLag < 20 })
  }

  @Test("a window of frozen objects holds as many snapshots as it is wide, and no more")
  func frozenWindow() throws {
    let spec = FrozenSpec(table: "Item", takeEveryCommits: 3, window: 4)
    let holder = ClientSpec(name: "frozen", kind: .frozen(spec))
    let engine = LoggingEngine()
    let result = try Self.run(Self.scenario([Self.writer, holder], commits: 100), on: engine)
    #expect(engine.trace.withState { $0.greatestSnapshots } == 4)
    #expect(result.samples.dropLast().suffix(5).allSatisfy { $0.observation.pins == 4 })
  }

  @Test(
    "a queue's handles are released at the end of the block, late, or never, depending on its pool",
    arguments: Schedule.allCases)
  func queuePools(_ schedule: Schedule) throws {
    func pins(_ release: QueueSpec.Release) throws -> (most: Int, jobs: Int) {
      let spec = QueueSpec(table: "Item", queues: 2, jobEveryCommits: 5, release: release)
      let engine = LoggingEngine()
      let client = ClientSpec(name: "jobs", kind: .queues(spec))
      _ = try Self.run(
        Self.scenario([Self.writer, client], commits: 100), on: engine, schedule: schedule)
      let begun = engine.trace.lines.filter { $0.hasPrefix("begin jobs on jobs.") }.count
      #expect(engine.trace.withState { $0.snapshots } == 0)
      return (engine.trace.withState { $0.greatestSnapshots }, begun)
    }
    let explicit = try pins(.atEndOfBlock)
    let never = try pins(.never)
    #expect(explicit.most <= 2)
    #expect(never.most == never.jobs)
    if schedule == .stepped {
      #expect(explicit.most == 1)
      #expect(try pins(.late(afterCommits: 20)).most < never.most)
    }
  }

  @Test("the same seed gives the same samples and the same requests; another seed does not")
  func repeats() throws {
    let frozen = ClientSpec(
      name: "frozen", kind: .frozen(FrozenSpec(table: "Item", takeEveryCommits: 3, window: 2)))
    let second = ClientSpec(
      name: "second", kind: .writer(WriterSpec(table: "Item", inserts: 1, deletes: 1)))
    var scenario = Self.scenario([Self.writer, second, frozen], commits: 60)
    let (a, b, c) = (LoggingEngine(), LoggingEngine(), LoggingEngine())
    let first = try Self.run(scenario, on: a)
    let again = try Self.run(scenario, on: b)
    // The bytes that the process writes are those of other tests too, which run beside this one.
    func withoutWritten(_ result: RepetitionResult) -> [Sample] {
      result.samples.map { sample in
        var sample = sample
        sample.written = nil
        return sample
      }
    }
    #expect(withoutWritten(first) == withoutWritten(again))
    #expect(a.trace.lines == b.trace.lines)
    #expect(a.trace.withState { $0.versions.last } == b.trace.withState { $0.versions.last })
    scenario.seed += 1
    _ = try Self.run(scenario, on: c)
    #expect(a.trace.withState { $0.versions.last } != c.trace.withState { $0.versions.last })
  }

  @Test("a delete phase takes its share of the rows, a refill brings them back")
  func deleteAndRefill() throws {
    let engine = LoggingEngine()
    var scenario = Self.scenario([Self.writer])
    scenario.phases = [
      PhaseSpec(name: "trim", deleteShare: 0.85, deleteBatch: 30),
      PhaseSpec(name: "refill", refill: true),
    ]
    _ = try Self.run(scenario, on: engine)
    let counts = engine.trace.withState { $0.versions.map(\.count) }
    // Load; 85 rows in three transactions; all back in one.
    #expect(counts == [0, 100, 70, 40, 15, 100])
  }

  @Test("a launch policy is asked at every launch but that of a new database, with its reason")
  func launchPolicy() throws {
    let result = try Self.run(
      Self.scenario([Self.writer], launches: 3, policy: .everyLaunch), on: LoggingEngine())
    #expect(result.record.events.map(\.launch) == [1, 2, 3])
    #expect(result.record.events.map(\.event.outcome) == [.skipped, .finished, .finished])
    #expect(result.record.events[0].event.reason == "new database")
    #expect(
      result.samples.map(\.events).filter { !$0.isEmpty } == [
        "onLaunch skipped: new database",
        "onLaunch finished: every launch, totalBytes 3.30 kB; 3300 to 3300 bytes, 7 rewritten",
        "onLaunch finished: every launch, totalBytes 3.30 kB; 3300 to 3300 bytes, 7 rewritten",
      ])
    #expect(result.record.exact.rewritten == ByteCount(14))
  }

  @Test(
    "idle compaction runs after each stepped phase if the policy has it"
  )
  func idle() throws {
    for (preset, schedule, turns) in [
      (AutomaticPreset?.some(.idle), Schedule.stepped, 2), (.idle, .threads, 0),
      (.eager, .stepped, 0), (nil, .stepped, 0),
    ] {
      let engine = LoggingEngine()
      let policy = Policy(name: "own", automatic: true, preset: preset, onLaunch: .never)
      _ = try Self.run(
        Self.scenario([Self.writer], launches: 2, policy: policy), on: engine, schedule: schedule)
      let lines = engine.trace.lines
      #expect(lines.filter { $0 == "compact while idle" }.count == turns, "\(schedule)")
      if turns > 0 { #expect(lines.suffix(2) == ["compact while idle", "close"]) }
    }
  }

  @Test(
    "an engine's failure ends the run with its error, under both schedules, and nothing is held")
  func failure() throws {
    for schedule in Schedule.allCases {
      let engine = LoggingEngine(failsAfterCommits: 7)
      let reader = ClientSpec(name: "reader", kind: .reader(ReaderSpec(table: "Item")))
      #expect(throws: EngineError.self) {
        try Self.run(Self.scenario([Self.writer, reader]), on: engine, schedule: schedule)
      }
      #expect(engine.trace.withState { $0.snapshots } == 0)
      #expect(engine.trace.lines.last == "close")
    }
  }

  @Test("the threads schedule makes exactly the phase's commits with many writers")
  func threads() throws {
    let writers = (1...4).map {
      ClientSpec(name: "writer \($0)", kind: .writer(WriterSpec(table: "Item", updates: 1)))
    }
    let result = try Self.run(
      Self.scenario(writers, commits: 200), on: LoggingEngine(), schedule: .threads)
    #expect(result.record.exact.commits == 200)
    #expect(result.record.timing.commitLatency.count == 200)
  }
}
