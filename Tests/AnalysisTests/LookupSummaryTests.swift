// Lookups over several runs: medians of the runs on real threads, and what more threads gain.
import Analysis
import Generators
import MetricModel
import Policies
import RecordModel
import ScenarioModel
import Testing

@Suite("Lookups over several runs")
struct LookupSummaryTests {
  private static func screens(_ threads: Int, open: Bool = false, reads: Int = 1) -> ClientSpec {
    var load = LoadSpec()
    if open { load.arrivals = .scheduled(.steady, nil) }
    return ClientSpec(
      name: "screens",
      kind: .lookups(LookupSpec(table: "Item", threads: threads, reads: reads, load: load)))
  }

  private static func figures(_ perSecond: Int, p50: Int = 10) -> LookupFigures {
    let span = LookupSpan(
      transactions: perSecond, operations: perSecond, nanoseconds: 1_000_000_000,
      service: LatencyPercentiles(
        count: perSecond, p50: p50, p90: 2 * p50, p99: 3 * p50, p999: 4 * p50, max: 5 * p50))
    return LookupFigures(
      client: "screens", threads: [span], together: span, snapshotCommits: .none)
  }

  /// A record in which each arm has the given transactions per second, run by run.
  private static func record(
    _ arms: [(spec: ArmSpec, perSecond: [Int])], schedule: RunSchedule = .both
  ) -> RunRecord {
    let usual = SmallRecord.Figures(policy: .never, size: 1)
    var record = SmallRecord.make([usual], schedule: schedule)
    record.scenario.arms = arms.map(\.spec)
    let cell = record.cells[0]
    record.cells = arms.map { arm in
      var own = cell
      own.key.arm = arm.spec.name
      var runs = cell.repetitions
      for index in runs.indices { runs[index].index = index + 2 }
      for (index, value) in arm.perSecond.enumerated() { runs[index].lookups = [figures(value)] }
      let timed = Array(runs.prefix(arm.perSecond.count))
      own.repetitions = schedule == .both ? [cell.repetitions[0]] : timed
      own.repetitions[0].lookups = [figures(1)]
      own.threadedRepetitions = schedule == .both ? timed : nil
      return own
    }
    return record
  }

  private static func arm(_ name: String, _ threads: Int) -> ArmSpec {
    ArmSpec(name: name, summary: "has \(name)", clients: [screens(threads)])
  }

  @Test("throughput is that of paired runs, over the arm with the fewest threads")
  func scaling() throws {
    let record = Self.record([
      (Self.arm("four", 4), [200, 600, 400]), (Self.arm("one", 1), [100, 200, 200]),
      (Self.arm("sixteen", 16), [50, 100, 100]),
    ])
    let found = record.lookupScaling
    #expect(found.map(\.arm) == ["four", "sixteen"] && found.map(\.threads) == [4, 16])
    #expect(found.allSatisfy { $0.baseArm == "one" && $0.baseThreads == 1 })
    // Ratios 2, 3 and 2. The averages of two logarithms are those of 2, 2, 2, √6, √6 and 3; their median is that of the
    // third and the fourth.
    let expected = (2 * 6.0.squareRoot()).squareRoot()
    #expect(abs(found[0].throughput.ratio - expected) < 1e-9 && found[0].throughput.pairs == 3)
    let interval = try #require(found[0].throughput.interval)
    #expect(abs(interval.low - 2) < 1e-9 && abs(interval.high - 3) < 1e-9)
    #expect(abs(interval.coverage - 0.75) < 1e-9)
    #expect(abs(found[1].throughput.ratio - 0.5) < 1e-9)
  }

  @Test("runs are paired by their number, and one without its pair does not count")
  func pairs() throws {
    var record = Self.record([
      (Self.arm("one", 1), [100, 200, 400]), (Self.arm("two", 2), [150, 900, 600]),
    ])
    record.cells[1].threadedRepetitions?.remove(at: 1)
    let found = try #require(record.lookupScaling.first)
    #expect(found.throughput.pairs == 2 && abs(found.throughput.ratio - 1.5) < 1e-9)
  }

  @Test("arms that differ in more than threads, and open loops, are no series")
  func series() {
    func series(_ arms: [ArmSpec]) -> [ThreadSeries] { ThreadSeries.all(arms) }
    var encrypted = Self.arm("two", 2)
    encrypted.isEncrypted = true
    #expect(series([Self.arm("one", 1), encrypted]).isEmpty)
    let more = ArmSpec(name: "more", clients: [Self.screens(2, reads: 2)])
    #expect(series([Self.arm("one", 1), more]).isEmpty)
    let open = [1, 2].map { ArmSpec(name: "\($0)", clients: [Self.screens($0, open: true)]) }
    #expect(series(open).isEmpty)
    var inPhase = Self.arm("two", 2)
    inPhase.inPhases = ["work": [Self.screens(3)]]
    #expect(series([Self.arm("one", 1), inPhase]).isEmpty)
    let none = ArmSpec(name: "none", clients: [])
    #expect(
      series([Self.arm("four", 4), none, Self.arm("one", 1), Self.arm("again", 4)]) == [
        ThreadSeries(
          client: "screens", arms: [.init("one", threads: 1), .init("four", threads: 4)])
      ])
  }

  @Test("without runs on real threads there is no throughput of threads")
  func steppedAlone() {
    let arms = [(Self.arm("one", 1), [100]), (Self.arm("two", 2), [200])]
    #expect(Self.record(arms, schedule: .stepped).lookupScaling.isEmpty)
    #expect(Self.record(arms, schedule: .threads).lookupScaling.count == 1)
    var interrupted = Self.record(arms)
    interrupted.cells[1].threadedRepetitions = []
    #expect(interrupted.lookupScaling.isEmpty)
  }

  @Test(
    "figures are medians over the runs on real threads, and of stepped runs where there is none")
  func medians() throws {
    var record = Self.record([(Self.arm("one", 1), [300, 100, 200])])
    for (run, p50) in [50, 10, 30].enumerated() {
      record.cells[0].threadedRepetitions?[run].lookups = [Self.figures(100 * (run + 1), p50: p50)]
      record.cells[0].threadedRepetitions?[run].timing.lockWait = LatencyPercentiles(
        count: 4, p50: p50, p90: p50, p99: p50, p999: p50, max: 10 * p50)
    }
    let found = try #require(record.lookupSummaries.first)
    #expect(found.schedule == .threads && found.runCount == 3 && found.client == "screens")
    #expect(found.together.transactions == 200 && found.together.perSecond == 200)
    let service = try #require(found.together.service)
    #expect([service.p50, service.p90, service.p99, service.p999] == [30, 60, 90, 120])
    #expect(service.max == 150 && found.slowestThreadP99 == 90)
    #expect(found.together.intended == nil && found.beforeCompaction == nil)
    let wait = try #require(record.lockWaits.first)
    #expect(wait.runCount == 3 && wait.wait.p50 == 30 && wait.wait.max == 300)
    for runs in [[], nil] as [[RepetitionRecord]?] {
      record.cells[0].threadedRepetitions = runs
      let stepped = try #require(record.lookupSummaries.first)
      #expect(stepped.schedule == .stepped && stepped.together.transactions == 1)
      #expect(record.lockWaits.isEmpty)
    }
  }
}
