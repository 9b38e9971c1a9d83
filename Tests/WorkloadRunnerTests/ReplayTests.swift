import EngineInterface
import MetricModel
import RecordModel
import ScenarioModel
import SystemIO
import TestSupport
import Testing
import TraceFormat

@testable import WorkloadRunner

@Suite("Recording a run and replaying it")
struct ReplayTests {
  /// Everything that a run may ask of an engine.
  static func scenario(launches: Int = 2) -> Scenario {
    var writer = WriterSpec(table: "Item", inserts: 1, updates: 2, deletes: 1, rate: 100)
    writer.reads = 1
    writer.scans = 1
    writer.scanLength = 5
    let clients = [
      ClientSpec(name: "writer", kind: .writer(writer)),
      ClientSpec(
        name: "reader",
        kind: .reader(ReaderSpec(table: "Item", whileBlocked: .refreshes(everyCommits: 7)))),
      ClientSpec(
        name: "frozen", kind: .frozen(FrozenSpec(table: "Item", takeEveryCommits: 3, window: 2))),
      ClientSpec(
        name: "jobs", kind: .queues(QueueSpec(table: "Item", queues: 2, release: .never))),
    ]
    var scenario = CellRunTests.scenario(clients, launches: launches, policy: .everyLaunch)
    scenario.phases.insert(PhaseSpec(name: "trim", deleteShare: 0.5, deleteBatch: 30), at: 1)
    scenario.phases.append(PhaseSpec(name: "refill", refill: true))
    return scenario
  }

  static func job(
    _ scenario: Scenario, _ schedule: Schedule, _ folder: FilePath, _ trace: TraceUse?
  ) -> CellJob {
    CellJob(
      scenario: scenario,
      key: CellKey(engine: "trace", policy: scenario.policies[0].name, arm: "only"),
      repetition: 1, schedule: schedule, seed: scenario.seed, folder: folder.string, trace: trace)
  }

  static func record(
    _ scenario: Scenario, on engine: any Engine, schedule: Schedule, to file: FilePath
  ) throws -> RepetitionResult {
    try withFolder { folder in
      let use = TraceUse.record(file: file.string, program: "test")
      return try CellRun(job(scenario, schedule, folder, use), on: engine).run()
    }
  }

  static func replay(
    _ file: FilePath, _ scenario: Scenario, on engine: any Engine
  ) throws -> RepetitionResult {
    try withFolder { folder in
      try TraceReplay(
        job(scenario, .stepped, folder, nil), on: engine, trace: file, speed: nil
      ).run()
    }
  }

  static func withFolder<R>(_ body: (FilePath) throws -> R) throws -> R {
    let folder = try FileSystem.makeTemporaryFolder(prefix: "replay-test")
    defer { try? FileSystem.removeTree(folder) }
    return try body(folder)
  }

  /// The bytes that the process writes are those of other tests too, which run beside this one.
  static func withoutWritten(_ samples: [Sample]) -> [Sample] {
    samples.map { sample in
      var sample = sample
      sample.written = nil
      return sample
    }
  }

  @Test(
    "a replay makes the same calls of the engine as the recorded run, and records the same figures")
  func same() throws {
    try Self.withFolder { folder in
      let file = folder.appending("a.trace")
      let scenario = Self.scenario()
      let (recorded, replayed) = (LoggingEngine(), LoggingEngine())
      let run = try Self.record(scenario, on: recorded, schedule: .stepped, to: file)
      let again = try Self.replay(file, scenario, on: replayed)
      #expect(recorded.trace.lines == replayed.trace.lines)
      #expect(Self.withoutWritten(run.samples) == Self.withoutWritten(again.samples))
      #expect(run.record.pins == again.record.pins)
      #expect(run.record.phases == again.record.phases)
      #expect(run.record.events == again.record.events)
      #expect(run.record.exact.operations == again.record.exact.operations)
      #expect(run.record.exact.requested == again.record.exact.requested)
    }
  }

  @Test("being recorded changes nothing of a run")
  func unchanged() throws {
    try Self.withFolder { folder in
      let scenario = Self.scenario()
      let (plain, recorded) = (LoggingEngine(), LoggingEngine())
      let run = try CellRunTests.run(scenario, on: plain)
      let file = folder.appending("a.trace")
      let again = try Self.record(scenario, on: recorded, schedule: .stepped, to: file)
      #expect(plain.trace.lines == recorded.trace.lines)
      #expect(Self.withoutWritten(run.samples) == Self.withoutWritten(again.samples))
    }
  }

