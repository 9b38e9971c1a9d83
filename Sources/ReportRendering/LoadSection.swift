// Open loops: latency from the intended time next to service latency, so that a stall shows in everything it delayed.
import Analysis
import MetricModel
import RecordModel

struct LoadSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    var table = EngineTables([
      ("policy", .left), ("arm", .left), ("client", .left), ("rate per s<br>*of maximum*", .right),
      ("transactions", .right), ("longest delay", .right),
      ("intended latency<br>*p50 · p99 · max*", .right),
      ("service latency<br>*p50 · p99 · max*", .right),
    ])
    for cell in analysis.cells {
      for load in cell.firstTimed?.timing.openLoads ?? [] {
        table.add(
          cell.key.engine,
          [
            analysis.labels[cell.key.policy].asMarkdown, cell.key.arm.asMarkdown,
            load.client.asMarkdown,
          ] + figures(load))
      }
    }
    guard !table.isEmpty else { return [] }
    return [
      "## Open loops",
      "Transactions were scheduled at fixed times, whether or not earlier ones had finished. Intended latency counts from"
        + " the scheduled time, service latency from the actual start. First run of each cell.",
      table.text,
    ]
  }

  private func figures(_ load: OpenLoad) -> [String] {
    let maximum = load.maximumPerSecond.map { " of \($0.threeDigits)" } ?? ""
    return [
      load.ratePerSecond.threeDigits + maximum, grouped(load.intended.count),
      Nanoseconds.words(Double(load.greatestDelay)),
    ]
      + [load.intended, load.service].map { latency in
        [latency.p50, latency.p99, latency.max].map { Nanoseconds.words(Double($0)) }
          .joined(separator: " · ")
      }
  }
}
