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
  /// The scenarios of the devices, in their order, as a journal has them.
  package let sweep: SweepPlan

  /// The first number that is drawn: classes are made of the first devices, and those left out are from 10⁹ on.
  private static let firstDevice = 2_000_000_000
  /// Numbers that are tried for each device: groups may be small, and data large.
  private static let maxTries = 10_000

  /// - Parameters:
  ///   - devices: for each engine.
  ///   - maxData: the largest data of a device on its first day.
  package init(
    _ curves: FleetCurves, policies: [Policy], devices: Int, days: Double, maxData: Double,
    stalls: [StallModel?]?, engine: (String) -> EngineAvailability?
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
    let scenarios = designs.map { design in
      design.scenario(
        name: "\(population.name.prefix(60))-d\(design.device.number)",
        policies: policies.map(\.asked))
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
