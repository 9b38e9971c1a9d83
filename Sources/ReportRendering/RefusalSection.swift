// Refusals because of a limit: where, how often, and with which message. An arm with limits is about these.
import Analysis
import MetricModel
import RecordModel

struct RefusalSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    let cells = analysis.cells.filter { !($0.first?.refusals ?? []).isEmpty }
    guard !cells.isEmpty else { return [] }
    return [
      "## Refusals",
      "Transactions and openings that a limit forbids, first run of each cell. A refused transaction is rolled back, and the"
        + " run continues.",
      MarkdownFold.text("Refusals by cell and phase", [table(cells)]),
    ]
  }

  private func table(_ cells: [CellAnalysis]) -> String {
    var table = EngineTables([
      ("policy", .left), ("arm", .left), ("launch", .right), ("phase", .left),
      ("after commit", .right), ("count", .right), ("first message", .left),
    ])
    for cell in cells {
      for refusal in cell.first?.refusals ?? [] {
        table.add(
          cell.key.engine,
          [
            analysis.labels[cell.key.policy].asMarkdown, cell.key.arm.asMarkdown,
            String(refusal.launch),
            refusal.phase.asMarkdown, grouped(refusal.commit), grouped(refusal.count),
            refusal.reason.asMarkdown,
          ])
      }
    }
    return table.text
  }
}
