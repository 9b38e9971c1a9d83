// Writers that keep to a schedule: on the virtual clock they take their turns by it; on the wall clock a stall counts for
// all that it delayed.
import EngineInterface
import Generators
import MetricModel
import RecordModel
import ScenarioModel
import SystemIO
import Testing
import WorkloadRunner

@Suite("Open loops")
struct OpenLoopTests {
  private func writer(
    _ name: String, _ pattern: ArrivalPattern, rate: LoadSpec.Rate, wave: RateWave? = nil
  ) -> ClientSpec {
    ClientSpec(
      name: name,
      kind: .writer(
        WriterSpec(
          table: "Item", updates: 1,
          load: LoadSpec(arrivals: .scheduled(pattern, wave), rate: rate))))
  }

  private func commitTimes(_ clients: [ClientSpec], commits: Int) throws -> [Int] {
    var scenario = CellRunTests.scenario(clients, commits: commits)
    scenario.sampling.everyCommits = 1
    return try CellRunTests.run(scenario, on: LoggingEngine()).samples.dropFirst().dropLast()
      .map(\.observation.time.microseconds)
  }

  @Test("on the virtual clock transactions are committed at their times")
  func steady() throws {
    let client = writer("writer", .steady, rate: .perSecond(1000))
    #expect(try commitTimes([client], commits: 5) == [1000, 2000, 3000, 4000, 5000])
    let bursts = writer("writer", .bursts(of: 3), rate: .perSecond(1000))
    #expect(try commitTimes([bursts], commits: 6) == [3000, 3000, 3000, 6000, 6000, 6000])
  }

  @Test("on the virtual clock a share of the maximum is one of 100 per s")
  func share() throws {
    let client = writer("writer", .steady, rate: .shareOfMaximum(0.5))
    #expect(try commitTimes([client], commits: 2) == [20_000, 40_000])
  }

  @Test("on the virtual clock a writer with more than its maximum to do falls behind its schedule")
  func overload() throws {
    let client = writer("writer", .steady, rate: .shareOfMaximum(2))
    // Due every 5 ms, and done every 10: what an absolute rate asks for has no such bound.
    #expect(try commitTimes([client], commits: 4) == [5000, 15_000, 25_000, 35_000])
    let bursts = writer("writer", .bursts(of: 3), rate: .shareOfMaximum(0.5))
    #expect(
      try commitTimes([bursts], commits: 6) == [60_000, 70_000, 80_000, 120_000, 130_000, 140_000])
  }

  @Test("two open loops take turns by their times, each at its own rate")
  func two() throws {
    let clients = [
      writer("fast", .steady, rate: .perSecond(1000)),
      writer("slow", .steady, rate: .perSecond(400)),
    ]
    #expect(
      try commitTimes(clients, commits: 8) == [1000, 2000, 2500, 3000, 4000, 5000, 5000, 6000])
  }

  @Test("beside a closed loop an open one is served when it is due, and not before")
  func mixed() throws {
    let closed = ClientSpec(
      name: "closed", kind: .writer(WriterSpec(table: "Item", updates: 1, rate: 1000)))
    let open = writer("open", .steady, rate: .perSecond(250))
    // The closed loop moves the clock by a millisecond a commit; each fourth is followed by one of the open loop.
    #expect(
      try commitTimes([closed, open], commits: 10)
        == [1000, 2000, 3000, 4000, 4000, 5000, 6000, 7000, 8000, 8000])
  }

  @Test("a Poisson schedule gives the same bytes and times again")
  func repeats() throws {
    let client = writer(
      "writer", .poisson, rate: .perSecond(50),
      wave: RateWave(swingPermille: 700, periodMicroseconds: 1_000_000))
    #expect(try commitTimes([client], commits: 200) == commitTimes([client], commits: 200))
  }

  @Test("time to think passes on the virtual clock")
  func think() throws {
    let load = LoadSpec(
      arrivals: .afterEach(think: VirtualTime(seconds: 0.5)), rate: .perSecond(1000))
    let client = ClientSpec(
      name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 1, load: load)))
    #expect(try commitTimes([client], commits: 2) == [501_000, 1_002_000])
  }

  @Test("a stall counts for all that it delayed, and as one slow commit in service latency")
  func stall() throws {
    // One commit of 400 stalls for 600 ms while 1000 per s are due: those of its first 200 ms, half of all, are late by
    // 400 ms and more on any machine, since time only passes.
    let engine = StallingEngine(stallingCommit: 10, nanoseconds: 600_000_000)
    let client = writer("writer", .steady, rate: .perSecond(1000))
    let timing = try CellRunTests.run(
      CellRunTests.scenario([client], commits: 400), on: engine, schedule: .threads
    ).record.timing
    let load = try #require(timing.openLoads.first)
    #expect(load.client == "writer" && load.ratePerSecond == 1000)
    #expect((load.intended.count, load.service.count) == (400, 400))
    #expect(load.intended.max >= 600_000_000 && load.service.max >= 600_000_000)
    #expect(load.intended.p50 >= 390_000_000)
    #expect(load.greatestDelay >= 590_000_000)
    #expect(timing.intendedLatency == load.intended)
    #expect(load.service.p50 < load.intended.p50, "one commit of 400 is not half of them")
  }

  @Test("a share of the maximum is measured first, and is the rate of the schedule")
  func measured() throws {
    let client = writer("writer", .steady, rate: .shareOfMaximum(0.5))
    let timing = try CellRunTests.run(
      CellRunTests.scenario([client], commits: 200), on: LoggingEngine(), schedule: .threads
    ).record.timing
    let load = try #require(timing.openLoads.first)
    let maximum = try #require(load.maximumPerSecond)
    #expect(load.ratePerSecond == maximum / 2 && maximum > 0)
    #expect(load.intended.count == 150)
    #expect(timing.commitLatency.count == 200)
  }

  @Test("each row written or read in a transaction is timed once")
  func operations() throws {
    let client = ClientSpec(
      name: "writer",
      kind: .writer(WriterSpec(table: "Item", inserts: 2, updates: 3, deletes: 1, reads: 4)))
    let timing = try CellRunTests.run(
      CellRunTests.scenario([client], commits: 300), on: LoggingEngine()
    ).record.timing
    #expect(timing.writeLatency.count == 1800)
    #expect(timing.readLatency.count == 1200)
    #expect(timing.sampling.samples == 32 && timing.sampling.looks >= 2)
  }
}

