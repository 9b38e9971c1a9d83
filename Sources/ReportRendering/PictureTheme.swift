// The colours of pictures that we draw ourselves, for light and dark surroundings: Okabe and Ito's palette, told apart by
// people with any kind of colour vision; what would vanish on a dark ground is lighter there. Series differ by dashes
// too, so that no colour is needed to tell them apart.

enum PictureTheme {
  /// The first is for doing nothing.
  static let light = [
    "#6b6b6b", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
  ]
  static let dark = [
    "#a8a8a8", "#ff8a3d", "#5aaeea", "#2ec99b", "#e39ac4", "#f2b632", "#8bd0f7", "#f4f4f4",
  ]
  static let dashes = ["", "", "", "8 4", "3 3", "10 3 2 3", "1 3", "14 4"]
  static let widths = ["3.2", "2.6", "2.2", "1.9", "1.7", "1.6", "1.6", "1.6"]

  private struct Ground {
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

  private static let day = Ground(
    paper: "#ffffff", text: "#222222", faint: "#5c5c5c", line: "#d9d9d9", live: "#dcdcdc",
    band: "#f6f6f6", pinned: "#fff3d6", bar: "#e69f00", barText: "#222222")
  private static let night = Ground(
    paper: "#15181c", text: "#ececec", faint: "#a9b0b8", line: "#353b43", live: "#3a4048",
    band: "#1c2026", pinned: "#3a3017", bar: "#c98a00", barText: "#15181c")

  /// Rules for a picture by itself, which follows the viewer's setting.
  static var standalone: String {
    rules(day, light, within: "") + "@media (prefers-color-scheme:dark){"
      + rules(night, dark, within: "") + "}"
  }

  /// Rules for pictures in a page that names its ground on the root: `data-theme="light"` or `dark`.
  static var inPage: String {
    rules(day, light, within: "[data-theme=light] ")
      + rules(night, dark, within: "[data-theme=dark] ")
  }

  private static func rules(_ ground: Ground, _ palette: [String], within scope: String) -> String {
    var rules = [
      ".paper{fill:\(ground.paper)}", ".txt{fill:\(ground.text)}", ".faint{fill:\(ground.faint)}",
      ".grid{stroke:\(ground.line)}", ".axis{stroke:\(ground.faint)}", ".live{fill:\(ground.live)}",
      ".band{fill:\(ground.band)}", ".held{fill:\(ground.pinned)}", ".bar{fill:\(ground.bar)}",
      ".bartxt{fill:\(ground.barText)}", ".launch{stroke:\(ground.faint);stroke-dasharray:5 4}",
    ]
    for (index, colour) in palette.enumerated() {
      rules.append(".s\(index){stroke:\(colour)}")
      rules.append(".m\(index){stroke:\(colour);fill:\(colour)}")
    }
    return rules.map { scope + $0 }.joined()
  }

  /// What is the same on any ground.
  static let shapes =
    ".curve{fill:none;stroke-linejoin:round}.grid{stroke-width:.7}.axis{stroke-width:1}"
    + ".launch{stroke-width:1}.mark{stroke-width:1.4}.hollow{fill:none!important}"
    + "text{font-family:system-ui,'DejaVu Sans',Helvetica,sans-serif}"

  static func style(_ series: Int) -> Int { series % light.count }
}
