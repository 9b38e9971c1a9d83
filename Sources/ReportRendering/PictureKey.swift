// The key to what all panels of a picture have in common: areas, bars and marks, of which only those are named that are
// drawn. Colors of series have a legend of their own.
import PictureDrawing

struct PictureKey {
  private enum Entry: CaseIterable {
    case live, held, retained, spread, compacted, declined, abandoned

    var words: String {
      switch self {
      case .live: "live data"
      case .held: "snapshots held"
      case .retained: "retained for a snapshot"
      case .spread: "range of the runs on real threads"
      case .compacted: "compacted"
      case .declined: "declined at launch"
      case .abandoned: "skipped or abandoned"
      }
    }

    func isDrawn(in panel: PanelModel) -> Bool {
      func has(_ kind: PanelModel.Mark.Kind) -> Bool {
        panel.lines.contains { $0.marks.contains { $0.kind == kind } }
      }
      return switch self {
      case .live: !panel.live.isEmpty
      case .held: !panel.heldPhases.isEmpty
      case .retained: !panel.holders.isEmpty
      case .spread: panel.lines.contains { !$0.spread.isEmpty }
      case .compacted: has(.compacted)
      case .declined: has(.declined)
      case .abandoned: has(.abandoned)
      }
    }

    /// Returns the symbol: about 18 units wide, from `x` on, centered at the height `y`.
    func symbol(_ x: Int, _ y: Int) -> String {
      switch self {
      case .live: Draw.rectangle("live", x: x, y: y - 5, width: 18, height: 10)
      case .held: Draw.rectangle("held", x: x, y: y - 5, width: 18, height: 10)
      case .retained: Draw.rectangle("bar", x: x, y: y - 3, width: 18, height: 6)
      case .spread:
        Draw.path(
          "m0",
          PathData().move(x, y - 5).horizontal(by: 18).line(byX: 0, y: 10).horizontal(by: -18)
            .closed(),
          width: "0", opacity: ".3")
      case .compacted:
        Draw.path(
          "mark m0", PathData().move(x + 5, y - 4).horizontal(by: 8).line(byX: -4, y: 8).closed())
      case .declined: Draw.circle("mark hollow m0", x: x + 9, y: y, radius: 4)
      case .abandoned:
        Draw.path(
          "mark m0",
          PathData().move(x + 5, y - 4).line(byX: 8, y: 8).move(byX: 0, y: -8).line(byX: -8, y: 8))
      }
    }
  }

  private static let row = 18
  private let entries: [Entry]

  init(_ panels: [PanelModel]) {
    entries = Entry.allCases.filter { entry in panels.contains { entry.isDrawn(in: $0) } }
  }

  /// Returns the key in rows from `x` and `y` on, within `width`, and its height.
  func drawn(x: Int, y: Int, width: Int) -> (body: String, height: Int) {
    guard !entries.isEmpty else { return ("", 0) }
    var (left, top, body) = (x, y, "")
    for entry in entries {
      let needed = 24 + entry.words.count * 6 + 14
      if left > x, left + needed > width { (left, top) = (x, top + Self.row) }
      body +=
        entry.symbol(left, top + 6)
        + Draw.text(entry.words, "faint", x: left + 24, y: top + 10, size: 11) + "\n"
      left += needed
    }
    return (body, top + Self.row - y)
  }
}
