// Colors for values between a smallest and a largest: from light to dark blue, so that they can be told apart in print and
// with any kind of color vision.

package enum HeatScale {
  private static let light = (red: 239, green: 246, blue: 252)
  private static let dark = (red: 0, green: 66, blue: 107)

  /// Returns the color at a share from 0 to 1, and whether text on it must be light.
  package static func color(_ share: Double) -> (fill: String, isDark: Bool) {
    let share = max(0, min(1, share))
    let parts = [
      (light.red, dark.red), (light.green, dark.green), (light.blue, dark.blue),
    ].map { Int((Double($0) + share * Double($1 - $0)).rounded()) }
    let digits = parts.map { part in
      let text = String(part, radix: 16)
      return text.count < 2 ? "0" + text : text
    }
    return ("#" + digits.joined(), share > 0.5)
  }

  /// The color of what was not measured.
  package static let absent = "#cccccc"
  /// The classes of text on light and dark colors, which no setting of the viewer changes.
  package static let styles = ".onlight{fill:#222222}.ondark{fill:#ffffff}"
}