/// The trace engine, one of whose commits takes long.
private final class StallingEngine: Engine {
  private let base = LoggingEngine()
  private let stallingCommit: Int
  private let nanoseconds: UInt64

  init(stallingCommit: Int, nanoseconds: UInt64) {
    self.stallingCommit = stallingCommit
    self.nanoseconds = nanoseconds
  }

  var id: String { base.id }
  var mainFile: String { base.mainFile }
  var sidecarFiles: [String] { base.sidecarFiles }
  var capabilities: EngineCapabilities { base.capabilities }

  func open(_ folder: FilePath, _ options: SessionOptions) throws(EngineError) -> OpenedSession {
    var opened = try base.open(folder, options)
    let (trace, stallingCommit, nanoseconds) = (base.trace, stallingCommit, nanoseconds)
    opened.session = StallingSession(opened.session) {
      guard trace.lines.count(where: { $0 == "commit" }) == stallingCommit else { return }
      Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + nanoseconds)
    }
    return opened
  }
}

private final class StallingSession: EngineSession {
  private let base: any EngineSession
  private let beforeCommit: @Sendable () -> Void

  init(_ base: any EngineSession, beforeCommit: @escaping @Sendable () -> Void) {
    self.base = base
    self.beforeCommit = beforeCommit
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    try base.beginSnapshot(label: label)
  }
  func beginWrite() throws(EngineError) -> any EngineTransaction {
    StallingTransaction(try base.beginWrite(), beforeCommit)
  }
  func spaceUsage() throws(EngineError) -> SpaceUsage { try base.spaceUsage() }
  var bytesWritten: ByteCount? { base.bytesWritten }
  func drainEvents() -> [CompactionEvent] { base.drainEvents() }
  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try base.writeCompactedCopy(to: path)
  }
  func close() throws(EngineError) { try base.close() }
  func capability<Capability>(_ type: Capability.Type) -> Capability? { base.capability(type) }
}

private final class StallingTransaction: EngineTransaction {
  private let base: any EngineTransaction
  private let beforeCommit: () -> Void

  init(_ base: any EngineTransaction, _ beforeCommit: @escaping () -> Void) {
    self.base = base
    self.beforeCommit = beforeCommit
  }

  func put(_ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer)
    throws(EngineError)
  { try base.put(table, key, value) }
  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    try base.delete(table, key)
  }
  func read(_ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void)
    throws(EngineError) -> Bool
  { try base.read(table, key, body) }
  func commit() throws(EngineError) {
    beforeCommit()
    try base.commit()
  }
  func rollBack() { base.rollBack() }
}
