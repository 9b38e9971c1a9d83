// What rent-or-buy costs beside the best that any policy could have done, on random workloads: its bound holds inside the
// assumptions, and each assumption is needed.
import MetricModel
import Policies
import PredicateLanguage
import Testing

@Suite("Rent or buy")
struct RentOrBuyTests {
  /// Launches, each after a time with garbage, and what a compaction costs there.
  struct Workload {
    /// Bytes that become waste before each launch, by whether a compaction came before.
    var garbage: [Int]
    /// What garbage is multiplied by from the first compaction on: above 1 a compaction raises later rent.
    var rebound = 1
    var gaps: [Int]
    /// Bytes that are used at each launch, to which the price of a compaction is proportional.
    var used: [Int]

    var launches: Int { garbage.count }

    /// The rent between launch `k` and the one before, if `last` was the last launch with a compaction; 0 is the start.
    func rent(_ k: Int, since last: Int) -> Int {
      waste(k, since: last) * gaps[k - 1]
    }

    private func waste(_ k: Int, since last: Int) -> Int {
      garbage[last..<k].reduce(0, +) * (last == 0 ? 1 : rebound)
    }

    func price(_ k: Int) -> Int { used[k - 1] * RentOrBuyTests.secondsForByte }

    /// What the policy of the laboratory costs, and the largest rent that it met.
    func cost(under policy: Policy) -> (cost: Int, largestRent: Int) {
      var (cost, largest, last, accumulated) = (0, 0, 0, 0)
      for k in 1...launches {
        let rent = rent(k, since: last)
        cost += rent
        accumulated += rent
        largest = max(largest, rent)
        var observation = Observation(
          launch: k,
          space: SpaceUsage(
            file: ByteCount(used[k - 1] + waste(k, since: last)),
            free: ByteCount(waste(k, since: last))))
        observation.history = LaunchHistory(
          launches: k - last, commits: 0, time: .zero, rewritten: .zero, waste: Double(accumulated),
          peakPinned: nil)
        guard policy.decideAtLaunch(observation).compact else { continue }
        cost += price(k)
        (last, accumulated) = (k, 0)
      }
      return (cost, largest)
    }

    /// The least that any policy costs: the best continuation behind each compaction, from the end to the start.
    var optimum: Int {
      var best = Array(repeating: 0, count: launches + 1)
      for last in (0..<launches).reversed() {
        var (rent, least) = (0, Int.max)
        for k in last + 1...launches {
          rent += self.rent(k, since: last)
          least = min(least, rent + price(k) + best[k])
        }
        best[last] = min(least, rent)
      }
      return best[0]
    }

    var prices: (low: Double, high: Double) {
      let prices = (1...launches).map(price)
      return (Double(prices.min()!), Double(prices.max()!))
    }
  }

  /// One byte that is written again costs what a wasted byte does in 8 hours.
  private static let secondsForByte = 8 * 3600
  private static let policy = try! Policy(parsing: "rent-or-buy(8 h)")

  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) | (state << 31)
    }
  }

  /// Few launches or many, with gaps of minutes to weeks and garbage of any size.
  private static func workload(_ dice: inout Dice, isConstant: Bool) -> Workload {
    let count = Int.random(in: 1...20, using: &dice)
    let used = Int.random(in: 1...1000, using: &dice)
    func spread(_ dice: inout Dice, _ decades: ClosedRange<Int>) -> Int {
      var value = Int.random(in: 1...9, using: &dice)
      for _ in 0..<Int.random(in: decades, using: &dice) { value *= 10 }
      return value
    }
    return Workload(
      garbage: (0..<count).map { _ in
        Bool.random(using: &dice) ? 0 : spread(&dice, 0...3)
      },
      gaps: (0..<count).map { _ in spread(&dice, 1...5) },
      used: (0..<count).map { _ in
        isConstant ? used : Int.random(in: 1...1000, using: &dice)
      })
  }

  @Test("costs at most 2 + r/C times the optimum where a compaction costs C at every launch")
  func constantPrice() throws {
    var dice = Dice(state: 1)
    var (aboveTwo, compacting) = (0, 0)
    for round in 0..<100_000 {
      let workload = Self.workload(&dice, isConstant: true)
      let (cost, largest) = workload.cost(under: Self.policy)
      let optimum = workload.optimum
      let bound = (2 + Double(largest) / workload.prices.low) * Double(optimum)
      try #require(Double(cost) <= bound * (1 + 1e-12), "round \(round): \(workload)")
      if cost > 2 * optimum { aboveTwo += 1 }
      if cost > optimum { compacting += 1 }
    }
    // The plain factor 2 is exceeded inside the assumptions, since rent comes in lumps at launches.
    #expect(aboveTwo > 0 && compacting > 10_000, "\(aboveTwo), \(compacting)")
  }

  @Test("costs at most (2 C + r)/c times the optimum where a compaction costs c to C")
  func changingPrice() throws {
    var dice = Dice(state: 2)
    for round in 0..<100_000 {
      let workload = Self.workload(&dice, isConstant: false)
      let (cost, largest) = workload.cost(under: Self.policy)
      let prices = workload.prices
      let bound = (2 * prices.high + Double(largest)) / prices.low * Double(workload.optimum)
      try #require(Double(cost) <= bound * (1 + 1e-12), "round \(round): \(workload)")
    }
  }

  @Test("exceeds twice the optimum where one gap is much longer than the others")
  func lump() {
    // One night with 1 MB of waste costs a hundred compactions, and a compaction before it would have cost one.
    let workload = Workload(garbage: [10, 0], gaps: [3600, 800 * 3600], used: [10, 10])
    let (cost, _) = workload.cost(under: Self.policy)
    #expect(cost == 10 * 3600 + 10 * 800 * 3600 + 10 * Self.secondsForByte)
    #expect(workload.optimum == 10 * 3600 + 10 * Self.secondsForByte)
    #expect(cost > 89 * workload.optimum)
  }

  @Test("the bound of constant prices is broken where the price of a compaction changes")
  func priceRises() {
    // Compacting costs 1 byte at first, and 1,000 when the rent has reached that.
    let workload = Workload(
      garbage: [1] + Array(repeating: 0, count: 1000),
      gaps: Array(repeating: Self.secondsForByte, count: 1001),
      used: [2] + Array(repeating: 1000, count: 1000))
    let (cost, largest) = workload.cost(under: Self.policy)
    let bound = (2 + Double(largest) / workload.prices.low) * Double(workload.optimum)
    #expect(Double(cost) > 100 * bound)
    let general =
      (2 * workload.prices.high + Double(largest)) / workload.prices.low * Double(workload.optimum)
    #expect(Double(cost) <= general)
  }

  @Test("the bound is broken where a compaction raises later rent")
  func rebound() {
    let count = 200
    let workload = Workload(
      garbage: [1] + Array(repeating: 1, count: count - 1), rebound: 1000,
      gaps: Array(repeating: 3600, count: count), used: Array(repeating: 100, count: count))
    let (cost, largest) = workload.cost(under: Self.policy)
    let bound = (2 + Double(largest) / workload.prices.low) * Double(workload.optimum)
    #expect(Double(cost) > bound)
  }
}
