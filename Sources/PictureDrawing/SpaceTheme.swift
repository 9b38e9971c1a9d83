// The colors of the uses of a file's space.

package enum SpaceTheme {
  package static let font = (family: "sans-serif", size: 12)

  package static let live = Palette.blue
  package static let free = "#e4e9ed"
  package static let overhead = "#999999"
  package static let unknown = "#cc0000"
  /// Pinned space, darker the longer it has been pinned.
  package static let pinned = [Palette.yellow, Palette.orange, Palette.vermilion, "#7a3400"]
  package static let background = "white"
  /// The outline of a square in the legend.
  package static let outline = "#666"
}