  @Test("the recording engine hands on whatever the contract has")
  func handsOn() throws {
    let contract = try Repository.text("Sources/EngineInterface/EngineSession.swift")
    let recording = try Repository.text("Sources/WorkloadRunner/Traces/RecordingEngine.swift")
    let begin = try #require(contract.firstRange(of: "package protocol EngineSession"))
    let end = try #require(contract.firstRange(of: "/// A read transaction: one version"))
    let members = contract[begin.lowerBound..<end.lowerBound]
      .matches(of: #/(?m)^  (?:func|var) (\w+)/#).map(\.1)
    #expect(members.count == 8)
    for member in Set(members) { #expect(recording.contains("inner.\(member)"), "\(member)") }
  }

  @Test("two recordings of one stepped run are the same bytes")
  func repeats() throws {
    try Self.withFolder { folder in
      let (a, b) = (folder.appending("a.trace"), folder.appending("b.trace"))
      for file in [a, b] {
        _ = try Self.record(Self.scenario(), on: LoggingEngine(), schedule: .stepped, to: file)
      }
      #expect(try FileSystem.read(a) == FileSystem.read(b))
    }
  }

  @Test("a recording of threads is replayed in its order: every snapshot reads what it read")
  func threads() throws {
    try Self.withFolder { folder in
      let file = folder.appending("a.trace")
      let scenario = Self.scenario(launches: 1)
      let (recorded, replayed) = (LoggingEngine(), LoggingEngine())
      let run = try Self.record(scenario, on: recorded, schedule: .threads, to: file)
      let again = try Self.replay(file, scenario, on: replayed)
      #expect(run.record.exact.commits == again.record.exact.commits)
      #expect(run.record.exact.requested == again.record.exact.requested)
      // Rows of every version are keyed alike, and as many snapshots of each version were taken.
      let (before, after) = (recorded.trace, replayed.trace)
      #expect(
        before.withState { $0.versions.map { $0.keys.sorted() } }
          == after.withState { $0.versions.map { $0.keys.sorted() } })
      func deciding(_ lines: [String]) -> [String] {
        lines.filter { ["begin", "commit", "refresh", "end"].contains($0.prefix { $0 != " " }) }
      }
      #expect(deciding(before.lines) == deciding(after.lines))
      #expect(try TraceSurvey(of: file).threads > 1)
    }
  }

  @Test("commits that a limit refused are rolled back in the replay, which ends with the same rows")
  func refused() throws {
    try Self.withFolder { folder in
      let file = folder.appending("a.trace")
      let writer = WriterSpec(table: "Item", inserts: 1, deletes: 1)
      var scenario = CellRunTests.scenario([ClientSpec(name: "writer", kind: .writer(writer))])
      scenario.arms[0].limits = LimitSpec(versions: 5)
      let (recorded, replayed) = (LoggingEngine(failsAfterCommits: 11), LoggingEngine())
      let run = try Self.record(scenario, on: recorded, schedule: .stepped, to: file)
      let again = try Self.replay(file, scenario, on: replayed)
      #expect(run.record.refusals?.first?.count ?? 0 > 1)
      #expect(again.record.exact.commits == run.record.exact.commits)
      #expect(
        recorded.trace.withState { $0.versions.last?.keys.sorted() }
          == replayed.trace.withState { $0.versions.last?.keys.sorted() })
    }
  }

  @Test("a failed run leaves a trace without an end, which is refused")
  func unfinished() throws {
    try Self.withFolder { folder in
      let file = folder.appending("a.trace")
      #expect(throws: EngineError.self) {
        try Self.record(
          Self.scenario(), on: LoggingEngine(failsAfterCommits: 7), schedule: .stepped, to: file)
      }
      do {
        _ = try Self.replay(file, Self.scenario(), on: LoggingEngine())
        Issue.record("an unfinished trace is replayed")
      } catch let error as TraceError { #expect(error.code == .unfinished) }
    }
  }

