// The optimum and the regret of policies, on figures worked out by hand.
import LaunchSchedules
import MetricModel
import Objective
import RecordModel
import Testing

@Suite("Optimum and regret")
struct RegretTests {
  /// A byte for an hour costs one, and so does a byte that is rewritten.
  private static let objective = Objective(try! Prices(space: 24, rewritten: 1))

  private static func result(
    _ cell: OptimumCell, _ objective: Objective = objective
  ) -> OptimumResult {
    OptimumResult(cell, objective)
  }

  private static func cost(_ bytes: Int) -> Cost {
    var figures = PricedFigures()
    figures.rewritten = ByteCount(bytes)
    return objective.cost(of: figures)
  }

  @Test("the cheapest of all schedules is found, and each policy's regret is its share above it")
  func regret() throws {
    // No compaction: waste 460. At launch 2: 100 + 3·30 + 90 = 280. At 3: 120 + 3·40 + 60 = 300. At 4: 80 + 3·40 + 3·70 = 410.
    // At 2 and 3: 220 + 60 = 280. At 2 and 4: 180 + 90 = 270. At 3 and 4: 200 + 120 = 320. At all: 300.
    let result = Self.result(
      HandMadeCell().cell([("never", []), ("at 2", [2]), ("all", [2, 3, 4])]))
    #expect(result.basis == .renewal)
    let ranking = try #require(result.rankings.first)
    let best = try #require(ranking.best.schedule)
    #expect(best.schedule == LaunchSchedule([2, 4]))
    #expect(best.cost == Self.cost(270))
    let costs: [Cost] = [460, 280, 300].map { Self.cost($0) }
    let differences: [Cost?] = [190, 10, 30].map { Self.cost($0) }
    #expect(ranking.policies.map(\.cost) == costs)
    #expect(ranking.policies.map(\.difference) == differences)
    let shares: [Double] = [190, 10, 30].map { (above: Double) in above / 270 }
    #expect(ranking.policies.map(\.regret) == shares)
  }

  @Test("the first different decision and the costliest one are named, with the values seen")
  func decisions() throws {
    let result = Self.result(HandMadeCell().cell([("at 3", [3]), ("best", [2, 4])]))
    let policies = try #require(result.rankings.first).policies
    let first = try #require(policies[0].firstDifference)
    #expect(first.launch == 2)
    #expect(!first.compacts)
    #expect(first.size == ByteCount(140))
    #expect(first.reason == "totalBytes 140 B")
    // Not compacting at launch 2 loses 30 (300 is the best from there), and nothing else does.
    let costliest = try #require(policies[0].costliest)
    #expect(costliest.launch == 2)
    #expect(costliest.loss == Self.cost(30))
    #expect(policies[1].firstDifference == nil)
    #expect(policies[1].costliest == nil)
    #expect(policies[1].regret == 0)
  }

  @Test("at a tenth of the price of work more is compacted, at ten times nothing is")
  func otherPrices() throws {
    let rankings = Self.result(HandMadeCell().cell()).rankings
    #expect(rankings.map(\.factor) == [1, 0.1, 10])
    let expected: [[Int]?] = [[2, 4], [2, 3, 4], []]
    #expect(rankings.map { $0.best.schedule?.schedule.launches } == expected)
  }

  @Test("a limit changes the optimum; a policy that exceeds it may cost less, and is marked")
  func limits() throws {
    var limits = ObjectiveLimits()
    // The optimum reaches 170 B in launch 3; only compacting at every launch stays below.
    limits.maxSize = ByteCount(165)
    let result = Self.result(
      HandMadeCell().cell([("free", [2, 4])]), Objective(Self.objective.prices, limits))
    let ranking = try #require(result.rankings.first)
    #expect(ranking.best.schedule?.schedule == LaunchSchedule([2, 3, 4]))
    #expect(ranking.policies[0].exceeded == ["size 170 B, at most 165 B"])
    #expect(ranking.policies[0].difference == Self.cost(-30))
    #expect(ranking.policies[0].costliest == nil)
  }

  @Test("a limit that nothing meets is named with the least there is")
  func unsatisfiable() throws {
    var limits = ObjectiveLimits()
    limits.maxSize = ByteCount(149)
    let result = Self.result(
      HandMadeCell().cell([("never", [])]), Objective(Self.objective.prices, limits))
    let ranking = try #require(result.rankings.first)
    guard case .unsatisfiable(let unmet, let schedule) = ranking.best else {
      Issue.record("launch 2 reaches 150 B if it was compacted")
      return
    }
    #expect(unmet.limit == .highWater)
    #expect(unmet.least == 150)
    #expect(schedule.launches.contains(2))
    #expect(ranking.policies[0].regret == nil)
    #expect(ranking.policies[0].difference == nil)
  }

