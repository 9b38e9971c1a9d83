// How full the pages of each table were in the end, for engines that tell: a page that is half empty counts as live, and no
// policy gives its other half back before rows are packed anew.
import Analysis
import MetricModel
import RecordModel

struct PageSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    let cells = analysis.cells.filter {
      $0.key.arm == analysis.mainArm && !($0.first?.tables ?? []).isEmpty
    }
    guard !cells.isEmpty else { return [] }
    return [
      "## How full the pages were",
      "When the last launch ended, arm \(analysis.mainArm.asCode), first run, for engines that tell. Rows: bytes of keys and"
        + " values; unused: bytes of these pages that nothing is in, and that count as live all the same. The rest is"
        + " headers and pointers.",
      table(cells),
    ]
  }

  private func table(_ cells: [CellAnalysis]) -> String {
    var table = MarkdownTable([
      ("engine", .left), ("policy", .left), ("table", .left), ("inner pages", .right),
      ("leaves", .right), ("overflow", .right), ("bytes", .right), ("rows", .right),
      ("unused", .right), ("share", .right),
    ])
    for cell in cells {
      for one in cell.first?.tables ?? [] {
        let share = one.bytes == .zero ? 0 : Double(one.unused.bytes) / Double(one.bytes.bytes)
        table.add([
          cell.key.engine, analysis.labels[cell.key.policy].asMarkdown, one.table.asMarkdown,
          grouped(one.innerPages), grouped(one.leafPages),
          grouped(one.overflowPages), "\(one.bytes)", "\(one.payload)",
          "\(one.unused)", percent(share),
        ])
      }
    }
    return table.text
  }
}
