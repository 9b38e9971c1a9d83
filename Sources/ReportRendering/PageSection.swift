// The fill of the pages of each table at the end, if the engine reports it: a page that is half empty counts as live, and
// no policy reclaims the other half until rows are packed anew.
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
      "## Page fill",
      "At the end of the last launch, arm \(analysis.mainArm.asCode), first run, for engines that report it. Rows: bytes of"
        + " keys and values. Unused: empty bytes within these pages, which count as live. The rest are headers and"
        + " pointers.",
      MarkdownFold.text("Pages of each table", [table(cells)]),
    ]
  }

  private func table(_ cells: [CellAnalysis]) -> String {
    var table = EngineTables([
      ("policy", .left), ("table", .left), ("inner pages", .right),
      ("leaf pages", .right), ("overflow pages", .right), ("bytes", .right), ("rows", .right),
      ("unused", .right), ("unused share", .right),
    ])
    for cell in cells {
      for one in cell.first?.tables ?? [] {
        let share = one.bytes == .zero ? 0 : Double(one.unused.bytes) / Double(one.bytes.bytes)
        table.add(
          cell.key.engine,
          [
            analysis.labels[cell.key.policy].asMarkdown, one.table.asMarkdown,
            grouped(one.innerPages), grouped(one.leafPages),
            grouped(one.overflowPages), "\(one.bytes)", "\(one.payload)",
            "\(one.unused)", percent(share),
          ])
      }
    }
    return table.text
  }
}
