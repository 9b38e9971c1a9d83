// The pictures of a report: the same record gives the same bytes, and no plotting program is needed.
package import Analysis
import MetricModel
import PictureDrawing
import RecordModel

package struct Picture: Sendable, Equatable {
  package let name: String
  /// For the report: what the picture shows, in one line.
  package let caption: String
  package let svg: String

  package var file: String { "\(name).svg" }
}

package enum Pictures {
  /// Where the pictures lie, seen from the report: what their links begin with.
  package static let folder = "plots"

  /// All pictures of a report: size by policy; engines × policies, and arms, if there is more than one; an engine over time,
  /// if events kept clients waiting.
  package static func all(_ analysis: ScenarioAnalysis) -> [Picture] {
    ([growth(analysis), multiples(analysis), arms(analysis)]
      + analysis.engines.map { interference($0, analysis) }).compactMap { $0 }
  }

  static func growth(_ analysis: ScenarioAnalysis) -> Picture? {
    let titles = analysis.record.scenario.policies.map { analysis.labels[$0.name] }
    guard let svg = StackedPicture.svg(panels(analysis, maxPoints: Curve.maxPoints), titles: titles)
    else { return nil }
    return Picture(
      name: "growth",
      caption:
        "Size of all files by policy, arm \(analysis.mainArm.asCode). Gray: live data. Tinted: snapshots are held; the bars"
        + " below show the bytes retained for them. Triangle: compacted; circle: declined at launch; cross: skipped or"
        + " abandoned. Dashed line: a new launch.", svg: svg)
  }

  static func multiples(_ analysis: ScenarioAnalysis) -> Picture? {
    MultiplesPicture.svg(analysis).map {
      Picture(name: "multiples", caption: MultiplesPicture.caption, svg: $0)
    }
  }

  static func arms(_ analysis: ScenarioAnalysis) -> Picture? {
    guard let (policy, panels) = armPanels(analysis, maxPoints: Curve.maxPoints) else { return nil }
    return StackedPicture.svg(panels, titles: armTitles(analysis)).map {
      Picture(
        name: "arms",
        caption:
          "Size of all files by arm, policy \(policy.asCode): the main arm and the mitigations.",
        svg: $0)
    }
  }

  static func armTitles(_ analysis: ScenarioAnalysis) -> [String] {
    analysis.record.scenario.arms.map { $0.summary.isEmpty ? $0.name : "\($0.name): \($0.summary)" }
  }

  /// One panel for each engine, with a curve for each arm, and the policy that they are under; nil with one arm.
  static func armPanels(
    _ analysis: ScenarioAnalysis, maxPoints: Int
  ) -> (policy: String, panels: [PanelModel])? {
    let arms = analysis.record.scenario.arms
    let policies = analysis.record.scenario.policies
    guard arms.count > 1,
      let policy = policies.first(where: { $0.rule == "never" }) ?? policies.first
    else { return nil }
    let panels = analysis.engines.compactMap { engine in
      PanelModel(
        title: engine,
        cells: arms.enumerated().compactMap { index, arm in
          analysis.cell(engine, policy.name, arm.name).map { (index, arm.name, $0) }
        }, maxPoints: maxPoints)
    }
    return (analysis.labels[policy.name], panels)
  }

  /// One panel for each engine, with a curve for each policy of the first arm.
  static func panels(_ analysis: ScenarioAnalysis, maxPoints: Int) -> [PanelModel] {
    let policies = analysis.record.scenario.policies
    return analysis.engines.compactMap { engine in
      let cells = policies.enumerated().compactMap { index, policy in
        analysis.cell(engine, policy.name, analysis.mainArm).map {
          (series: index, title: analysis.labels[policy.name], cell: $0)
        }
      }
      return PanelModel(title: engine, cells: cells, maxPoints: maxPoints)
    }
  }
}

/// Large panels one below the other, under a legend.
package enum StackedPicture {
  private static let row = 20
  private static let margin = 12

  /// - Parameter titles: of the series by number. Nil without panels.
  package static func svg(_ panels: [PanelModel], titles: [String]) -> String? {
    guard !panels.isEmpty else { return nil }
    let width = PanelSVG.Size.large.width
    let titles = titles.map(\.onOneLine)
    let column = (titles.map(\.count).max() ?? 0) * 8 + 60
    let columns = max(1, (width - 2 * margin) / column)
    var body = ""
    for (index, title) in titles.enumerated() {
      let (x, y) = (margin + index % columns * column, margin + index / columns * row)
      let style = PictureTheme.style(index)
      body +=
        Draw.path(
          "curve s\(style)", PathData().move(x, y + 6).horizontal(by: 36),
          width: PictureTheme.widths[style], dashes: PictureTheme.dashes[style])
        + Draw.text(title.visible, "txt", x: x + 44, y: y + 10, size: 12) + "\n"
    }
    let below = margin + (titles.count + columns - 1) / columns * row
    let key = PictureKey(panels).drawn(x: margin, y: below, width: width - margin)
    body += key.body
    var top = below + key.height + 8
    for panel in panels {
      let drawn = PanelSVG(panel, .large)
      body += Draw.group(x: 0, y: top, "\n\(drawn.body)\n") + "\n"
      top += drawn.height + 8
    }
    return document(width: width, height: top, body)
  }

  /// A picture by itself.
  static func document(width: Int, height: Int, _ body: String) -> String {
    PictureDocument.text(
      width: width, height: height, styles: PictureTheme.standalone, background: .style("paper"),
      body)
  }
}
