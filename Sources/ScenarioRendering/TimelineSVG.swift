// A scenario's plan as a picture: phases from left to right, a row for each client, one panel for each arm. Colours are Okabe
// and Ito's, which people with impaired colour vision can distinguish, and every bar has its client's name beside it; text and
// background follow the reader's light or dark color scheme.
import MetricModel
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
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(y)" viewBox="0 0 \(width) \(y)" \
      font-family="sans-serif" font-size="12" role="img">
      <title>\(escaped(title))</title>
      \(style)
      <rect class="ground" width="\(width)" height="\(y)"/>
      <text class="ink" x="\(margin)" y="\(margin + 10)" font-size="14" font-weight="bold">\(escaped(title))</text>
      <text class="faint" x="\(margin)" y="\(margin + 28)">Numbers below phases are commits; short phases are drawn \
      wider than to scale.</text>
      \(body)</svg>

      """
  }

  private static let style = """
    <style>
    .ground { fill: #ffffff } .ink { fill: #1b1f24 } .faint { fill: #57606a } .band { fill: #f0f3f6 }
    .line { stroke: #8c959f }
    .writes { fill: #0072B2 } .bulk { fill: #D55E00 } .holds { fill: #E69F00; stroke: #B37400 }
    .briefly { fill: #E69F00; fill-opacity: 0.35; stroke: #B37400 } .nothing { fill: none; stroke: #B37400 }
    @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } .ink { fill: #e6edf3 } .faint { fill: #9aa4af } .band { fill: #1c2430 }
    .line { stroke: #6e7681 }
    .writes { fill: #56B4E9 } .bulk { fill: #E8743B } .holds, .briefly, .nothing { stroke: #F0B840 }
    }
    </style>
    """

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
        out += rect("band", x, top + 36, width, bottom - top - 36, nil)
      }
      if stretch.launch != launch {
        launch = stretch.launch
        out += text("faint", x + 4, top + 30, "launch \(launch)")
        out += """
          <line class="line" x1="\(x)" y1="\(top + 20)" x2="\(x)" y2="\(bottom + 4)" stroke-dasharray="3 2"/>

          """
      }
      out += text("ink", x + 4, top + 50, stretch.phase.name)
      out += text("faint", x + 4, bottom + 14, stretch.commits.before.words)
      out += bars(stretch, timeline, x, width, rowsTop, bulkRow: hasBulk ? names.count - 1 : nil)
    }
    for (row, name) in names.enumerated() {
      out += """
        <text class="ink" x="\(left - 10)" y="\(rowsTop + row * rowHeight + 15)" text-anchor="end">\(escaped(name))</text>

        """
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
      out += rect("bulk", x + 1, top + bulkRow * rowHeight + 4, own, rowHeight - 8, words)
      from += own + 1
    }
    guard stretch.commits.clients.upperBound > 0 else { return out }
    for (row, client) in timeline.clients.enumerated()
    where stretch.clients.contains(where: { $0.name == client.name }) {
      out += rect(
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
      return rect(kind, x, y, 12, 12, nil) + text("faint", x + 17, y + 10, name)
    }.joined()
  }

  private static func label(_ arm: ArmSpec, x: Int, y: Int) -> String {
    """
    <text class="ink" x="\(x)" y="\(y)" font-weight="bold">\(escaped(arm.name))\
    <tspan class="faint" font-weight="normal" dx="8">\(escaped(arm.summary))</tspan></text>

    """
  }

  private static func rect(
    _ kind: String, _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ title: String?
  ) -> String {
    let tooltip = title.map { "<title>\(escaped($0))</title>" } ?? ""
    return """
      <rect class="\(kind)" x="\(x)" y="\(y)" width="\(max(width, 1))" height="\(height)">\(tooltip)</rect>

      """
  }

  private static func text(_ kind: String, _ x: Int, _ y: Int, _ text: String) -> String {
    "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\">\(escaped(text))</text>\n"
  }

  private static func escaped(_ text: String) -> String {
    var out = ""
    for character in text {
      switch character {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      default: out.append(character)
      }
    }
    return out
  }
}