  @Test(
    "what no trace has is not recorded, and no file is left",
    arguments: ["encrypted", "seed file", "crash", "other processes"])
  func untraceable(_ words: String) throws {
    var scenario = Self.scenario()
    #expect(scenario.unsupportedReason(recording: scenario.arms[0]) == nil)
    switch words {
    case "encrypted": scenario.arms[0].isEncrypted = true
    case "seed file": scenario.lifecycle.isSeeded = true
    case "crash": scenario.lifecycle.crashes = [1]
    default:
      scenario.arms[0].clients.append(
        ClientSpec(name: "other", kind: .process(ProcessSpec(table: "Item", work: .idles))))
    }
    try Self.withFolder { folder in
      let file = folder.appending("a.trace")
      do {
        _ = try Self.record(scenario, on: LoggingEngine(), schedule: .stepped, to: file)
        Issue.record("a scenario with \(words) is recorded")
      } catch let error as RunnerError { #expect(error.description.contains(words), "\(error)") }
      #expect(!FileSystem.exists(file))
    }
  }

  @Test("gaps that vary and hours of sleep are the same times in the replay")
  func gaps() throws {
    var scenario = Self.scenario(launches: 5)
    scenario.lifecycle.gapSigmaPermille = 1000
    scenario.lifecycle.awake = .init(from: 7, to: 23)
    try Self.withFolder { folder in
      let file = folder.appending("a.trace")
      let run = try Self.record(scenario, on: LoggingEngine(), schedule: .stepped, to: file)
      let again = try Self.replay(file, scenario, on: LoggingEngine())
      #expect(Set(run.samples.map(\.observation.launch)).count == 5)
      #expect(Self.withoutWritten(again.samples) == Self.withoutWritten(run.samples))
    }
  }

  @Test(
    "a trace that makes no sense names the record, and nothing stays open",
    arguments: [
      ([TraceRecord(.put, key: 1, size: 1)], 3, "put without a write transaction"),
      (
        [TraceRecord(.beginWrite), TraceRecord(.beginWrite)], 4,
        "a write transaction is already open"
      ),
      ([TraceRecord(.refresh, number: 4)], 3, "snapshot 4 does not exist"),
      (
        [TraceRecord(.snapshot, number: 1), TraceRecord(.snapshot, number: 1)], 4,
        "snapshot 1 already exists"
      ),
      ([TraceRecord(.unpin, number: 9)], 3, "pin 9 does not exist"),
      ([TraceRecord(.open)], 3, "the database is already open"),
      (
        [TraceRecord(.snapshot, number: 1), TraceRecord(.close)], 4,
        "the database is closed while transactions are open"
      ),
      (
        [TraceRecord(.beginWrite), TraceRecord(.put, table: 5)], 4,
        "table 5 does not exist; the header lists 1"
      ),
      ([TraceRecord(.snapshot, number: 1)], 3, "the trace ends while the database is open"),
      ([TraceRecord(.close), TraceRecord(.sample)], 4, "the database is not open"),
    ])
  func invalid(_ records: [TraceRecord], _ number: Int, _ words: String) throws {
    try Self.withFolder { folder in
      let file = folder.appending("a.trace")
      let origin = TraceHeader.Origin(
        scenario: "s", arm: "only", engine: "trace", engineVersion: "1", policy: "never",
        policyRule: "never", program: "test")
      let writer = try TraceWriter(
        file,
        TraceHeader(
          origin: origin, tables: [.init(name: "Item", rows: 1)], clock: .virtual, durable: false,
          sampleEveryCommits: 10, seed: 1))
      let all = [TraceRecord(.launch, number: 1), TraceRecord(.open)] + records
      for record in all { try writer.append(record) }
      try writer.finish()
      let engine = LoggingEngine()
      do {
        _ = try Self.replay(file, Self.scenario(), on: engine)
        Issue.record("\(words): is replayed")
      } catch let error as TraceError {
        #expect(error.code == .invalid)
        #expect(error.message.contains("record \(number): \(words)"), "\(error)")
      }
      #expect(engine.trace.withState { $0.snapshots } == 0)
      #expect(engine.trace.lines.last == "close")
    }
  }

  @Test("a replay has the recorded times scaled by its speed, and never waits between launches")
  func pace() {
    func due(_ speed: Double?) -> [UInt64] {
      nonisolated(unsafe) var waits: [UInt64] = []
      var pace = ReplayPace(
        speed: speed, now: { 1_000_000 }, sleep: { waits.append($0 - 1_000_000) })
      pace.beginLaunch(at: 0)
      pace.wait(for: 50)
      pace.wait(for: 80)
      // Eight hours later.
      pace.beginLaunch(at: 28_800_000_000)
      pace.wait(for: 28_800_000_000)
      pace.wait(for: 28_800_000_010)
      return waits
    }
    #expect(due(1) == [50_000, 80_000, 10_000])
    #expect(due(10) == [5000, 8000, 1000])
    #expect(due(0.5) == [100_000, 160_000, 20_000])
    #expect(due(nil) == [])
  }
}
