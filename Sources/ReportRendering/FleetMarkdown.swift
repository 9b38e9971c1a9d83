// simulation.md: the verdict, policies side by side, distributions and fan charts, every figure with its quantiles and
// intervals, what the figures are worth.
import Analysis
package import FleetModel
import MetricModel

package enum FleetMarkdown {
  package static let fileName = "simulation.md"

  package static func text(
    _ summary: FleetSummary, repeatedBy command: String, pictureFolder: String
  ) -> String {
    var out = "# A simulated fleet: \(summary.population.asMarkdown)\n\n"
    out += "> \(FleetVerdict.sentence(summary).asMarkdown)\n\n"
    out += "\(FleetWords.head(summary).asMarkdown).\n\n"
    let titles = FleetWords.titles(summary)
    var table = MarkdownTable(titles.enumerated().map { ($1, $0 == 0 ? .left : .right) })
    for policy in summary.policies {
      table.add(FleetWords.row(policy, summary).map(\.asMarkdown))
    }
    out += table.text + "\n"
    let rules = summary.policies.filter { $0.name != $0.rule }
    for policy in rules { out += "- \(policy.name.asMarkdown): `\(policy.rule)`\n" }
    if !rules.isEmpty { out += "\n" }
    for picture in FleetPicture.all(summary) {
      out += "![\(picture.title)](\(pictureFolder)/\(picture.name))\n\n"
    }
    out += "## All figures\n\n"
    out += summary.policies.map { section($0, summary) }.joined(separator: "\n\n") + "\n"
    out += "\n## What the figures are worth\n\n"
    out += FleetWords.notes(summary).map { "- \($0.asMarkdown)\n" }.joined()
    return out + """

      ## Method

      Every device is drawn from its number, and walks over its launches (a Poisson process) through curves that the real \
      engine gave for its class: file and used size after a compaction, by the bytes written since. All policies see \
      the same devices and launches. An interval contains the quantile of a fleet without end with a probability of 95 %; \
      it is that of drawing devices, not of the curves.

      Command: `\(command)`

      """
  }

  private static func section(_ policy: PolicySummary, _ summary: FleetSummary) -> String {
    let isFirst = policy.name == summary.policies[0].name
    var table = MarkdownTable(
      [("figure", .left)]
        + FigureSummary.shares.map { (FleetWords.percentile($0), .right) }
        + [("worst", .right), ("mean", .right)]
        + (isFirst ? [] : [("smaller in", .right), ("larger in", .right)]))
    for figure in policy.figures {
      let unit = figure.figure.unit
      table.add(
        [figure.figure.rawValue]
          + figure.quantiles.map { words($0, unit) }
          + [FleetWords.value(figure.worst, unit), FleetWords.value(figure.mean, unit)]
          + (isFirst
            ? []
            : [FleetWords.share(figure.smallerShare), FleetWords.share(figure.largerShare)]))
    }
    let than =
      isFirst
      ? ""
      : "Smaller and larger: the shares of devices whose figure is so compared with "
        + "\(summary.policies[0].name.asMarkdown), on the same devices.\n"
    return MarkdownFold.text("\(policy.name.asMarkdown)", [table.text, than])
  }

  private static func words(_ quantile: FleetQuantile, _ unit: FleetFigure.Unit) -> String {
    guard let low = quantile.low, let high = quantile.high, low < high else {
      return FleetWords.value(quantile.value, unit)
    }
    return FigureText.words(quantile.value, from: low, to: high) { FleetWords.value($0, unit) }
  }
}
