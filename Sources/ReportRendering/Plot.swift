// A picture as text: a gnuplot script and its data, kept beside the SVG so that anyone can change and redraw it.
package import Analysis

/// Files `name.gp` and `name.tsv` in one folder; `gnuplot name.gp`, run there, writes `name.svg`, and with
/// `gnuplot -e png=1 name.gp` also works for `name.png`.
package struct Plot: Sendable, Equatable {
  package let name: String
  /// For the report: what the picture shows, in one line.
  package let caption: String
  package let script: String
  package let data: String

  package var scriptFile: String { "\(name).gp" }
  package var dataFile: String { "\(name).tsv" }
  package var pictureFile: String { "\(name).svg" }
}

package enum Plots {
  /// Where the plots' files lie, seen from the report: what the pictures' links begin with.
  package static let folder = "plots"

  /// All pictures of a report: the growth by policy, and by arm where there is more than one.
  package static func plots(for analysis: ScenarioAnalysis) -> [Plot] {
    [GrowthPlot.byPolicy(analysis), GrowthPlot.byArm(analysis)].compactMap { $0 }
  }
}
