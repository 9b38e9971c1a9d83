// The curves of real threads beside the exact ones: whether the stepped runs describe what threads do, and where they do not.
import Analysis
import MetricModel
import RecordModel

struct ThreadSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    let compared = analysis.cells.count { $0.threadCurves != nil }
    guard compared > 0 else { return [] }
    let departures = analysis.departures
    let outcome =
      departures.isEmpty
      ? "In every run of all \(counted(compared, "cell")) they stay within it, so the stepped runs describe this workload."
      : "In \(departures.count) of \(counted(compared, "cell")) they do not stay within it: there the stepped run does not"
        + " describe this workload. Each row names the run that is farthest from the band."
    return [
      "## Real threads beside the exact curves",
      "Byte counts of runs on real threads are compared with the exact curve. The band: \(ThreadCurves.bandText)."
        + " \(outcome)",
      departures.isEmpty ? "" : table(departures),
    ]
  }

  private func table(_ departures: [(key: CellKey, curves: ThreadCurves)]) -> String {
    var table = EngineTables([
      ("policy", .left), ("arm", .left), ("runs that leave it", .right),
      ("phase, launch", .left), ("commit", .right), ("on threads", .right),
      ("stepped, nearby", .right),
    ])
    for (key, curves) in departures {
      guard let departure = curves.widest else { continue }
      table.add(
        key.engine,
        [
          analysis.labels[key.policy].asMarkdown, key.arm.asMarkdown,
          "\(curves.departures.count) of \(curves.runs)",
          "\(departure.phase.asCode), \(departure.launch)", grouped(departure.commit),
          departure.size.description,
          "\(departure.exact.lowerBound)–\(departure.exact.upperBound)",
        ])
    }
    return table.text
  }
}
