// Rules by look-ups: they decide as the predicate that they are printed as, and a search finds a planted threshold.
import Generators
import LaunchSchedules
import MetricModel
import Objective
import Policies
import RecordModel
import Testing

@Suite("Tuned rules")
struct TunedRuleTests {
  /// A rule of each family, drawn.
  private static func rule(_ family: PolicyFamily, _ stream: inout RandomStream) -> TunedRule {
    func size() -> Int { (100 + Int(stream.next(below: 900))) * 1000 }
    return switch family {
    case .sizeAndShare: TunedRule(family, size(), 1 + Int(stream.next(below: 99)))
    case .freeBytes, .squareRoot: TunedRule(family, size())
    case .multiple: TunedRule(family, 101 + Int(stream.next(below: 900)))
    case .capped: TunedRule(family, size(), 1 + Int(stream.next(below: 300)))
    case .boundedCopy: TunedRule(family, size() / 4, size())
    case .everyLaunches: TunedRule(family, 1 + Int(stream.next(below: 6)))
    case .everyHours, .rentOrBuy: TunedRule(family, 1 + Int(stream.next(below: 60)))
    }
  }

  /// The schedule of a rule, launch by launch through the predicate that it is printed as.
  private static func schedule(_ rule: TunedRule, _ cell: HandMadeCell) throws -> [Int] {
    let policy = try Policy(parsing: rule.policy)
    var schedule: [Int] = []
    var (waste, compaction, launched) = (0.0, 0, VirtualTime.zero)
    var time = VirtualTime.zero
    for launch in 2...cell.launchCount {
      let run = cell.run("own", schedule, .check)
      time = run.launches[..<(launch - 1)].reduce(.zero) { $0 + $1.time }
      let values = try #require(run.launches[launch - 1].callback)
      let (total, used) = (values.totalBytes, values.usedBytes)
      waste += Double((total - used).bytes) * (time - launched).seconds
      let began = run.launches[..<max(0, compaction - 1)].reduce(VirtualTime.zero) { $0 + $1.time }
      var observation = Observation(
        time: time, launch: launch, commits: 0,
        space: SpaceUsage(file: total, live: used, free: total - used))
      observation.history = LaunchHistory(
        launches: launch - compaction, commits: 0, time: time - began, rewritten: nil,
        waste: waste, peakPinned: nil)
      if policy.decideAtLaunch(observation).compact {
        schedule.append(launch)
        (waste, compaction) = (0, launch)
      }
      launched = time
    }
    return schedule
  }

  @Test(
    "look-ups give the cost of the schedule that the printed predicate decides, and see the same limits",
    arguments: PolicyFamily.allCases)
  func predicate(_ family: PolicyFamily) throws {
    var stream = RandomStream(seed: 7, label: "tuned rules")
    let objective = Objective()
    var compactions = 0
    for _ in 0..<60 {
      let count = 3 + Int(stream.next(below: 6))
      var cell = HandMadeCell()
      cell.live = (0..<count).map { _ in 200_000 + Int(stream.next(below: 800_000)) }
      cell.waste = (0..<count).map { _ in Int(stream.next(below: 400_000)) }
      let rule = Self.rule(family, &stream)
      let schedule = try Self.schedule(rule, cell)
      compactions += schedule.count
      let made = cell.cell()
      let launches = try #require(LaunchMatrix(made))
      let figures = launches.priced(LaunchSchedule(schedule))
      let matrix = try #require(TuningMatrix(launches, objective, weight: 1))
      let score = rule.score(on: [matrix])
      let cost = Double(objective.cost(of: figures).units)
      #expect(abs(score.cost - cost) <= 1e-9 * cost, "\(rule.policy), \(schedule)")
      // A limit just at what the schedule reaches, and one byte less.
      for (limit, violations) in [(figures.highWater, 0), (figures.highWater - ByteCount(1), 1)] {
        var limited = objective
        limited.limits.maxSize = limit
        let matrix = try #require(TuningMatrix(launches, limited, weight: 1))
        #expect(rule.score(on: [matrix]).violations == violations)
      }
    }
    #expect(compactions > 10, "the rules of \(family) compact")
  }

