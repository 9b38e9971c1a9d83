// The colors of charts, for light and dark surroundings: Okabe and Ito's palette; what would vanish on a dark background
// is lighter there. Series differ by dashes too, so that no color is needed to tell them apart.

package enum PictureTheme {
  /// Colors of series; the first is gray, for the series that the others are compared with.
  private static let light = [
    "#6b6b6b", Palette.vermilion, Palette.blue, Palette.green, Palette.purple, Palette.orange,
    Palette.skyBlue, Palette.black,
  ]
  private static let dark = [
    "#a8a8a8", "#ff8a3d", "#5aaeea", "#2ec99b", "#e39ac4", "#f2b632", "#8bd0f7", "#f4f4f4",
  ]
  /// By style, as `dashes` and `widths` of a path.
  package static let dashes = ["", "", "", "8 4", "3 3", "10 3 2 3", "1 3", "14 4"]
  package static let widths = ["3.2", "2.6", "2.2", "1.9", "1.7", "1.6", "1.6", "1.6"]

  /// The style of a series by its number: styles repeat after eight.
  package static func style(_ series: Int) -> Int { series % light.count }

  private struct Surroundings {
    var paper: String
    var text: String
    var faint: String
    var line: String
    var live: String
    var band: String
    var pinned: String
    var bar: String
    var barText: String
  }

  private static let day = Surroundings(
    paper: "#ffffff", text: "#222222", faint: "#5c5c5c", line: "#d9d9d9", live: "#dcdcdc",
    band: "#f6f6f6", pinned: "#fff3d6", bar: Palette.orange, barText: "#222222")
  private static let night = Surroundings(
    paper: "#15181c", text: "#ececec", faint: "#a9b0b8", line: "#353b43", live: "#3a4048",
    band: "#1c2026", pinned: "#3a3017", bar: "#c98a00", barText: "#15181c")

  /// The style sheet of a picture by itself, which follows the viewer's setting.
  package static var standalone: String {
    shapes + rules(day, light, within: "") + StyleSheet.dark(rules(night, dark, within: ""))
  }

  /// The style sheet of pictures in a page that names its setting on the root: `data-theme="light"` or `dark`.
  package static var inPage: String {
    shapes + "\n" + rules(day, light, within: "[data-theme=light] ")
      + rules(night, dark, within: "[data-theme=dark] ")
  }

  private static func rules(
    _ colors: Surroundings, _ palette: [String], within scope: String
  ) -> String {
    var rules = [
      ".paper{fill:\(colors.paper)}", ".txt{fill:\(colors.text)}", ".faint{fill:\(colors.faint)}",
      ".grid{stroke:\(colors.line)}", ".axis{stroke:\(colors.faint)}", ".live{fill:\(colors.live)}",
      ".band{fill:\(colors.band)}", ".held{fill:\(colors.pinned)}", ".bar{fill:\(colors.bar)}",
      ".bartxt{fill:\(colors.barText)}", ".launch{stroke:\(colors.faint);stroke-dasharray:5 4}",
    ]
    for (index, color) in palette.enumerated() {
      rules.append(".s\(index){stroke:\(color)}")
      rules.append(".m\(index){stroke:\(color);fill:\(color)}")
    }
    return rules.map { scope + $0 }.joined()
  }

  /// Line widths and fonts, the same in any surroundings.
  private static let shapes =
    ".curve{fill:none;stroke-linejoin:round}.grid{stroke-width:.7}.axis{stroke-width:1}"
    + ".launch{stroke-width:1}.mark{stroke-width:1.4}.hollow{fill:none!important}"
    + "text{font-family:system-ui,'DejaVu Sans',Helvetica,sans-serif}"
}

package enum StyleSheet {
  /// Rules that count where the viewer asked for dark surroundings.
  package static func dark(_ rules: String) -> String {
    "@media (prefers-color-scheme:dark){\(rules)}"
  }
}
