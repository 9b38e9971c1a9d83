// A scenario's plan as a picture: phases from left to right, a row for each client, one panel for each arm. Every bar has
// its client's name beside it, so that no color is needed to tell them apart.
import MetricModel
import PictureDrawing
package import ScenarioModel

package enum TimelineSVG {
  private static let rowHeight = 22
  private static let headHeight = 58
  private static let margin = 16
  private static let launchGap = 18
  /// Of a phase, so that its name fits.
  private static let characterWidth = 7
  /// For all commits together, beside what names need.
  private static let plotWidth = 640

  /// A whole SVG document.
  package static func text(_ scenario: Scenario) -> String {
    let panels = scenario.arms.map { ScenarioTimeline(scenario, $0) }
    guard let first = panels.first else { preconditionFailure("A scenario has an arm.") }
    let columns = Columns(first)
    let names = panels.flatMap { $0.clients.map(\.name) } + ["delete, refill"]
    let gutter = (names.map(\.count).max() ?? 0) * characterWidth + 24
    let width = max(gutter + columns.width, 560) + 2 * margin
    var y = margin + 66
    var body = legend(y: margin + 38)
    for panel in panels {
      let (part, height) = draw(panel, columns, left: margin + gutter, top: y)
      body += part
      y += height + 18
    }
    let launches = counted(scenario.launches, "launch")
    let commits = panels.compactMap { $0.stretches.last?.commits.end }
      .max { $0.upperBound < $1.upperBound }
    let title = "\(scenario.name): \((commits ?? 0...0).words) commits in \(launches)"
    let heading = Draw.text(
      title.visible, "ink", x: margin, y: margin + 10, size: 14, weight: "bold")
    let note = Draw.text(
      "Numbers below phases are commits; short phases are drawn wider than to scale.", "faint",
      x: margin, y: margin + 28)
    return PictureDocument.text(
      width: width, height: y, styles: TimelineTheme.styleSheet, font: TimelineTheme.font,
      title: title.visible, background: .style("ground"),
      [heading, note, body].joined(separator: "\n"))
  }

  /// Where each stretch lies, the same in all panels.
  private struct Columns {
    var spans: [(x: Int, width: Int)] = []
    var width = 0

    init(_ timeline: ScenarioTimeline) {
      let all = max(timeline.stretches.last?.commits.end.middle ?? 0, 1)
      var launch = 1
      for stretch in timeline.stretches {
        if stretch.launch != launch {
          width += launchGap
          launch = stretch.launch
        }
        let commits = stretch.commits.end.middle - stretch.commits.before.middle
        let minWidth = max(44, stretch.phase.name.count * characterWidth + 10)
        let own = max(minWidth, Int(Double(plotWidth) * Double(commits) / Double(all)))
        spans.append((width, own))
        width += own
      }
    }
  }

  private static func draw(
    _ timeline: ScenarioTimeline, _ columns: Columns, left: Int, top: Int
  ) -> (svg: String, height: Int) {
    let hasBulk = timeline.stretches.contains { $0.phase.bulkWords != nil }
    let names = timeline.clients.map(\.name) + (hasBulk ? ["delete, refill"] : [])
    let rowsTop = top + headHeight
    let bottom = rowsTop + names.count * rowHeight
    var out = label(timeline.arm, x: margin, y: top + 12)
    var launch = 0
    for (index, stretch) in timeline.stretches.enumerated() {
      let (x, width) = (left + columns.spans[index].x, columns.spans[index].width)
      if index.isMultiple(of: 2) {
        out += rectangle("band", x, top + 36, width, bottom - top - 36)
      }
      if stretch.launch != launch {
        launch = stretch.launch
        out += text("launch \(launch)", "faint", x + 4, top + 30)
        out +=
          Draw.verticalLine("line", x: x, from: top + 20, to: bottom + 4, dashes: "3 2") + "\n"
      }
      out += text(stretch.phase.name, "ink", x + 4, top + 50)
      out += text(stretch.commits.before.words, "faint", x + 4, bottom + 14)
      out += bars(stretch, timeline, x, width, rowsTop, bulkRow: hasBulk ? names.count - 1 : nil)
    }
    for (row, name) in names.enumerated() {
      out += text(name, "ink", left - 10, rowsTop + row * rowHeight + 15, anchor: .end)
    }
    return (out, bottom - top + 18)
  }

  private static func bars(
    _ stretch: ScenarioTimeline.Stretch, _ timeline: ScenarioTimeline, _ x: Int, _ width: Int,
    _ top: Int, bulkRow: Int?
  ) -> String {
    var out = ""
    // What is done in bulk comes first, so the clients' bars begin behind it.
    var from = x
    if let bulkRow, let words = stretch.phase.bulkWords {
      let isAll = stretch.commits.clients.upperBound == 0
      let own = isAll ? width - 2 : min(14, width / 3)
      out += rectangle("bulk", x + 1, top + bulkRow * rowHeight + 4, own, rowHeight - 8, words)
      from += own + 1
    }
    guard stretch.commits.clients.upperBound > 0 else { return out }
    for (row, client) in timeline.clients.enumerated()
    where stretch.clients.contains(where: { $0.name == client.name }) {
      out += rectangle(
        client.versionUse.rawValue, from + 1, top + row * rowHeight + 4,
        x + width - from - 2, rowHeight - 8, "\(client.name) \(client.words)")
    }
    return out
  }

  private static func legend(y: Int) -> String {
    let entries = [
      ("writes", "commits"), ("holds", "holds versions"), ("briefly", "holds them for a while"),
      ("nothing", "holds nothing"), ("bulk", "deletes or refills"),
    ]
    var x = margin
    return entries.map { kind, name in
      defer { x += 30 + name.count * characterWidth }
      return rectangle(kind, x, y, 12, 12) + text(name, "faint", x + 17, y + 10)
    }.joined()
  }

  private static func label(_ arm: ArmSpec, x: Int, y: Int) -> String {
    Draw.text(
      arm.name.visible, "ink", x: x, y: y, weight: "bold", detail: (arm.summary.visible, "faint"))
      + "\n"
  }

  private static func rectangle(
    _ style: String, _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ title: String? = nil
  ) -> String {
    Draw.rectangle(
      style, x: x, y: y, width: max(width, 1), height: height, title: title?.visible) + "\n"
  }

  private static func text(
    _ text: String, _ style: String, _ x: Int, _ y: Int, anchor: Draw.Anchor? = nil
  ) -> String {
    Draw.text(text.visible, style, x: x, y: y, anchor: anchor) + "\n"
  }
}
