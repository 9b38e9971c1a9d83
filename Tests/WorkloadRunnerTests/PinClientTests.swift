// Clients whose purpose is to pin versions, on an engine that logs all calls.
import Foundation
import Generators
import MetricModel
import RecordModel
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Clients that pin")
struct PinClientTests {
  /// On a thread of its own: a run waits for its clients' tasks, and a test has one of the few threads that tasks run on.
  private func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  private func run(
    _ kind: ClientSpec.Kind, commits: Int = 100, launches: Int = 1, on engine: LoggingEngine,
    schedule: Schedule = .stepped
  ) throws -> RepetitionResult {
    try CellRunTests.run(
      CellRunTests.scenario(
        [CellRunTests.writer, ClientSpec(name: "client", kind: kind)], commits: commits,
        launches: launches), on: engine, schedule: schedule)
  }

  @Test(
    "pins of a fixed lifetime overlap as often as they are taken within it, for every holder",
    arguments: PinsSpec.Holder.allCases, Schedule.allCases)
  func overlap(_ holder: PinsSpec.Holder, _ schedule: Schedule) async throws {
    let engine = LoggingEngine()
    let spec = PinsSpec(
      table: "Item", takeEveryCommits: 10, lifetime: .fixed(commits: 35), heldBy: holder)
    let result = try await onThread { try run(.pins(spec), on: engine, schedule: schedule) }
    #expect(engine.trace.withState { $0.snapshots } == 0)
    let most = engine.trace.withState { $0.greatestSnapshots }
    if schedule == .stepped {
      #expect((3...5).contains(most))
      #expect(result.record.pins.allSatisfy { $0.lastCommit - $0.firstCommit <= 45 })
    }
    #expect(result.record.pins.allSatisfy { $0.holder == "client" })
  }

  @Test("no more pins are held than the most, however long they live")
  func most() throws {
    let engine = LoggingEngine()
    let spec = PinsSpec(
      table: "Item", takeEveryCommits: 5, atOnce: 3, maxHeld: 4, lifetime: .fixed(commits: 1000))
    _ = try run(.pins(spec), on: engine)
    #expect(engine.trace.withState { $0.greatestSnapshots } == 4)
    #expect(engine.trace.lines.filter { $0 == "begin client" }.count == 4)
  }

  @Test(
    "a leak outlives its phase and goes with its launch, before the session closes",
    arguments: PinsSpec.Holder.allCases)
  func leak(_ holder: PinsSpec.Holder) async throws {
    let engine = LoggingEngine()
    let spec = PinsSpec(table: "Item", takeEveryCommits: 50, lifetime: .never, heldBy: holder)
    let scenario = CellRunTests.scenario(
      [CellRunTests.writer, ClientSpec(name: "client", kind: .pins(spec))], commits: 90,
      launches: 2)
    let result = try await onThread {
      var longer = scenario
      longer.phases.append(PhaseSpec(name: "later", commits: 30, clients: ["writer"]))
      return try CellRunTests.run(longer, on: engine)
    }
    let later = result.samples.filter { $0.phase == "later" }
    #expect(!later.isEmpty)
    #expect(later.allSatisfy { $0.observation.pins == 2 })
    #expect(engine.trace.lines.filter { $0 == "close" }.count == 2)
    #expect(engine.trace.withState { $0.snapshots } == 0)
  }

  @Test("an observer holds the version that it delivered last, and two while its callback runs")
  func observer() throws {
    let engine = LoggingEngine()
    let spec = ObserverSpec(table: "Item", callbackCommits: 5)
    let result = try run(.observers(spec), on: engine)
    #expect(engine.trace.withState { $0.greatestSnapshots } == 2)
    #expect(result.samples.allSatisfy { $0.observation.oldestPinLag < 20 })
    #expect(engine.trace.withState { $0.snapshots } == 0)
  }

  @Test("a stalled observer lags by every commit until its stall is over")
  func stalled() throws {
    let engine = LoggingEngine()
    let spec = ObserverSpec(table: "Item", stallsAfterCommits: 20, stallsForCommits: 50)
    let result = try run(.observers(spec), on: engine)
    let lags = Dictionary(
      result.samples.filter { $0.phase == "work" }
        .map { ($0.observation.commits, $0.observation.oldestPinLag) },
      uniquingKeysWith: max)
    #expect(lags[70].map { $0 >= 50 } == true)
    #expect(lags[90].map { $0 < 15 } == true)
    let endless = try run(
      .observers(ObserverSpec(table: "Item", stallsAfterCommits: 20)), on: LoggingEngine())
    #expect(endless.samples.map(\.observation.oldestPinLag).max().map { $0 >= 80 } == true)
  }

  @Test(
    "queued writers pin a version each, of different ages; those that release it before queuing pin none"
  )
  func queuedWriters() throws {
    func spec(_ holds: Bool) -> ClientSpec.Kind {
      .queuedWriters(
        QueuedWriterSpec(
          writer: WriterSpec(table: "Item", updates: 1), threads: 8, holdsWhileQueued: holds))
    }
    func run(_ kind: ClientSpec.Kind, _ schedule: Schedule = .stepped) throws -> RepetitionResult {
      let engine = LoggingEngine()
      let clients = [ClientSpec(name: "line", kind: kind)]
      let result = try CellRunTests.run(
        CellRunTests.scenario(clients, commits: 64), on: engine, schedule: schedule)
      #expect(engine.trace.withState { $0.snapshots } == 0)
      #expect(result.record.exact.commits == 64)
      return result
    }
    let holding = try run(spec(true))
    let within = holding.samples.filter { $0.phase == "work" }.dropLast()
    #expect(within.allSatisfy { $0.observation.pins == 7 })
    #expect(within.allSatisfy { $0.observation.oldestPinLag == 7 })
    #expect(try run(spec(false)).samples.allSatisfy { $0.observation.pins == 0 })
    _ = try run(spec(true), .threads)
  }

  @Test("a queue's pool drains once the queue was idle, and not while jobs come sooner")
  func idleQueues() throws {
    func most(_ commits: Int) throws -> Int {
      let engine = LoggingEngine()
      let spec = QueueSpec(
        table: "Item", queues: 2, isTargeted: true, jobEveryCommits: 5,
        release: .idle(forCommits: commits))
      _ = try run(.queues(spec), on: engine)
      #expect(engine.trace.withState { $0.snapshots } == 0)
      return engine.trace.withState { $0.greatestSnapshots }
    }
    // Each of two queues has a job after every tenth commit.
    #expect(try most(4) <= 3)
    #expect(try most(40) >= 15)
  }

  @Test("every kind of client repeats to the byte under the stepped schedule")
  func repeats() async throws {
    let kinds: [ClientSpec.Kind] = [
      .pins(
        PinsSpec(
          table: "Item", lifetime: .logNormal(median: 20, sigmaPermille: 1000), heldBy: .actor)),
      .pins(
        PinsSpec(table: "Item", lifetime: .pareto(least: 5, alphaPermille: 1200), heldBy: .tasks)),
      .observers(ObserverSpec(table: "Item", observers: 3, callbackCommits: 4)),
      .queuedWriters(QueuedWriterSpec(writer: WriterSpec(table: "Item", inserts: 1, deletes: 1))),
    ]
    for kind in kinds {
      let engines = [LoggingEngine(), LoggingEngine()]
      for engine in engines { _ = try await onThread { try run(kind, on: engine) } }
      #expect(engines[0].trace.lines == engines[1].trace.lines)
    }
  }
}
