// report.md: the recommendation first, then the growth of the files, then the figures behind it.
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
    parts += ThreadSection(analysis).parts
    parts += ArmSection(analysis).parts
    parts += DecisionSection(analysis).parts
    parts += RefusalSection(analysis).parts
    parts += HolderSection(analysis).parts
    parts += PageSection(analysis).parts
    parts += LoadSection(analysis).parts
    parts += LookupSection(analysis).parts
    parts += InterferenceSection(analysis).parts
    parts += ExpectationSection(analysis).parts
    parts += MethodSection(analysis).parts
    return parts.filter { !$0.isEmpty }.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
      .joined(separator: "\n")
  }

  private static func opening(_ analysis: ScenarioAnalysis) -> String {
    let recommendation = analysis.recommendation
    let scenario = analysis.record.scenario
    let sentences = recommendation.engines.filter { !$0.isEmpty }
    let isShort = sentences.count == 1
    let headline = "**\(recommendation.headline)**" + (isShort ? " \(sentences[0])" : "")
    let warnings = ((isShort ? [] : sentences) + recommendation.warnings).map { "\n>\n> \($0)" }
      .joined()
    return """
      # \(scenario.name.asMarkdown)

      *\(scenario.question.asMarkdown)*

      > \(analysis.record.integrity.warning.map { "\($0)\n>\n> " } ?? "")\(headline)\(warnings)
      """
  }

  /// The reasons for the recommendation, one sentence a line.
  private static func findings(_ analysis: ScenarioAnalysis) -> [String] {
    let recommendation = analysis.recommendation
    let description = analysis.record.scenario.description.asMarkdownLine
    let sentences = recommendation.choice + recommendation.context
    return [
      "## Findings", description, sentences.map { "- \($0)" }.joined(separator: "\n"),
    ]
  }

  static func picture(_ picture: Picture) -> String {
    let caption = picture.caption
    return
      "![\(caption.replacing("`", with: "").asMarkdown)](\(Pictures.folder)/\(picture.file))\n\n*\(caption)*"
  }
}