  @Test("a limit of launch times allows the compactions that are short enough")
  func launchTimes() throws {
    var hand = HandMadeCell()
    hand.isTimed = true
    var limits = ObjectiveLimits()
    // Compacted are 140 B at launch 2, and at launch 4 as many if launch 3 was compacted, else 170.
    limits.maxLaunch = 1500
    let objective = Objective(Self.objective.prices, limits)
    let ranking = try #require(
      Self.result(hand.cell([("late", [2, 4])]), objective).rankings.first)
    #expect(ranking.best.schedule?.schedule == LaunchSchedule([2]))
    #expect(ranking.policies[0].exceeded == ["launch 1 ms, at most 1 ms"])
    limits.maxLaunch = 200
    let unmet = Self.result(hand.cell(), Objective(Self.objective.prices, limits))
    guard case .unsatisfiable(let limit, _)? = unmet.rankings.first?.best else {
      Issue.record("launch 4 opens 210 B")
      return
    }
    #expect(limit.limit == .longestLaunch && limit.least == 210)
  }

  @Test("without a calibration of the engine, an objective that counts time has no optimum")
  func noTimes() {
    var limits = ObjectiveLimits()
    limits.maxLaunch = 1500
    let result = Self.result(
      HandMadeCell().cell(), Objective(Self.objective.prices, limits))
    #expect(result.absence?.contains("the calibration has none of this engine's") == true)
    var files = HandMadeCell().cell()
    for run in files.runs.indices {
      for launch in files.runs[run].launches.indices {
        files.runs[run].launches[launch].callback = nil
      }
    }
    let several = Self.result(files, Objective(Self.objective.prices, limits))
    #expect(several.absence?.contains("a launch with several files is not predicted") == true)
  }

  @Test("where predictions fail, the optimum is the cheapest of all schedules if all were run")
  func everySchedule() throws {
    var hand = HandMadeCell()
    hand.remembered = 25
    let some = Self.result(hand.cell())
    #expect(some.basis == .someSchedules)
    // At 2 and 4 costs 25 more now for the hour of launch 4.
    #expect(some.rankings.first?.best.schedule?.schedule == LaunchSchedule([2]))
    let all = Self.result(hand.cell(checks: [[2, 3], [2, 4], [3, 4]]))
    #expect(all.basis == .everySchedule)
    #expect(all.rankings.first?.best.schedule?.schedule == LaunchSchedule([2]))
  }

  @Test("a difference that no cost is made of leaves the optimum to the matrix")
  func pricedRenewal() {
    var hand = HandMadeCell()
    hand.shifted = 8
    let result = Self.result(hand.cell())
    #expect(result.basis == .pricedRenewal)
    #expect(result.rankings.first?.best.schedule?.schedule == LaunchSchedule([2, 4]))
  }

  @Test("predictions that miss costs by a thousandth at most find the optimum")
  func approximate() throws {
    var hand = HandMadeCell(
      live: [100_000, 120_000, 80_000, 90_000], waste: [40_000, 30_000, 60_000, 20_000])
    hand.remembered = 8
    let result = Self.result(hand.cell([("at 2 and 3", [2, 3])]))
    // Compacted at launches 2 to 4 there are 8 B of waste for three hours and one, beside a cost of 300,000.
    #expect(result.basis == .approximate(32.0 / 300_032))
    let ranking = try #require(result.rankings.first)
    #expect(ranking.best.schedule?.schedule == LaunchSchedule([2, 4]))
    #expect(ranking.policies[0].costliest?.launch == 3)
    hand.remembered = 100
    #expect(Self.result(hand.cell()).basis == .someSchedules)
  }

  @Test("an engine that does not report what it rewrites has no optimum, with the reason")
  func unknownRewriting() {
    var cell = HandMadeCell().cell()
    cell.runs[1].launches[2].rewritten = nil
    #expect(
      Self.result(cell).absence == "the engine does not report what its compactions write again")
  }

  @Test("where no launch could be compacted, the last reason is shown")
  func nothingCompacted() {
    let hand = HandMadeCell()
    var cell = hand.cell()
    let reasons = [2: "too little space", 4: "still too little"]
    cell.runs = cell.runs.map { run in
      ScheduleRun(
        policy: run.policy, purpose: run.purpose, isAutomatic: false,
        launches: hand.run(run.policy, [], .matrix).launches, reasons: reasons)
    }
    #expect(Self.result(cell).absence == "no launch could be compacted: still too little")
  }
}
