// Clients of lookups: how many transactions they make, in which versions, and what is recorded of them.
import EngineInterface
import Generators
import MetricModel
import RecordModel
import ScenarioModel
import SystemIO
import Testing
import WorkloadRunner

@Suite("Lookups")
struct LookupTests {
  static func lookups(
    threads: Int = 1, reads: Int = 2, scans: Int = 0, load: LoadSpec = LoadSpec(),
    transactionsPerSnapshot: Int = 1, timing: LookupSpec.Timing = .transactions
  ) -> ClientSpec {
    ClientSpec(
      name: "lookups",
      kind: .lookups(
        LookupSpec(
          table: "Item", threads: threads, reads: reads, scans: scans, scanLength: 7, load: load,
          transactionsPerSnapshot: transactionsPerSnapshot, timing: timing)))
  }

  static func alone(
    _ client: ClientSpec, transactions: Int? = nil, time: VirtualTime? = nil
  ) -> Scenario {
    var phase = PhaseSpec(name: "work", clients: [client.name])
    phase.lookupTransactions = transactions
    phase.lookupTime = time
    return CellRunTests.scenario([client], phase: phase)
  }

  private func figures(_ result: RepetitionResult) throws -> LookupFigures {
    try #require(result.record.lookups?.first)
  }

  @Test(
    "without a writer each client makes its transactions, divided among its threads",
    arguments: [Schedule.stepped, .threads])
  func transactions(schedule: Schedule) throws {
    let scenario = Self.alone(Self.lookups(threads: 3, reads: 4, scans: 1), transactions: 20)
    let engine = LoggingEngine()
    let result = try CellRunTests.run(scenario, on: engine, schedule: schedule)
    let figures = try figures(result)
    #expect(figures.together.transactions == 20 && figures.together.operations == 100)
    #expect(figures.threads.map(\.transactions) == [7, 7, 6])
    #expect(figures.threads.map(\.service.count) == [7, 7, 6])
    #expect(figures.missingRows == 0)
    #expect(engine.trace.lines.filter { $0 == "begin lookups" }.count == 20)
    #expect(engine.trace.withState { $0.snapshots } == 0)
    #expect(result.record.timing.lookups?.transactions == 20)
  }

  @Test("on the virtual clock threads read at their rate beside a writer, a first time at once")
  func besideWriter() throws {
    let client = Self.lookups(threads: 2, load: LoadSpec(rate: .perSecond(50)))
    let scenario = CellRunTests.scenario([CellRunTests.writer, client], commits: 40)
    let result = try CellRunTests.run(scenario, on: LoggingEngine())
    // 40 commits at 100 a second last 400 ms, in which each thread begins every 20 ms, the first time at the beginning.
    #expect(try figures(result).threads.map(\.transactions) == [21, 21])
    #expect(try figures(result).snapshotCommits.max == 0)
  }

  @Test("writers take the same turns and make the same bytes with lookups and without")
  func leaveWritersAlone() throws {
    let writers = ["a", "b"].map {
      ClientSpec(name: $0, kind: .writer(WriterSpec(table: "Item", inserts: 1, deletes: 1)))
    }
    let with = LoggingEngine()
    let without = LoggingEngine()
    let client = Self.lookups(threads: 3)
    let first = try CellRunTests.run(
      CellRunTests.scenario(writers + [client], commits: 60), on: with)
    let second = try CellRunTests.run(CellRunTests.scenario(writers, commits: 60), on: without)
    #expect(first.samples.map(\.observation) == second.samples.map(\.observation))
    #expect(with.trace.withState { $0.versions } == without.trace.withState { $0.versions })
    #expect(second.record.lookups == nil && second.record.timing.lookups == nil)
  }

