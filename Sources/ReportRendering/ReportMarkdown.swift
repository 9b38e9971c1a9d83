// report.md: the recommendation first, then the growth of the files, then the figures behind it.
package import Analysis
import MetricModel
import RecordModel

package enum ReportMarkdown {
  package static let fileName = "report.md"

  package static func text(_ analysis: ScenarioAnalysis) -> String {
    var parts = [
      opening(analysis), Pictures.growth(analysis).map(picture) ?? "", engines(analysis),
    ]
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
    let sentences = engineSentences(analysis)
    let headline =
      "**\(recommendation.headline)**" + (sentences.count == 1 ? " \(sentences[0])" : "")
    let warnings = recommendation.warnings.map { "\n>\n> \($0)" }.joined()
    return """
      # \(scenario.name.asMarkdown)

      *\(scenario.question.asMarkdown)*

      > \(analysis.record.integrity.warning.map { "\($0)\n>\n> " } ?? "")\(headline)\(warnings)
      """
  }

  /// The recommendation for each engine, below the picture: both the verdict and the picture are on the first screen.
  private static func engines(_ analysis: ScenarioAnalysis) -> String {
    let sentences = engineSentences(analysis)
    return sentences.count == 1 ? "" : sentences.map { "- \($0)" }.joined(separator: "\n")
  }

  private static func engineSentences(_ analysis: ScenarioAnalysis) -> [String] {
    analysis.recommendation.engines.filter { !$0.isEmpty }
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
