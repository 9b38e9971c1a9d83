// The colors of a scenario's timeline, for light and dark surroundings.

package enum TimelineTheme {
  package static let font = (family: "sans-serif", size: 12)

  package static let styleSheet =
    ".ground{fill:#ffffff}.ink{fill:#1b1f24}.faint{fill:#57606a}.band{fill:#f0f3f6}"
    + ".line{stroke:#8c959f}.writes{fill:\(Palette.blue)}.bulk{fill:\(Palette.vermilion)}"
    + ".holds{fill:\(Palette.orange);stroke:#b37400}"
    + ".briefly{fill:\(Palette.orange);fill-opacity:0.35;stroke:#b37400}"
    + ".nothing{fill:none;stroke:#b37400}"
    + StyleSheet.dark(
      ".ground{fill:#0d1117}.ink{fill:#e6edf3}.faint{fill:#9aa4af}.band{fill:#1c2430}"
        + ".line{stroke:#6e7681}.writes{fill:\(Palette.skyBlue)}.bulk{fill:#e8743b}"
        + ".holds,.briefly,.nothing{stroke:#f0b840}")
}
