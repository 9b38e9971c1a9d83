// report.md: the verdict first, then the growth of the files, then every number that it rests on.
package import Analysis
import MetricModel
import RecordModel

package enum ReportMarkdown {
  package static let fileName = "report.md"

  package static func text(_ analysis: ScenarioAnalysis) -> String {
    var parts = [opening(analysis), Pictures.growth(analysis).map(picture) ?? ""]
    parts += PolicySection(analysis).parts
    parts += findings(analysis)
    parts += CurveSection(analysis).parts
    parts += ArmSection(analysis).parts
    parts += DecisionSection(analysis).parts
    parts += RefusalSection(analysis).parts
    parts += HolderSection(analysis).parts
    parts += PageSection(analysis).parts
    parts += LoadSection(analysis).parts
    parts += ExpectationSection(analysis).parts
    parts += MethodSection(analysis).parts
    return parts.filter { !$0.isEmpty }.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
      .joined(separator: "\n")
  }

  private static func opening(_ analysis: ScenarioAnalysis) -> String {
    let verdict = analysis.verdict
    let scenario = analysis.record.scenario
    let answer = ["**\(verdict.headline)**", verdict.gain].filter { !$0.isEmpty }
      .joined(separator: " ")
    let warnings = verdict.warnings.map { "\n>\n> \($0)" }.joined()
    return """
      # \(scenario.name)

      *\(scenario.question.onOneLine)*

      > \(answer)\(warnings)
      """
  }

  /// What the answer rests on, a sentence a line.
  private static func findings(_ analysis: ScenarioAnalysis) -> [String] {
    let verdict = analysis.verdict
    let description = analysis.record.scenario.description.onOneLine
    let sentences = verdict.choice + verdict.context
    return [
      "## What was found", description, sentences.map { "- \($0)" }.joined(separator: "\n"),
    ]
  }

  static func picture(_ picture: Picture) -> String {
    let caption = picture.caption
    return
      "![\(caption.replacing("`", with: ""))](\(Pictures.folder)/\(picture.file))\n\n*\(caption)*"
  }
}
