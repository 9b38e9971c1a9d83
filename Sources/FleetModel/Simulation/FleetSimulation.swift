// A simulation of a fleet: every device walked under every policy, so that policies are compared on the same devices and the
// same launches.
package import Policies

package struct FleetSimulation: Sendable {
  package let curves: FleetCurves
  package let tests: [LaunchTest]
  package let years: Double
  package let moments: Int
  /// The time of compactions by group; nil where it is unknown.
  package let stalls: [StallModel?]

  package static let daysPerYear = 365.25
  /// Every six days of a year: memory for sizes over time does not depend on how long devices are used.
  package static let usualMoments = 60

  /// - Parameter stalls: the time of compactions by group; nil where it is unknown.
  package init(
    _ curves: FleetCurves, policies: [Policy], years: Double, moments: Int = Self.usualMoments,
    stalls: [StallModel?]? = nil
  ) throws(SimulationError) {
    if !(years > 0 && years <= 100) {
      throw SimulationError("\(years) years cannot be simulated; give more than 0, up to 100")
    }
    if policies.isEmpty { throw SimulationError("there is no policy; give at least one") }
    if let refusal = curves.refusals.first {
      let count = curves.refusals.count
      throw SimulationError(
        "class \(refusal)\(count > 1 ? " (and \(count - 1) more)" : ""); its devices cannot be simulated: leave the group "
          + "out of the population")
    }
    var tests: [LaunchTest] = []
    for policy in policies { tests.append(try LaunchTest(policy)) }
    self.curves = curves
    self.tests = tests
    self.years = years
    self.moments = moments
    self.stalls = stalls ?? curves.groups.map { _ in nil }
  }

  /// Walks the devices of these numbers. Parts of a fleet may be walked anywhere, in any order.
  package func tallies(of devices: Range<Int>) -> [PolicyTally] {
    var tallies = emptyTallies
    add(devices, to: &tallies)
    return tallies
  }

  package var emptyTallies: [PolicyTally] { tests.map { _ in PolicyTally(moments: moments) } }

  /// Walks the devices of these numbers, and adds them.
  package func add(_ devices: Range<Int>, to tallies: inout [PolicyTally]) {
    // Two threads that count references to the same storage at each launch would wait for each other's caches.
    let tests = tests.map { (try? LaunchTest($0.policy)) ?? $0 }
    var walk = DeviceWalk(
      curves.unshared, days: years * Self.daysPerYear, moments: moments, stalls: stalls)
    for number in devices {
      walk.load(curves.population.device(number))
      var first = DeviceOutcome()
      for index in tests.indices {
        let outcome = walk.run(tests[index])
        if index == 0 { first = outcome }
        tallies[index].add(outcome, besideFirst: first, sizes: walk.sizes, years: years)
      }
    }
  }

  /// Adds tallies of other devices.
  package static func merge(_ other: [PolicyTally], into tallies: inout [PolicyTally]) {
    for index in tallies.indices { tallies[index].merge(other[index]) }
  }

  /// A walk over single devices, for one thread.
  package var walk: DeviceWalk {
    DeviceWalk(curves, days: years * Self.daysPerYear, moments: moments, stalls: stalls)
  }
}

extension FleetCurves {
  /// With storage of its own for what a walk reads at every compaction.
  fileprivate var unshared: FleetCurves {
    var own = self
    for index in own.groups.indices {
      own.groups[index].axes.data = own.groups[index].axes.data.map(\.self)
    }
    return own
  }
}
