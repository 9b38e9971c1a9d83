// simulation.md: policies side by side, every figure with its quantiles and intervals, pictures, what the figures are worth.
import Analysis
package import FleetModel
import MetricModel

package enum FleetMarkdown {
  package static let fileName = "simulation.md"

  package static func text(
    _ summary: FleetSummary, repeatedBy command: String, pictureFolder: String
  ) -> String {
    var out = "# A simulated fleet: \(summary.population.asMarkdown)\n\n"
    out += "\(FleetWords.head(summary).asMarkdown).\n\n"
    let titles = FleetWords.titles(summary)
    var table = MarkdownTable(titles.enumerated().map { ($1, $0 == 0 ? .left : .right) })
    for policy in summary.policies {
      table.add(FleetWords.row(policy, summary).map(\.asMarkdown))
    }
    out += table.text + "\n"
    for policy in summary.policies where policy.name != policy.rule {
      out += "- \(policy.name.asMarkdown): `\(policy.rule)`\n"
    }
    out += "\n![sizes of files over time](\(pictureFolder)/\(FleetPicture.fanName))\n"
    out += "\n![the largest size of devices](\(pictureFolder)/\(FleetPicture.distributionName))\n"
    for policy in summary.policies { out += "\n" + section(policy, summary) }
    out += "\n## What the figures are worth\n\n"
    out += FleetWords.notes(summary).map { "- \($0.asMarkdown)\n" }.joined()
    return out + """

      ## Method

      Every device is drawn from its number, and walks over its launches (a Poisson process) through curves that the real \
      engine gave for its class: file, used and peak size after a compaction, by the bytes written since. All policies see \
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
        + [("worst", .right)]
        + (isFirst ? [] : [("smaller in", .right), ("larger in", .right)]))
    for figure in policy.figures {
      let unit = figure.figure.unit
      table.add(
        [figure.figure.rawValue]
          + figure.quantiles.map { words($0, unit) } + [FleetWords.value(figure.worst, unit)]
          + (isFirst
            ? []
            : [FleetWords.share(figure.smallerShare), FleetWords.share(figure.largerShare)]))
    }
    let than =
      isFirst
      ? ""
      : "\nSmaller and larger: the shares of devices whose figure is so compared with "
        + "\(summary.policies[0].name.asMarkdown), on the same devices.\n"
    return "## \(policy.name.asMarkdown)\n\n\(table.text)\(than)"
  }

  private static func words(_ quantile: FleetQuantile, _ unit: FleetFigure.Unit) -> String {
    guard let low = quantile.low, let high = quantile.high else {
      return FleetWords.value(quantile.value, unit)
    }
    return FigureText.words(quantile.value, from: low, to: high) { FleetWords.value($0, unit) }
  }
}
