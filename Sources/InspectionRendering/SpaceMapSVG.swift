// The space map as a picture: rows of the file one below the other, colored by use; pinned space is darker the longer it has
// been pinned.
package import FileFormats
import MetricModel
import PictureDrawing
package import StorageEngine

package enum SpaceMapSVG {
  private static let columns = 960
  private static let rows = 48
  private static let rowHeight = 12
  private static let margin = 16
  private static let captionHeight = 44

  /// Returns a complete SVG document of a native file.
  package static func text(_ inspection: FileInspection, title: String) -> String {
    text(SpaceMap(inspection, maxCells: columns * rows), title: title)
  }

  /// Returns a complete SVG document of a foreign engine's file.
  package static func text(_ report: FileReport, title: String) -> String {
    text(SpaceMap(report.grid, maxCells: columns * rows), title: title)
  }

  private static func text(_ map: SpaceMap, title: String) -> String {
    let lines = (map.cells.count + columns - 1) / columns
    let width = columns + 2 * margin
    let height = lines * rowHeight + 2 * margin + captionHeight
    var body = Draw.text(title.visible, x: margin, y: margin + 4) + "\n" + legend(map)
    for line in 0..<lines {
      let cells = map.cells[line * columns..<min(map.cells.count, (line + 1) * columns)]
      body += row(cells, y: margin + captionHeight + line * rowHeight)
    }
    return PictureDocument.text(
      width: width, height: height, font: SpaceTheme.font,
      background: .color(SpaceTheme.background), body)
  }

  private static func color(_ cell: SpaceMap.Cell) -> String {
    if cell.unknown > 0 { return SpaceTheme.unknown }
    let most = max(cell.live, cell.free, cell.overhead, cell.pinnedBytes)
    if most == cell.pinnedBytes, most > 0 {
      let age = cell.pinned.indices.max { cell.pinned[$0] < cell.pinned[$1] } ?? 0
      return SpaceTheme.pinned[age]
    }
    if most == cell.live { return SpaceTheme.live }
    return most == cell.overhead ? SpaceTheme.overhead : SpaceTheme.free
  }

  /// Adjacent cells of one color are one rectangle.
  private static func row(_ cells: ArraySlice<SpaceMap.Cell>, y: Int) -> String {
    var out = ""
    var start = cells.startIndex
    while start < cells.endIndex {
      let fill = color(cells[start])
      var end = start + 1
      while end < cells.endIndex, color(cells[end]) == fill { end += 1 }
      out +=
        Draw.rectangle(
          x: margin + start - cells.startIndex, y: y, width: end - start, height: rowHeight - 1,
          fill: fill) + "\n"
      start = end
    }
    return out
  }

  private static func legend(_ map: SpaceMap) -> String {
    let ages = SpaceMap.ageNames.enumerated().map {
      ("pinned, freed \($0.element) versions ago", SpaceTheme.pinned[$0.offset])
    }
    var entries = [("live", SpaceTheme.live), ("free", SpaceTheme.free)]
    if map.cells.contains(where: { $0.pinnedBytes > 0 }) { entries += ages }
    entries.append(("overhead", SpaceTheme.overhead))
    if map.cells.contains(where: { $0.unknown > 0 }) {
      entries.append(("in no known use", SpaceTheme.unknown))
    }
    var x = margin
    var out = ""
    for (name, color) in entries {
      out +=
        Draw.rectangle(
          x: x, y: margin + 16, width: 12, height: 12, fill: color, stroke: SpaceTheme.outline)
        + "\n" + Draw.text(name, x: x + 17, y: margin + 26) + "\n"
      x += 40 + 7 * name.count
    }
    return out
  }
}