  @Test("a rule is printed with its thresholds to the digit")
  func printed() {
    #expect(
      TunedRule.sizeAndShare(size: ByteCount(48_200_000), percent: 41).policy
        == "on-launch: totalBytes > 48.2 MB && usedBytes / totalBytes < 41 %")
    #expect(
      TunedRule.capped(bytes: ByteCount(1_050_000), percent: 205).policy
        == "on-launch: totalBytes - usedBytes > min(1.05 MB, 2.05 * usedBytes)")
    #expect(
      TunedRule.multiple(percent: 250).policy == "on-launch: totalBytes > 2.5 * usedBytes")
    for family in PolicyFamily.allCases {
      let rule = TunedRule(family, 123, 45)
      #expect(TunedRule(family, rule.thresholds[0], rule.thresholds.last ?? 0) == rule)
      #expect(rule.family == family)
    }
  }

  @Test("of rules that cost the same the search takes the one in the middle of its neighbors")
  func middle() throws {
    // One launch wastes a lot, the others little: every threshold between the two compacts at that launch only.
    var cell = HandMadeCell()
    cell.live = Array(repeating: 1_000_000, count: 6)
    cell.waste = [10_000, 10_000, 2_000_000, 10_000, 10_000, 10_000]
    let launches = try #require(LaunchMatrix(cell.cell()))
    let objective = try Objective(Prices(space: 100, rewritten: 1))
    let matrix = try #require(TuningMatrix(launches, objective, weight: 1))
    let grid = CandidateGrid(.freeBytes, over: [matrix])
    var fold = TuningFold()
    fold.matrices = [matrix]
    fold.optimum = 1
    let result = CandidateSearch(grid, [fold]).best()
    guard case .freeBytes(let bytes) = result.rule else {
      Issue.record("\(result.rule)")
      return
    }
    // From 20 kB to 2 MB all decide alike: far from both, since neighbors within 160 % are as good.
    #expect(bytes > ByteCount(50_000) && bytes < ByteCount(780_000), "\(bytes)")
    #expect(result.validation == nil, "there is one seed")
    #expect(result.candidates == grid.count && grid.count > 100)
    // No candidate costs less.
    let least = grid.first.indices.map { grid.rule($0, 0).score(on: [matrix]).cost }.min()
    #expect(result.score.cost == least)
  }

  @Test("two scenarios count equally, however large they are")
  func weights() throws {
    let runs = [1, 1000].enumerated().map { index, scale in
      var cell = HandMadeCell()
      cell.live = cell.live.map { $0 * 1000 * scale }
      cell.waste = cell.waste.map { $0 * 1000 * scale }
      return TuningRun(workload: index, seed: 1, cell: cell.cell())
    }
    let search = try TuningSearch(runs, Objective())
    #expect(abs(search.optimum - 1) < 1e-12)
    let scores = search.matrices.map { TunedRule.freeBytes(ByteCount(0)).score(on: [$0]).cost }
    #expect(abs(scores[0] - scores[1]) <= 1e-9 * scores[0])
  }

  @Test(
    "an engine without a compaction, and limits that no schedule meets, are errors with the reason")
  func errors() throws {
    let cell = HandMadeCell().cell()
    var absent = cell
    absent.absence = "it cannot compact"
    #expect {
      try TuningSearch([TuningRun(workload: 0, seed: 1, cell: absent)], Objective())
    } throws: { "\($0)" == "it cannot compact" }
    var objective = Objective()
    objective.limits.maxSize = ByteCount(1)
    #expect {
      try TuningSearch([TuningRun(workload: 0, seed: 5, cell: cell)], objective)
    } throws: { "\($0)".contains("no schedule of seed 5 meets the limits") }
  }
}
