// The comparison of simulated and really run devices: errors, bars and the order of policies.
import FleetModel
import Policies
import Testing

@Suite struct FleetAgreementTests {
  private static func outcome(_ final: Double, rewritten: Double = 0) -> DeviceOutcome {
    var outcome = DeviceOutcome()
    (outcome.finalBytes, outcome.largestBytes, outcome.rewrittenBytes) = (final, final, rewritten)
    return outcome
  }

  /// Of each device and policy: the final size, simulated and real.
  private static func agreement(
    _ sizes: [[(simulated: Double, real: Double)]], rewritten: (Double, Double) = (0, 0)
  ) -> FleetAgreement {
    let population = SyntheticFleet.population()
    let pairs = sizes.enumerated().flatMap { number, policies in
      policies.enumerated().map { policy, size in
        DevicePair(
          device: DeviceTraits(population.device(number)), group: 0, policy: policy,
          simulated: outcome(size.simulated, rewritten: rewritten.0),
          real: outcome(size.real, rewritten: rewritten.1))
      }
    }
    return FleetAgreement(
      population: "tiny", seed: 1, days: 90, maxData: 1e6, passedOver: 0,
      groups: [
        GroupSummary(name: "all", engine: "native", engineVersion: "1", errors: nil)
      ],
      policies: (0..<(sizes.first?.count ?? 0)).map { .init(name: "p\($0)", rule: "never") },
      pairs: pairs)
  }

  @Test("errors are relative to the real device, the bias with its sign") func errors() throws {
    let sizes = [90.0, 110, 110, 120, 100].map { [(simulated: $0, real: 100.0)] }
    let agreement = Self.agreement(sizes)
    let errors = try #require(agreement.errors(.finalSize, in: agreement.pairs))
    #expect(errors.count == 5)
    #expect(abs(errors.bias - 0.1) < 1e-12 && abs(errors.median - 0.1) < 1e-12)
    #expect(abs(errors.p90 - 0.16) < 1e-12)
    #expect(agreement.errors(.rewritten, in: agreement.pairs) == nil)
    #expect(agreement.misses.count == 2)
  }

  @Test("what should be 0 and is not is an error of 100 %") func zero() throws {
    let agreement = Self.agreement([[(simulated: 1.0, real: 1.0)]], rewritten: (5, 0))
    let errors = try #require(agreement.errors(.rewritten, in: agreement.pairs))
    #expect(errors.median == 1)
    #expect(agreement.misses == ["native, rewritten a year: the error is larger"])
  }

  @Test("policies that are ordered otherwise are a miss, though each size is close") func order() {
    let agreement = Self.agreement([
      [(simulated: 100, real: 104), (simulated: 101, real: 100)],
      [(simulated: 100, real: 100), (simulated: 102, real: 104)],
    ])
    #expect(agreement.orderOnDevices(.finalSize, of: "native")?.tau == 0)
    #expect(
      agreement.misses == [
        "native, final size: on single devices policies are ordered otherwise",
        "native, largest size: on single devices policies are ordered otherwise",
      ])
  }

  @Test("a policy that the fleet's quantiles order otherwise is a miss, though most devices agree")
  func quantiles() {
    // Real medians are 104 and 100, simulated ones 100 and 101; p90 and p99 are within the allowed error of each other.
    let agreement = Self.agreement([
      [(simulated: 99, real: 100), (simulated: 98, real: 95)],
      [(simulated: 100, real: 104), (simulated: 101, real: 100)],
      [(simulated: 120, real: 120), (simulated: 118, real: 118)],
    ])
    #expect(
      agreement.orderByQuantiles(.finalSize, of: "native") == PolicyOrder(tau: -1, pairs: 1))
    #expect(agreement.orderOnDevices(.finalSize, of: "native") == PolicyOrder(tau: 0, pairs: 2))
    #expect(agreement.misses.contains("native, final size: quantiles order the policies otherwise"))
    let same = Self.agreement([[(simulated: 100, real: 102), (simulated: 90, real: 100)]])
    #expect(same.orderByQuantiles(.finalSize, of: "native") == nil)
  }

  @Test("policies that come to the same on the real device, up to the bar, have no order")
  func ties() {
    let agreement = Self.agreement([
      [(simulated: 100, real: 102), (simulated: 101, real: 100), (simulated: 101, real: 100)],
      [(simulated: 100, real: 100), (simulated: 102, real: 104), (simulated: 100, real: 100)],
    ])
    // Of six pairs those with 104 beside 100; two are alike.
    #expect(agreement.orderOnDevices(.finalSize, of: "native") == PolicyOrder(tau: 1, pairs: 2))
    #expect(
      agreement.orderOnDevices(.finalSize, of: "native", over: .all)
        == PolicyOrder(tau: 0, pairs: 4))
    #expect(agreement.misses.isEmpty)
    let equal = Self.agreement([[(simulated: 100, real: 102), (simulated: 90, real: 100)]])
    #expect(equal.orderOnDevices(.finalSize, of: "native") == nil)
    let blind = Self.agreement([[(simulated: 100, real: 104), (simulated: 100, real: 100)]])
    #expect(blind.orderOnDevices(.finalSize, of: "native")?.tau == 0)
  }

  @Test("where two real runs are further apart than the bar, they are the bar") func twins() {
    var agreement = Self.agreement([
      [(simulated: 95, real: 100), (simulated: 100, real: 104)],
      [(simulated: 104, real: 100), (simulated: 100, real: 104)],
    ])
    #expect(agreement.twins == nil && agreement.misses.count == 6)
    // In both devices the second run orders the policies otherwise than the first.
    for (index, size) in [104.0, 98, 106, 104].enumerated() {
      agreement.pairs[index].twin = Self.outcome(size)
    }
    #expect(agreement.twins?.orderOnDevices(.finalSize, of: "native")?.tau == -1)
    #expect(agreement.twins?.pairs.allSatisfy { $0.twin == nil } == true)
    #expect(agreement.misses.isEmpty)
    for index in agreement.pairs.indices {
      agreement.pairs[index].twin = agreement.pairs[index].real
    }
    #expect(agreement.misses.count == 6)
  }

  @Test("runs of an earlier comparison are those of the same devices, and of nothing else")
  func earlier() {
    let agreement = Self.agreement([[(simulated: 95, real: 100)]])
    var population = SyntheticFleet.population(seed: 1)
    population.name = "tiny"
    func difference(days: Double = 90, rule: String = "never") -> String? {
      agreement.difference(
        population: population, days: days, groups: agreement.groups,
        policies: [.init(name: "p0", rule: rule)])
    }
    #expect(difference() == nil)
    #expect(difference(days: 30) == "is of 90.0 days")
    #expect(difference(rule: "every-launch")?.contains("other policies") == true)
    population.seed = 2
    #expect(difference() == "has the seed 1")
    let device = agreement.pairs[0].device
    #expect(agreement.pair(of: device, policy: 0) == agreement.pairs[0])
    #expect(agreement.pair(of: device, policy: 1) == nil)
    var other = device
    other.data += 1
    #expect(agreement.pair(of: other, policy: 0) == nil)
  }

  @Test("launches of a device are those of its walk") func launches() throws {
    let fleet = SyntheticFleet.curves()
    var walk = DeviceWalk(fleet, days: 40, moments: 1, stalls: [nil])
    for number in 0..<20 {
      let device = fleet.population.device(number)
      walk.load(device)
      let days = fleet.population.launchDays(of: device, days: 40)
      #expect(walk.run(try LaunchTest(.never)).launches == days.count)
      #expect(days == days.sorted() && (days.last ?? 0) <= 40)
    }
  }
}
