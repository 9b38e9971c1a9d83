// Renders the space map as SVG: rows of the file one below the other, colored by use. The palette is that of Okabe and
// Ito, which is distinguishable with impaired color vision; pinned space is darker the longer it has been pinned.
package import StorageEngine

package enum SpaceMapSVG {
  private static let columns = 960
  private static let rows = 48
  private static let rowHeight = 12
  private static let margin = 16
  private static let captionHeight = 44
  private static let pinnedColors = ["#F0E442", "#E69F00", "#D55E00", "#7A3400"]
  private static let colors = [
    "live": "#0072B2", "free": "#E4E9ED", "overhead": "#999999", "unknown": "#CC0000",
  ]

  /// Returns a complete SVG document.
  package static func text(_ inspection: FileInspection, title: String) -> String {
    let map = SpaceMap(inspection, maxCells: columns * rows)
    let lines = (map.cells.count + columns - 1) / columns
    let width = columns + 2 * margin
    let height = lines * rowHeight + 2 * margin + captionHeight
    var out = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="12">
      <rect width="\(width)" height="\(height)" fill="white"/>
      <text x="\(margin)" y="\(margin + 4)">\(escaped(title))</text>

      """
    out += legend(inspection)
    for line in 0..<lines {
      let cells = map.cells[line * columns..<min(map.cells.count, (line + 1) * columns)]
      out += row(cells, y: margin + captionHeight + line * rowHeight)
    }
    return out + "</svg>\n"
  }

  private static func color(_ cell: SpaceMap.Cell) -> String {
    if cell.unknown > 0 { return colors["unknown"]! }
    let most = max(cell.live, cell.free, cell.overhead, cell.pinnedBytes)
    if most == cell.pinnedBytes, most > 0 {
      let age = cell.pinned.indices.max { cell.pinned[$0] < cell.pinned[$1] } ?? 0
      return pinnedColors[age]
    }
    let name = most == cell.live ? "live" : most == cell.overhead ? "overhead" : "free"
    return colors[name]!
  }

  /// Adjacent cells of one color are one rectangle.
  private static func row(_ cells: ArraySlice<SpaceMap.Cell>, y: Int) -> String {
    var out = ""
    var start = cells.startIndex
    while start < cells.endIndex {
      let fill = color(cells[start])
      var end = start + 1
      while end < cells.endIndex, color(cells[end]) == fill { end += 1 }
      out += """
        <rect x="\(margin + start - cells.startIndex)" y="\(y)" width="\(end - start)" \
        height="\(rowHeight - 1)" fill="\(fill)"/>

        """
      start = end
    }
    return out
  }

  private static func legend(_ inspection: FileInspection) -> String {
    let ages = SpaceMap.ageNames.enumerated().map {
      ("pinned, freed \($0.element) versions ago", pinnedColors[$0.offset])
    }
    var entries = [("live", colors["live"]!), ("free", colors["free"]!)]
    if inspection.account.pinned > 0 { entries += ages }
    entries.append(("overhead", colors["overhead"]!))
    var x = margin
    var out = ""
    for (name, color) in entries {
      out += """
        <rect x="\(x)" y="\(margin + 16)" width="12" height="12" fill="\(color)" stroke="#666"/>
        <text x="\(x + 17)" y="\(margin + 26)">\(name)</text>

        """
      x += 40 + 7 * name.count
    }
    return out
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
