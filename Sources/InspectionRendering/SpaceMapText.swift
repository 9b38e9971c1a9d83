// The space map for a terminal: rows of characters with the offset before each.
import MetricModel

enum SpaceMapText {
  private static let maxRows = 24

  /// Returns the map that `make` divides into at most so many cells.
  static func text(width: Int, _ make: (_ maxCells: Int) -> SpaceMap) -> String {
    let columns = max(16, min(64, width - 16))
    let map = make(columns * maxRows)
    let isDamaged = map.cells.contains { $0.unknown > 0 }
    var lines = [
      "map: one character is \(size(map.cellBytes)); live █ > ¾ ▓ > ½ ▒ > ¼ ░, free ·, pinned p, "
        + "overhead o" + (isDamaged ? ", in no known use ?" : "")
    ]
    for start in stride(from: 0, to: map.cells.count, by: columns) {
      let cells = map.cells[start..<min(start + columns, map.cells.count)]
      lines.append(
        "\(padded(size(start * map.cellBytes), 9))  \(String(cells.map(\.symbol)))")
    }
    return lines.joined(separator: "\n")
  }

  private static func size(_ bytes: Int) -> String { ByteCount(bytes).description }
}
