// The runs that the curves of a population are measured by: for each class and size one, for the check of renewal another, and
// some devices that are left out of the curves.
package import EngineInterface
package import FleetModel
import ScenarioModel

package struct FleetPlan: Sendable {
  /// A run, or two where renewal is checked.
  struct Point: Sendable {
    enum Purpose: Equatable, Sendable {
      case curve(size: Int)
      /// Compared with what the curves give for it.
      case leftOut(Device)
    }

    var group: Int
    var classIndex: Int
    var purpose: Purpose
    var design: CurveDesign
  }

  package let population: Population
  package let stratification: Stratification
  /// In the order of the groups.
  package let axes: [ClassAxes]
  let points: [Point]
  /// The scenarios of the points, in their order, as a journal has them.
  package internal(set) var sweep: SweepPlan

  /// - Parameter leftOut: devices of each group that the curves are compared with.
  package init(
    _ population: Population, _ stratification: Stratification, leftOut: Int,
    engine: (String) -> EngineAvailability?
  ) {
    self.population = population
    self.stratification = stratification
    axes = population.groups.indices.map { stratification.axes(of: $0, in: population) }
    var points: [Point] = []
    for (index, axes) in axes.enumerated() {
      for item in 0..<axes.classCount {
        for (size, data) in axes.data.enumerated() {
          points.append(
            Point(
              group: index, classIndex: item, purpose: .curve(size: size),
              design: CurveDesign(
                population.groups[index], axes.parameters(item), data: data,
                maxTurnover: stratification.maxTurnover)))
        }
      }
      points += Self.leftOut(leftOut, index, population, stratification)
    }
    self.points = points
    let scenarios = points.enumerated().map { number, point in
      point.design.scenario(
        name: "\(population.name.prefix(60))-c\(number + 1)", seed: population.seed,
        checksRenewal: point.purpose == .curve(size: 0))
    }
    sweep = SweepPlan(
      scenarios.map { (values: [$0.name], scenario: $0) }, names: ["class"],
      engines: { $0.engines.compactMap(engine) }, repetitions: 1)
  }

  /// Devices of a group that are no larger than what is measured, from the end of the numbers.
  private static func leftOut(
    _ count: Int, _ group: Int, _ population: Population, _ stratification: Stratification
  ) -> [Point] {
    var (points, number) = ([Point](), 1_000_000_000)
    while points.count < count, number < 1_000_010_000 {
      let device = population.device(number)
      number += 1
      guard device.group == group, device.data <= stratification.maxData else { continue }
      let own = population.groups[group]
      let parameters = ClassParameters(
        value: device.value, addShare: device.addShare(writes: own.writes),
        commitsPerLaunch: max(1, device.commitsPerLaunch))
      points.append(
        Point(
          group: group, classIndex: 0, purpose: .leftOut(device),
          design: CurveDesign(
            own, parameters, data: device.data, maxTurnover: stratification.maxTurnover)))
    }
    return points
  }

  /// The name of a class in messages: `light/256 B, 20 % adding, 31 commits a launch`.
  func name(_ group: Int, _ classIndex: Int) -> String {
    let parameters = axes[group].parameters(classIndex)
    let share = (parameters.addShare * 1000).rounded() / 10
    return "\(population.groups[group].name)/\(Int(parameters.value)) B, \(share) % adding, "
      + "\(Int(parameters.commitsPerLaunch.rounded())) commits a launch"
  }
}
