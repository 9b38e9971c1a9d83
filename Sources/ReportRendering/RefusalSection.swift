// What was refused because of a limit, where, how often, and in which words: an arm that lives within limits is about this.
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
      "## What was refused",
      "Because of a limit, first run of each cell. A refused transaction is undone, and the run goes on.",
      table(cells),
    ]
  }

  private func table(_ cells: [CellAnalysis]) -> String {
    var table = MarkdownTable([
      ("engine", .left), ("policy", .left), ("arm", .left), ("launch", .right), ("phase", .left),
      ("after commit", .right), ("times", .right), ("in its words, the first time", .left),
    ])
    for cell in cells {
      for refusal in cell.first?.refusals ?? [] {
        table.add([
          cell.key.engine, analysis.labels[cell.key.policy].asMarkdown, cell.key.arm.asMarkdown,
          String(refusal.launch),
          refusal.phase.asMarkdown, grouped(refusal.commit), grouped(refusal.count),
          refusal.reason.asMarkdown,
        ])
      }
    }
    return table.text
  }
}
