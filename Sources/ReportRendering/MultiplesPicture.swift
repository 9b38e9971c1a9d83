// Small multiples: a row for each engine, a column for each policy, all panels of a row on one scale.
import Analysis
import MetricModel
import PictureDrawing

enum MultiplesPicture {
  static let caption =
    "One panel for each engine and policy; the panels of an engine share a scale. Gray: live data. Tinted: snapshots are"
    + " held, with a bar below. Triangles: compacted; circles: declined at launch."

  private static let heading = 22
  private static let margin = 8

  /// Whether there are several policies to compare.
  static func isWorthwhile(_ analysis: ScenarioAnalysis) -> Bool {
    analysis.record.scenario.policies.count > 1
      && analysis.cells.count { $0.key.arm == analysis.mainArm && !$0.samples.isEmpty } > 1
  }

  /// Panels by engine, then by policy; nil where a cell has no curve. Empty without at least two panels.
  static func panels(
    _ analysis: ScenarioAnalysis, maxPoints: Int
  ) -> [(engine: String, panels: [PanelModel?])] {
    let policies = analysis.record.scenario.policies
    let rows = analysis.engines.compactMap { engine -> (engine: String, panels: [PanelModel?])? in
      var panels = policies.enumerated().map { index, policy -> PanelModel? in
        let name = analysis.labels[policy.name]
        guard let cell = analysis.cell(engine, policy.name, analysis.mainArm) else { return nil }
        return PanelModel(title: name, cells: [(index, name, cell)], maxPoints: maxPoints)
      }
      let top = panels.compactMap { $0?.top }.max() ?? .zero
      let last = panels.compactMap { $0?.lastCommit }.max() ?? 1
      for index in panels.indices {
        panels[index]?.top = top
        panels[index]?.lastCommit = last
      }
      return panels.contains { $0 != nil } ? (engine, panels) : nil
    }
    return isWorthwhile(analysis) ? rows : []
  }

  /// A picture by itself; nil where there is only one cell to show.
  static func svg(_ analysis: ScenarioAnalysis, maxPoints: Int = 300) -> String? {
    let rows = panels(analysis, maxPoints: maxPoints)
    guard let columns = rows.map(\.panels.count).max() else { return nil }
    let width = margin + columns * (PanelSVG.Size.small.width + 8)
    let key = PictureKey(rows.flatMap { $0.panels.compactMap { $0 } })
      .drawn(x: margin, y: margin, width: width)
    var body = key.body
    var top = margin + key.height
    for row in rows {
      let drawn = row.panels.map { $0.map { PanelSVG($0, .small) } }
      let height = drawn.compactMap { $0?.height }.max() ?? 0
      body +=
        Draw.text(row.engine.visible, "txt", x: margin, y: top + 14, size: 13, weight: "600") + "\n"
      top += heading
      for (column, panel) in drawn.enumerated() {
        let left = margin + column * (PanelSVG.Size.small.width + 8)
        if let panel {
          body += Draw.group(x: left, y: top, panel.body) + "\n"
        } else {
          body += Draw.text("n/a", "faint", x: left + 120, y: top + height / 2, size: 11) + "\n"
        }
      }
      top += height + 6
    }
    return StackedPicture.document(width: width, height: top, body)
  }
}
