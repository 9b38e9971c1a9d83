// `--figure`: the figure that the pictures of a sweep show.
import Analysis
import ArgumentParser

struct FigureOption: ParsableArguments {
  @Option(
    help:
      "The figure of a sweep's pictures: a column of Docs/Metrics.md (default: time_weighted_bytes)."
  )
  var figure: String?

  func validate() throws { _ = try metric() }

  func metric() throws -> SummaryMetric {
    guard let figure else { return .timeWeighted }
    if let metric = SummaryMetric.allCases.first(where: { $0.column == figure }) { return metric }
    throw ValidationError(
      "--figure \(figure): there is no such figure; there are: "
        + SummaryMetric.allCases.map(\.column).joined(separator: ", "))
  }
}