  @Test(
    "a snapshot kept for several transactions lives for the commits made meanwhile, and is a pin")
  func kept() throws {
    let client = Self.lookups(
      load: LoadSpec(rate: .perSecond(100)), transactionsPerSnapshot: 5)
    var scenario = CellRunTests.scenario([CellRunTests.writer, client], commits: 40)
    scenario.sampling.everyCommits = 7
    let engine = LoggingEngine()
    let result = try CellRunTests.run(scenario, on: engine)
    // One transaction at each commit's time: five of them span four commits.
    #expect(try figures(result).snapshotCommits.max == 4)
    #expect(try figures(result).snapshotCommits.count == 9)
    #expect(result.samples.contains { $0.observation.pins == 1 })
    #expect(engine.trace.withState { $0.snapshots } == 0)
  }

  @Test(
    "a phase of lookups for a time makes as many as fit into it, and the clock then shows its end")
  func forATime() throws {
    let client = Self.lookups(threads: 2, load: LoadSpec(rate: .perSecond(10)))
    let result = try CellRunTests.run(
      Self.alone(client, time: VirtualTime(seconds: 2)), on: LoggingEngine())
    #expect(try figures(result).together.transactions == 40)
    #expect(result.samples.last?.observation.time == VirtualTime(seconds: 2))
    let real = try CellRunTests.run(
      Self.alone(client, time: VirtualTime(seconds: 0.05)), on: LoggingEngine(), schedule: .threads)
    #expect(try figures(real).together.transactions >= 2)
    #expect(real.record.timing.wall >= 50_000_000)
  }

  @Test(
    "by a schedule the transactions of all threads together come at its rate",
    arguments: [Schedule.stepped, .threads])
  func open(schedule: Schedule) throws {
    let load = LoadSpec(arrivals: .scheduled(.poisson, nil), rate: .perSecond(2000))
    let client = Self.lookups(threads: 4, load: load)
    let result = try CellRunTests.run(
      Self.alone(client, transactions: 50), on: LoggingEngine(), schedule: schedule)
    let figures = try figures(result)
    #expect(figures.together.transactions == 50)
    #expect(figures.together.intended.count == (schedule == .threads ? 50 : 0))
    #expect(figures.rate == (schedule == .threads ? 2000 : nil))
    #expect(figures.together.intended.max >= figures.together.intended.p999)
  }

  @Test(
    "an open loop with a wave reads least when its phase begins, and its mean rate over a period")
  func wave() throws {
    func reads(_ wave: RateWave?, seconds: Double) throws -> Int {
      let load = LoadSpec(arrivals: .scheduled(.steady, wave), rate: .perSecond(1000))
      let scenario = Self.alone(
        Self.lookups(threads: 2, load: load), time: VirtualTime(seconds: seconds))
      return try figures(CellRunTests.run(scenario, on: LoggingEngine())).together.transactions
    }
    let wave = RateWave(swingPermille: 800, periodMicroseconds: 1_000_000)
    #expect((248...251).contains(try reads(nil, seconds: 0.25)))
    // The integral of 1000 · (1 − 0.8 · cos(2πt)) over the first quarter is 250 − 400 / π, about 123.
    #expect((119...127).contains(try reads(wave, seconds: 0.25)))
    #expect((990...1010).contains(try reads(wave, seconds: 1)))
  }

  @Test("on real threads a wave leaves no transaction out, and each has its intended latency")
  func waveOnThreads() throws {
    let wave = RateWave(swingPermille: 900, periodMicroseconds: 20_000)
    let load = LoadSpec(arrivals: .scheduled(.poisson, wave), rate: .perSecond(2000))
    let result = try CellRunTests.run(
      Self.alone(Self.lookups(threads: 3, load: load), transactions: 60), on: LoggingEngine(),
      schedule: .threads)
    let figures = try figures(result)
    #expect(figures.together.transactions == 60 && figures.together.intended.count == 60)
    #expect(figures.rate == 2000)
  }

