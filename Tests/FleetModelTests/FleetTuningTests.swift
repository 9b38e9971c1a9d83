// The search for a rule, beside trying every rule of the grid.
import FleetModel
import Policies
import Testing

@Suite struct FleetTuningTests {
  private static func tallies(
    _ candidates: [FleetCandidate], of devices: Range<Int> = 0..<60
  ) throws -> [PolicyTally] {
    try FleetSimulation(
      SyntheticFleet.curves(), policies: candidates.map(\.policy), years: 0.5, moments: 1
    ).tallies(of: devices)
  }

  @Test("the best rule keeps the limit, and none that keeps it writes less") func best() throws {
    let limit = QuantileLimit(.largestSize, share: 0.9, maximum: 2.2e7)
    let grid = FleetCandidate.grid(over: 1e6...4e7)
    var tuning = FleetTuning([limit])
    tuning.add(grid, try Self.tallies(grid))
    let first = tuning.best
    let coarse = try #require(first)
    let next = tuning.nextCandidates
    #expect(!next.isEmpty && Set(next).isDisjoint(with: grid))
    tuning.add(next, try Self.tallies(next))
    let found = tuning.best
    let best = try #require(found)
    #expect(best.rewritten <= coarse.rewritten && best.keepsLimits)
    let kept = tuning.scores.filter { $0.values[0] <= 2.2e7 }
    #expect(kept.map(\.rewritten).min() == best.rewritten)
    #expect(kept.count < tuning.scores.count && best.rewritten > 0)
    #expect(try limit.value(of: Self.tallies([best.candidate])[0]) == best.values[0])
  }

  @Test("no rule of the front has more of everything than another rule") func front() throws {
    let grid = FleetCandidate.grid(over: 1e6...4e7)
    var tuning = FleetTuning([QuantileLimit(.largestSize, share: 0.9, maximum: 2.2e7)])
    tuning.add(grid, try Self.tallies(grid))
    let front = tuning.front
    #expect(front.count > 3 && front.count < grid.count)
    for (less, more) in zip(front, front.dropFirst()) {
      #expect(less.rewritten <= more.rewritten && less.values[0] >= more.values[0])
    }
    for score in tuning.scores {
      #expect(front.contains { $0.rewritten <= score.rewritten && $0.values[0] <= score.values[0] })
    }
  }

  @Test("where no rule keeps a limit, the closest is named") func impossible() throws {
    let grid = FleetCandidate.grid(over: 1e6...4e7)
    var tuning = FleetTuning([QuantileLimit(.largestSize, share: 0.9, maximum: 1e6)])
    tuning.add(grid, try Self.tallies(grid))
    #expect(tuning.best == nil)
    let closest = try #require(tuning.closest)
    #expect(closest.excess > 1)
    #expect(tuning.scores.allSatisfy { $0.values[0] >= closest.values[0] })
  }

  @Test("a rule is the policy that its thresholds state") func policies() throws {
    let rules = [
      FleetCandidate(.sizeAndShare, size: 48_000_000, share: 41),
      FleetCandidate(.freeBytes, size: 5),
    ].map(\.policy.rule)
    #expect(
      rules == [
        "on-launch: totalBytes > 48000000 B && usedBytes / totalBytes < 41 %",
        "on-launch: totalBytes - usedBytes > 5 B",
      ])
  }
}
