// The devices that are really run beside their walks: drawn from numbers that no curve was made of or compared with.
package import EngineInterface
package import FleetModel
package import Policies
import ScenarioModel

package struct AgreementPlan: Sendable {
  package let simulation: FleetSimulation
  package let days: Double
  package let maxData: Double
  let designs: [DeviceDesign]
  /// Devices that were passed over because their data are larger.
  package private(set) var passedOver = 0
  /// Devices that an earlier comparison really ran; nil to run them all.
  package let earlier: FleetAgreement?
  /// What is run: of each device once, and twice where that was asked.
  let runs: [Run]
  /// The scenarios of the runs, in their order, as a journal has them; nil where there are none.
  package let sweep: SweepPlan?

  struct Run: Hashable, Sendable {
    /// The index of the design.
    var design: Int
    var isTwin: Bool
  }

  /// The first number that is drawn: classes are made of the first devices, and those left out are from 10⁹ on.
  private static let firstDevice = 2_000_000_000
  /// Numbers that are tried for each device: groups may be small, and data large.
  private static let maxTries = 10_000

  /// - Parameters:
  ///   - devices: for each engine.
  ///   - maxData: the largest data of a device on its first day.
  ///   - twice: engines whose devices are run again, with other rows.
  ///   - earlier: a comparison of the same devices, whose runs are taken.
  package init(
    _ curves: FleetCurves, policies: [Policy], devices: Int, days: Double, maxData: Double,
    stalls: [StallModel?]?, twice: [String] = [], earlier: FleetAgreement? = nil,
    engine: (String) -> EngineAvailability?
  ) throws(SimulationError) {
    simulation = try FleetSimulation(
      curves, policies: policies, years: days / FleetSimulation.daysPerYear, moments: 1,
      stalls: stalls)
    self.days = days
    self.maxData = maxData
    let population = curves.population
    var left: [String: Int] = [:]
    for group in population.groups { left[group.engine] = devices }
    var (designs, number) = ([DeviceDesign](), Self.firstDevice)
    let end = number + Self.maxTries * devices * left.count
    while left.values.contains(where: { $0 > 0 }), number < end {
      let device = population.device(number)
      let engine = population.groups[device.group].engine
      number += 1
      guard left[engine, default: 0] > 0 else { continue }
      guard device.data <= maxData else {
        passedOver += 1
        continue
      }
      guard let design = DeviceDesign(device, population, days: days) else { continue }
      left[engine, default: 0] -= 1
      designs.append(design)
    }
    if let engine = left.filter({ $0.value > 0 }).keys.min() {
      throw SimulationError(
        "too few devices of \(engine) have data of at most \(Int(maxData)) bytes and are launched within \(days) days; raise "
          + "--max-data or --days")
    }
    self.designs = designs
    self.earlier = earlier
    let runs =
      (earlier == nil ? designs.indices.map { Run(design: $0, isTwin: false) } : [])
      + designs.indices.filter { twice.contains(designs[$0].group.engine) }
      .map { Run(design: $0, isTwin: true) }
    self.runs = runs
    let scenarios = runs.map { run in
      let design = designs[run.design]
      let name = "\(population.name.prefix(60))-d\(design.device.number)"
      return design.scenario(
        name: name + (run.isTwin ? "-twin" : ""), policies: policies.map(\.asked),
        isTwin: run.isTwin)
    }
    guard !scenarios.isEmpty else {
      sweep = nil
      return
    }
    sweep = SweepPlan(
      scenarios.map { (values: [$0.name], scenario: $0) }, names: ["device"],
      engines: { $0.engines.compactMap(engine) }, repetitions: 1)
  }

  package var deviceCount: Int { designs.count }
}

extension Policy {
  /// The policy, asked at each launch also where it never compacts: what it is given is what is compared.
  fileprivate var asked: Policy {
    guard case .never = onLaunch, var asked = try? Policy(parsing: "on-launch: launch < 1") else {
      return self
    }
    asked.name = name
    return asked
  }
}
