// The key to what all panels of a picture have in common: areas, bars and marks, of which only those are named that are
// drawn. Colours of series have a legend of their own.

struct PictureKey {
  private enum Entry: CaseIterable {
    case live, held, kept, compacted, declined, abandoned

    var words: String {
      switch self {
      case .live: "live data"
      case .held: "snapshots held"
      case .kept: "kept for a snapshot"
      case .compacted: "compacted"
      case .declined: "declined at launch"
      case .abandoned: "skipped or given up"
      }
    }

    func isDrawn(in panel: PanelModel) -> Bool {
      func has(_ kind: PanelModel.Mark.Kind) -> Bool {
        panel.lines.contains { $0.marks.contains { $0.kind == kind } }
      }
      return switch self {
      case .live: !panel.live.isEmpty
      case .held: !panel.heldPhases.isEmpty
      case .kept: !panel.holders.isEmpty
      case .compacted: has(.compacted)
      case .declined: has(.declined)
      case .abandoned: has(.abandoned)
      }
    }

    /// About 18 units wide, from `x` on, around the height `y`.
    func sign(_ x: Int, _ y: Int) -> String {
      switch self {
      case .live: "<rect class=\"live\" x=\"\(x)\" y=\"\(y - 5)\" width=\"18\" height=\"10\"/>"
      case .held: "<rect class=\"held\" x=\"\(x)\" y=\"\(y - 5)\" width=\"18\" height=\"10\"/>"
      case .kept: "<rect class=\"bar\" x=\"\(x)\" y=\"\(y - 3)\" width=\"18\" height=\"6\"/>"
      case .compacted: "<path class=\"mark m0\" d=\"M\(x + 5) \(y - 4)h8l-4 8Z\"/>"
      case .declined: "<circle class=\"mark hollow m0\" cx=\"\(x + 9)\" cy=\"\(y)\" r=\"4\"/>"
      case .abandoned: "<path class=\"mark m0\" d=\"M\(x + 5) \(y - 4)l8 8m0 -8l-8 8\"/>"
      }
    }
  }

  private static let row = 18
  private let entries: [Entry]

  init(_ panels: [PanelModel]) {
    entries = Entry.allCases.filter { entry in panels.contains { entry.isDrawn(in: $0) } }
  }

  /// In rows from `x` and `y` on, within `width`; and how high that is.
  func drawn(x: Int, y: Int, width: Int) -> (body: String, height: Int) {
    guard !entries.isEmpty else { return ("", 0) }
    var (left, top, body) = (x, y, "")
    for entry in entries {
      let needed = 24 + entry.words.count * 6 + 14
      if left > x, left + needed > width { (left, top) = (x, top + Self.row) }
      body +=
        entry.sign(left, top + 6)
        + "<text class=\"faint\" x=\"\(left + 24)\" y=\"\(top + 10)\" font-size=\"11\">\(entry.words)</text>\n"
      left += needed
    }
    return (body, top + Self.row - y)
  }
}
