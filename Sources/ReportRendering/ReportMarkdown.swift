// report.md: the verdict first, then the growth of the files, then every number that it rests on.
package import Analysis
import MetricModel
import RecordModel

package enum ReportMarkdown {
  package static let fileName = "report.md"

  /// - Parameter hasPictures: whether gnuplot drew the SVG files; if not the report says how to get them.
  package static func text(_ analysis: ScenarioAnalysis, hasPictures: Bool) -> String {
    var parts = [opening(analysis), pictures(analysis, hasPictures)]
    parts += PolicySection(analysis).parts
    parts += CurveSection(analysis).parts
    parts += ArmSection(analysis, hasPictures: hasPictures).parts
    parts += DecisionSection(analysis).parts
    parts += HolderSection(analysis).parts
    parts += LoadSection(analysis).parts
    parts += ExpectationSection(analysis).parts
    parts += MethodSection(analysis, hasPictures: hasPictures).parts
    return parts.filter { !$0.isEmpty }.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
      .joined(separator: "\n")
  }

  private static func opening(_ analysis: ScenarioAnalysis) -> String {
    let verdict = analysis.verdict
    let scenario = analysis.record.scenario
    return """
      # \(scenario.name)

      > **\(verdict.headline)** \(verdict.choice.joined(separator: " "))
      >
      > \(verdict.context.joined(separator: " "))

      *\(scenario.question.onOneLine)* \(scenario.description.onOneLine)
      """
  }

  private static func pictures(_ analysis: ScenarioAnalysis, _ hasPictures: Bool) -> String {
    let plots = Plots.plots(for: analysis)
    guard let growth = plots.first else { return "" }
    guard hasPictures else {
      let names = plots.map { "`gnuplot \($0.scriptFile)`" }.joined(separator: " and ")
      return """
        The pictures were not drawn, because gnuplot was not found. To get them install it
        (`apt-get install gnuplot-nox`, `brew install gnuplot`) and run \(names) in the folder `\(Plots.folder)`.
        """
    }
    return picture(growth)
  }

  static func picture(_ plot: Plot) -> String {
    "![\(plot.caption.replacing("`", with: ""))](\(Plots.folder)/\(plot.pictureFile))\n\n*\(plot.caption)*"
  }
}
