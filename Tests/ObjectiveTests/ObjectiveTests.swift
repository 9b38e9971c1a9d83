// Prices, limits and costs.
import MetricModel
import Objective
import Testing

@Suite("Objective")
struct ObjectiveTests {
  private static func figures(
    excess: Int = 0, rewritten: Int = 0, blocked: Int = 0, highWater: Int = 0, disk: Int = 0,
    hours: Int = 24
  ) -> PricedFigures {
    var figures = PricedFigures()
    figures.excess = ByteTime(ByteCount(excess), for: VirtualTime(seconds: 3600))
    figures.rewritten = ByteCount(rewritten)
    figures.blocked = blocked
    figures.highWater = ByteCount(highWater)
    figures.peakDisk = ByteCount(disk)
    figures.time = VirtualTime(seconds: Double(hours) * 3600)
    return figures
  }

  @Test("by default a byte written again costs as much as a byte of waste for eight hours")
  func exchangeRate() {
    let objective = Objective()
    #expect(
      objective.cost(of: Self.figures(excess: 8000))
        == objective.cost(of: Self.figures(rewritten: 1000)))
    #expect(
      objective.cost(of: Self.figures(excess: 7999))
        < objective.cost(of: Self.figures(rewritten: 1000)))
  }

  @Test("a gigabyte of waste for a day costs the price of space, in points")
  func points() throws {
    let objective = Objective(try Prices(space: 2, rewritten: 0.25, blocked: 4))
    #expect(objective.cost(of: Self.figures(excess: 24_000_000_000)).points == 2)
    #expect(objective.cost(of: Self.figures(rewritten: 1_000_000_000)).points == 0.25)
    #expect(objective.cost(of: Self.figures(blocked: 500_000_000)).points == 2)
  }

  @Test("at ten times the price of work only rewriting and waiting cost more")
  func scaling() throws {
    let objective = Objective(try Prices(space: 2, rewritten: 1, blocked: 1))
    let scaled = objective.scalingWork(by: 10)
    for (figures, factor) in [
      (Self.figures(excess: 1_000_000_000), 1), (Self.figures(rewritten: 7), 10),
      (Self.figures(blocked: 3), 10),
    ] {
      #expect(scaled.cost(of: figures).units == Int128(factor) * objective.cost(of: figures).units)
    }
  }

  @Test(
    "prices that are no numbers, negative, out of range or all zero are refused",
    arguments: [
      (Double.nan, 1, "the price of space is no number"),
      (1, -0.5, "the price of rewritten is negative"),
      (Double.infinity, 1, "the price of space is no number"),
      (1001, 1, "the price of space is out of range: 0, or 0.000001 to 1000"),
      (1, 0.000_000_1, "the price of rewritten is out of range: 0, or 0.000001 to 1000"),
      (0, 0, "all prices are zero, so that every policy would cost the same"),
    ])
  func refusedPrices(space: Double, rewritten: Double, reason: String) {
    #expect {
      _ = try Prices(space: space, rewritten: rewritten)
    } throws: {
      "\($0)" == reason
    }
  }

  @Test("a limit is exceeded by one byte more, and the message names both")
  func limits() {
    var limits = ObjectiveLimits()
    limits.maxSize = ByteCount(2000)
    limits.maxDisk = ByteCount(3000)
    limits.maxRewritten = ByteCount(500)
    let objective = Objective(Prices(), limits)
    // Two days, so twice the limit a day.
    let atLimit = Self.figures(rewritten: 1000, highWater: 2000, disk: 3000, hours: 48)
    #expect(objective.exceeded(by: atLimit).isEmpty)
    let above = Self.figures(rewritten: 1001, highWater: 2001, disk: 3001, hours: 48)
    #expect(
      objective.exceeded(by: above) == [
        "size 2.00 kB, at most 2.00 kB", "disk 3.00 kB, at most 3.00 kB",
        "rewritten 1.00 kB in the run, at most 500 B a day",
      ])
  }

  @Test("a share of the optimum is known only where that costs something")
  func excess() {
    #expect(Cost(units: 15).excess(over: Cost(units: 10)) == 0.5)
    #expect(Cost(units: 15).excess(over: .zero) == nil)
    #expect(Cost(units: 15).excess(over: Cost(units: -1)) == nil)
  }

  @Test("a mean is rounded half up, below zero too")
  func mean() {
    let second = VirtualTime(seconds: 1)
    #expect(ByteTime(byteMicroseconds: 2_500_000).mean(over: second) == ByteCount(3))
    #expect(ByteTime(byteMicroseconds: 2_499_999).mean(over: second) == ByteCount(2))
    #expect(ByteTime(byteMicroseconds: -2_500_000).mean(over: second) == ByteCount(-2))
    #expect(ByteTime(byteMicroseconds: -2_500_001).mean(over: second) == ByteCount(-3))
    #expect(ByteTime.zero.mean(over: .zero) == nil)
  }

  @Test("the text names the prices above zero and the limits")
  func text() throws {
    var limits = ObjectiveLimits()
    limits.maxSize = ByteCount(20_000_000)
    #expect(
      "\(Objective(try Prices(space: 3, rewritten: 0.2), limits))"
        == "3 per GB·day above a freshly compacted file, 0.2 per GB rewritten; size at most 20.0 MB"
    )
  }
}
