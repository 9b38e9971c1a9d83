// All that was measured of a population: a simulation needs nothing else of the engines.

package struct FleetCurves: Hashable, Sendable, Codable {
  /// The population that the classes were made for.
  package var population: Population
  package var stratification: Stratification
  /// In the order of the population.
  package var groups: [GroupCurves]

  package init(
    population: Population, stratification: Stratification, groups: [GroupCurves]
  ) {
    self.population = population
    self.stratification = stratification
    self.groups = groups
  }

  /// The classes that no simulation may use, each with the reason.
  package var refusals: [String] {
    groups.flatMap { group in
      group.classes.compactMap { item in item.refusal.map { "\(item.name): \($0)" } }
    }
  }

  /// Why no measurement can have given this; nil if one can.
  package var flaw: String? {
    guard groups.count == population.groups.count else { return "lacks curves of a group" }
    for group in groups {
      guard group.classes.count == group.axes.classCount else { return "lacks a class" }
      for item in group.classes where item.refusal == nil {
        guard item.curves.count == group.axes.data.count, item.curves.allSatisfy(\.isSound),
          item.peaks.isSound
        else {
          return "has a curve that no file follows"
        }
      }
    }
    return nil
  }
}

/// The curves of a group's classes.
package struct GroupCurves: Hashable, Sendable, Codable {
  package var group: String
  package var engine: String
  package var engineVersion: String
  package var axes: ClassAxes
  /// In the order of `ClassAxes.parameters`.
  package var classes: [ClassCurves]
  /// What interpolation between classes and sizes misses at devices that were left out of the curves.
  package var errors: InterpolationErrors?

  package init(
    group: String, engine: String, engineVersion: String, axes: ClassAxes, classes: [ClassCurves]
  ) {
    self.group = group
    self.engine = engine
    self.engineVersion = engineVersion
    self.axes = axes
    self.classes = classes
  }
}

/// The curves of one class, a curve for each size of the data.
package struct ClassCurves: Hashable, Sendable, Codable {
  package var name: String
  package var parameters: ClassParameters
  /// By the nodes of `ClassAxes.data`; empty for a refused class.
  package var curves: [RenewalCurve]
  /// What launches need beyond the file.
  package var peaks: LaunchPeaks
  /// Why the class cannot be simulated; nil if it can.
  package var refusal: String?

  package init(
    name: String, parameters: ClassParameters, curves: [RenewalCurve],
    peaks: LaunchPeaks = LaunchPeaks([]), refusal: String? = nil
  ) {
    self.name = name
    self.parameters = parameters
    self.curves = curves
    self.peaks = peaks
    self.refusal = refusal
  }
}

/// Relative errors, without sign, of interpolated sizes at measured ones.
package struct InterpolationErrors: Hashable, Sendable, Codable {
  /// Launches that were compared.
  package var count: Int
  package var medianTotal: Double
  package var p90Total: Double
  package var medianUsed: Double
  package var p90Used: Double

  package init?(total: [Double], used: [Double]) {
    guard !total.isEmpty, !used.isEmpty else { return nil }
    count = total.count
    func quantile(_ errors: [Double], _ share: Double) -> Double {
      errors.map(abs).sorted()[Int(share * Double(errors.count - 1))]
    }
    (medianTotal, p90Total) = (quantile(total, 0.5), quantile(total, 0.9))
    (medianUsed, p90Used) = (quantile(used, 0.5), quantile(used, 0.9))
  }
}
