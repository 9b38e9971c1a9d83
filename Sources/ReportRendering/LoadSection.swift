// Open loops: latency from the intended time next to service latency, so that a stall shows in everything it delayed.
import Analysis
import MetricModel
import RecordModel

struct LoadSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    var table = MarkdownTable([
      ("engine", .left), ("policy", .left), ("arm", .left), ("client", .left),
      ("rate per s", .right),
      ("maximum rate", .right), ("longest delay", .right), ("transactions", .right),
      ("intended latency p50", .right), ("p99", .right), ("max", .right),
      ("service latency p50", .right), ("p99", .right), ("max", .right),
    ])
    var isEmpty = true
    for cell in analysis.cells {
      for load in cell.firstTimed?.timing.openLoads ?? [] {
        isEmpty = false
        table.add(
          [
            cell.key.engine, analysis.labels[cell.key.policy].asMarkdown, cell.key.arm.asMarkdown,
            load.client.asMarkdown,
          ]
            + figures(load))
      }
    }
    guard !isEmpty else { return [] }
    return [
      "## Open loops",
      "Transactions were scheduled at fixed times, whether or not earlier ones had finished. Intended latency counts from"
        + " the scheduled time, service latency from the actual start. First run of each cell.",
      table.text,
    ]
  }

  private func figures(_ load: OpenLoad) -> [String] {
    let times = [load.intended, load.service].flatMap { [$0.p50, $0.p99, $0.max] }
    return [
      load.ratePerSecond.threeDigits, load.maximumPerSecond?.threeDigits ?? "–",
      Nanoseconds.words(Double(load.greatestDelay)), grouped(load.intended.count),
    ] + times.map { Nanoseconds.words(Double($0)) }
  }
}