  @Test(
    "64 threads read beside a writer, and each has figures of its own", arguments: Schedule.allCases
  )
  func manyThreads(schedule: Schedule) throws {
    let client = Self.lookups(threads: 64)
    let engine = LoggingEngine()
    let alone = try figures(
      CellRunTests.run(Self.alone(client, transactions: 640), on: engine, schedule: schedule))
    #expect(alone.threads.map(\.transactions) == [Int](repeating: 10, count: 64))
    #expect(alone.together.transactions == 640 && alone.missingRows == 0)
    #expect(engine.trace.withState { $0.snapshots } == 0)
    let scenario = CellRunTests.scenario([CellRunTests.writer, client], commits: 20)
    let result = try CellRunTests.run(scenario, on: LoggingEngine(), schedule: schedule)
    #expect(result.record.exact.commits == 20)
    let beside = try figures(result)
    #expect(beside.threads.count == 64)
    #expect(beside.threads.reduce(0) { $0 + $1.transactions } == beside.together.transactions)
  }

  @Test("a share of the maximum rate is one of the rate that all threads reach together")
  func share() throws {
    let load = LoadSpec(arrivals: .scheduled(.steady, nil), rate: .shareOfMaximum(0.5))
    let client = Self.lookups(threads: 2, load: load)
    let result = try CellRunTests.run(
      Self.alone(client, transactions: 30), on: LoggingEngine(), schedule: .threads)
    let figures = try figures(result)
    let maximum = try #require(figures.maximumRate)
    #expect(maximum > 0 && figures.rate == 0.5 * maximum)
    // The measurement's transactions follow no schedule.
    #expect(figures.together.intended.count == 30)
    #expect(figures.together.transactions == 30 + 2 * 100)
  }

  @Test("lookups follow the rows that are there: after deletions and insertions they miss none")
  func followRows() throws {
    let writer = ClientSpec(
      name: "writer",
      kind: .writer(WriterSpec(table: "Item", inserts: 5, deletes: 5, keys: .fifo)))
    let client = Self.lookups(reads: 10)
    let scenario = CellRunTests.scenario([writer, client], commits: 100)
    // 500 rows came and went; the table began with 100.
    let result = try CellRunTests.run(scenario, on: LoggingEngine())
    #expect(try figures(result).missingRows == 0)
    #expect(try figures(result).together.operations == 101 * 10)
  }

  @Test("reads are timed one by one if that is asked for, and are figures of reads")
  func timedOperations() throws {
    for timing in LookupSpec.Timing.allCases {
      let result = try CellRunTests.run(
        Self.alone(Self.lookups(reads: 6, timing: timing), transactions: 10), on: LoggingEngine(),
        schedule: .threads)
      let timed = timing == .operations ? 60 : 0
      #expect(result.record.timing.readLatency.count == timed)
      #expect(result.timings.reduce(0) { $0 + $1.readLatency.count } == timed)
      #expect(result.timings.reduce(0) { $0 + $1.lookupLatency.count } == 10)
    }
  }

  @Test("beside several writers the wait for the write lock is a figure of its own")
  func lockWait() throws {
    let writers = ["a", "b"].map {
      ClientSpec(name: $0, kind: .writer(WriterSpec(table: "Item", updates: 1)))
    }
    let two = CellRunTests.scenario(writers, commits: 40)
    let result = try CellRunTests.run(two, on: LoggingEngine(), schedule: .threads)
    #expect(result.record.timing.lockWait?.count == 40)
    #expect(result.timings.reduce(0) { $0 + $1.lockWait.count } == 40)
    let one = CellRunTests.scenario([CellRunTests.writer])
    #expect(
      try CellRunTests.run(one, on: LoggingEngine(), schedule: .threads).record.timing.lockWait
        == nil)
    #expect(try CellRunTests.run(two, on: LoggingEngine()).record.timing.lockWait == nil)
  }

  @Test("an error of a lookup ends the run, on either schedule", arguments: Schedule.allCases)
  func fails(schedule: Schedule) {
    let scenario = CellRunTests.scenario(
      [CellRunTests.writer, Self.lookups(threads: 2)], commits: 1000)
    // On threads the writer may end before there are many reads.
    let engine = DelayingEngine(failsAtRead: schedule == .threads ? 1 : 30)
    #expect(throws: EngineError.self) {
      try CellRunTests.run(scenario, on: engine, schedule: schedule)
    }
  }
}
