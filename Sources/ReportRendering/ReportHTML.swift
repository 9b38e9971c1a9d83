// report.html: the report as one file that needs nothing else, no network and no folder beside it. The pictures are
// drawn in the page, so that series can be switched off and every value read under the pointer.
package import Analysis
import MetricModel
import PictureDrawing
import RecordModel

package enum ReportHTML {
  package static let fileName = "report.html"
  /// Points of each curve in the page, which has them twice: drawn, and as numbers.
  private static let maxPoints = 600

  package static func text(_ analysis: ScenarioAnalysis) -> String {
    let byPolicy = Pictures.panels(analysis, maxPoints: maxPoints)
    let markdown = ReportMarkdown.text(analysis)
    let body = MarkdownHTML.html(markdown) { path in
      switch path.split(separator: "/").last {
      case "growth.svg": picture(byPolicy, analysis)
      case "multiples.svg": smalls(analysis)
      case "arms.svg": arms(analysis)
      case let file?: interference(file, analysis)
      default: nil
      }
    }
    return ReportPage.text(title: analysis.record.scenario.name, body: body, data: json(byPolicy))
  }

  private static func picture(_ panels: [PanelModel], _ analysis: ScenarioAnalysis) -> String {
    var html = ReportPage.switches(
      analysis.record.scenario.policies.map { analysis.labels[$0.name] })
    for (index, panel) in panels.enumerated() {
      let drawn = PanelSVG(panel, .large)
      html += """
        <div class="panel" data-panel="\(index)" tabindex="0" aria-label="size of all files on \(panel.title.asMarkup)">
        \(svg(drawn, cursor: true))
        </div>

        """
    }
    return html
  }

  private static func svg(_ panel: PanelSVG, cursor: Bool) -> String {
    let line =
      cursor
      ? Draw.verticalLine("cursor", x: 0, from: 50, to: panel.height - 40, isHidden: true) : ""
    return PictureDocument.inPage(
      width: panel.width, height: panel.height, background: "paper", "\(panel.body)\n\(line)")
  }

  /// Still: the switches are those of policies.
  private static func arms(_ analysis: ScenarioAnalysis) -> String {
    guard let (_, panels) = Pictures.armPanels(analysis, maxPoints: maxPoints) else { return "" }
    var html = "<p class=\"legend\">"
    for (index, title) in Pictures.armTitles(analysis).enumerated() {
      html += "<span>\(ReportPage.sample(index))\(title.asMarkup)</span> "
    }
    html += "</p>\n"
    for panel in panels {
      let still = svg(PanelSVG(panel, .large), cursor: false)
        .replacing(" data-s=\"", with: " data-arm=\"")
      html += "<div class=\"panel\">\(still)</div>\n"
    }
    return html
  }

  private static func interference(_ file: Substring, _ analysis: ScenarioAnalysis) -> String? {
    guard let engine = analysis.engines.first(where: { "interference-\($0).svg" == file }),
      let (drawing, _) = Pictures.interferenceDrawing(engine, analysis)
    else { return nil }
    let svg = PictureDocument.inPage(
      width: InterferencePicture.width, height: drawing.height, background: "paper", drawing.body)
    return "<div class=\"panel\">\(svg)</div>\n"
  }

  private static func smalls(_ analysis: ScenarioAnalysis) -> String {
    let rows = MultiplesPicture.panels(analysis, maxPoints: 160)
    guard !rows.isEmpty else { return "" }
    var html = ""
    for row in rows {
      html += "<h3>\(row.engine.asMarkup)</h3>\n"
      html += "<div class=\"smalls\">\n"
      for panel in row.panels.compactMap(\.self) {
        html += "<div class=\"small\">\(svg(PanelSVG(panel, .small), cursor: false))</div>\n"
      }
      html += "</div>\n"
    }
    return html
  }
}

// MARK: - What the script reads

extension ReportHTML {
  private static func json(_ panels: [PanelModel]) -> String {
    "{\"panels\":[\(panels.map(json).joined(separator: ","))]}"
  }

  private static func json(_ panel: PanelModel) -> String {
    let plot = PanelSVG(panel, .large).plot
    let lines = panel.lines.map { line in
      "{\"s\":\(line.series),\"n\":\(quoted(line.title)),\(numbers(line.points))}"
    }
    let phases = panel.phases.map {
      "{\"n\":\(quoted($0.phase)),\"u\":\($0.launch),\"f\":\($0.firstCommit),\"l\":\($0.lastCommit)}"
    }
    let pins = panel.holders.flatMap { holder in
      zip(holder.spans, holder.retained).map { span, retained in
        "{\"n\":\(quoted(holder.name)),\"f\":\(span.firstCommit),\"l\":\(span.lastCommit),"
          + "\"k\":\(retained.map { "\($0.bytes)" } ?? "null")}"
      }
    }
    return "{\"title\":\(quoted(panel.title)),\"last\":\(panel.lastCommit),\"left\":\(plot.left),"
      + "\"width\":\(plot.width),\"box\":\(PanelSVG.Size.large.width),"
      + "\"lines\":[\(lines.joined(separator: ","))],\"live\":{\(numbers(panel.live))},"
      + "\"phases\":[\(phases.joined(separator: ","))],\"pins\":[\(pins.joined(separator: ","))]}"
  }

  private static func numbers(_ points: [Curve.Point]) -> String {
    let commits = points.map { "\($0.commit)" }.joined(separator: ",")
    let bytes = points.map { "\($0.bytes.bytes)" }.joined(separator: ",")
    return "\"c\":[\(commits)],\"b\":[\(bytes)]"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.visible.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 32: quoted += " "
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
