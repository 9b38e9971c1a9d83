// The pictures of a simulated fleet: a frame for panels side by side, with a legend of the policies above.
package import FleetModel
import MetricModel
import PictureDrawing

/// A picture as a file by itself, and as a part of a page.
package struct FleetPicture: Sendable {
  package let name: String
  /// What the picture shows, for those who cannot see it.
  package let title: String
  private let height: Int
  private let body: String

  package static let names = [FleetDistributions.fileName, FleetFans.fileName]

  /// Both pictures of a simulation.
  package static func all(_ summary: FleetSummary) -> [FleetPicture] {
    [FleetDistributions.picture(summary), FleetFans.picture(summary)]
  }

  /// Panels in two columns, each drawn with its upper left corner at 0, 0.
  init(name: String, title: String, subtitle: String, legend: [String], panels: [String]) {
    (self.name, self.title) = (name, title)
    var body =
      Draw.text(title, "txt", x: 16, y: 24, size: 15, weight: "600")
      + Draw.text(subtitle, "faint", x: 16, y: 43, size: 11) + "\n"
    let key = Self.legend(legend)
    body += key.body
    let top = 60 + key.height
    for (index, panel) in panels.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: 2)
      body +=
        Draw.group(
          x: FleetPanel.left + column * FleetPanel.stride, y: top + 26 + row * FleetPanel.pitch,
          panel) + "\n"
    }
    height = top + (panels.count + 1) / 2 * FleetPanel.pitch + 8
    self.body = body
  }

  private static var width: Int { FleetPanel.stride * 2 }

  /// A file by itself.
  package var svg: String {
    PictureDocument.text(
      width: Self.width, height: height, styles: PictureTheme.standalone, title: title,
      background: .style("paper"), body)
  }

  /// A part of a page that has the style sheet.
  package var inPage: String {
    PictureDocument.inPage(width: Self.width, height: height, background: "paper", body)
  }

  private static let rowHeight = 18
  private static let maxName = 60

  /// Names beside pieces of their lines, as many in a row as fit.
  private static func legend(_ names: [String]) -> (body: String, height: Int) {
    guard !names.isEmpty else { return ("", 0) }
    var (x, y, body) = (16, 64, "")
    for (index, name) in names.enumerated() {
      let text = shortened(name)
      let needed = 44 + text.count * 7 + 18
      if x > 16, x + needed > width { (x, y) = (16, y + rowHeight) }
      let style = PictureTheme.style(index)
      body +=
        Draw.path(
          "curve s\(style)", PathData().move(x, y - 4).horizontal(by: 34), series: index,
          width: PictureTheme.widths[style], dashes: PictureTheme.dashes[style])
        + Draw.text(text, "txt", x: x + 42, y: y, size: 12) + "\n"
      x += needed
    }
    return (body, y - 64 + rowHeight)
  }

  static func shortened(_ name: String) -> String {
    let name = name.visible
    return name.count <= maxName ? name : name.prefix(maxName - 1) + "…"
  }
}

/// The plot of one panel: its size, grid and labels.
enum FleetPanel {
  static let (left, width, height) = (66, 340, 190)
  /// From one panel to the next beside it, and to the one below it.
  static let (stride, pitch) = (500, 258)

  static func title(_ text: String, note: String? = nil) -> String {
    Draw.text(
      text, "txt", x: 0, y: -9, size: 12, weight: "600",
      detail: note.map { ($0, "faint") }) + "\n"
  }

  /// Lines across at these heights, labeled at the left.
  static func across(_ ticks: [(label: String, y: Double)]) -> String {
    ticks.map { tick in
      Draw.path("grid", PathData().move(0, tick.y).horizontal(to: width))
        + Draw.text(tick.label, "faint", x: -8, y: tick.y + 4, size: 10, anchor: .end)
    }.joined() + "\n"
  }

  /// Short lines at the bottom, labeled below.
  static func along(_ ticks: [(label: String, x: Double)]) -> String {
    ticks.map { tick in
      Draw.path("grid", PathData().move(tick.x, 0).vertical(to: Double(height)))
        + Draw.text(tick.label, "faint", x: tick.x, y: height + 15, size: 10, anchor: .middle)
    }.joined() + "\n"
  }
}
