// The file as a grid of cells of equal size, each with the bytes of every use in it. The map in the terminal and the
// SVG are both drawn from it.
package import FileFormats
package import StorageEngine

/// A file divided into cells.
package struct SpaceMap: Sendable {
  /// The contents of one cell, in bytes.
  package struct Cell: Sendable, Equatable {
    package var live = 0
    package var free = 0
    package var overhead = 0
    package var unknown = 0
    /// Pinned bytes by how many versions ago they were freed: fewer than 10, 100, 1000, or more.
    package var pinned = [0, 0, 0, 0]

    package var pinnedBytes: Int { pinned.reduce(0, +) }
    package var bytes: Int { live + free + overhead + unknown + pinnedBytes }

    mutating func add(_ bytes: Int, _ range: InspectedRange) {
      switch range.use {
      case .live: live += bytes
      case .free: free += bytes
      case .overhead: overhead += bytes
      case .unknown: unknown += bytes
      case .pinned: pinned[SpaceMap.ageClass(range.age)] += bytes
      }
    }
  }

  package static let ageNames = ["< 10", "< 100", "< 1,000", "≥ 1,000"]

  static func ageClass(_ age: UInt64) -> Int {
    age < 10 ? 0 : age < 100 ? 1 : age < 1000 ? 2 : 3
  }

  package let cellBytes: Int
  package private(set) var cells: [Cell]

  /// Divides the file of a foreign engine into at most `maxCells` cells.
  package init(_ grid: SpaceGrid, maxCells: Int) {
    let factor = max(1, (grid.cells.count + maxCells - 1) / maxCells)
    cellBytes = grid.cellBytes * factor
    cells = stride(from: 0, to: grid.cells.count, by: factor).map { first in
      let parts = grid.cells[first..<min(grid.cells.count, first + factor)]
      let start = first * grid.cellBytes
      let size = min(grid.fileBytes - start, parts.count * grid.cellBytes)
      return Cell(parts, bytes: size)
    }
  }

  /// Divides the file into at most `maxCells` cells, each a multiple of 8 bytes; the last may be shorter.
  package init(_ inspection: FileInspection, maxCells: Int) {
    let file = max(1, inspection.account.file)
    let size = max(8, ((file + maxCells - 1) / maxCells + 7) & ~7)
    cellBytes = size
    cells = [Cell](repeating: Cell(), count: (file + size - 1) / size)
    for range in inspection.ranges {
      var offset = range.offset
      let end = min(range.offset + range.size, file)
      while offset < end {
        let index = offset / size
        let next = min(end, (index + 1) * size)
        cells[index].add(next - offset, range)
        offset = next
      }
    }
  }
}

extension SpaceMap.Cell {
  /// One character: the share of live bytes as a shade, else the predominant use.
  package var symbol: Character {
    if unknown > 0 { return "?" }
    let most = max(free, overhead, pinnedBytes, live)
    if most == pinnedBytes, most > 0 { return "p" }
    if most == overhead { return "o" }
    if live == 0 { return "·" }
    let share = live * 4 / max(1, bytes)
    return ["░", "▒", "▓", "█", "█"][share]
  }
}

extension SpaceMap.Cell {
  /// The sum of a foreign file's cells. What is in no known use is shown as unknown only where it prevails: engines leave a
  /// few bytes here and there.
  fileprivate init(_ parts: ArraySlice<SpaceGrid.Cell>, bytes: Int) {
    for part in parts {
      live += part.live
      free += part.free
      overhead += part.overhead
      for index in pinned.indices { pinned[index] += part.held[index] }
    }
    let rest = bytes - self.bytes
    if rest > max(live, free, overhead, pinnedBytes) { unknown = rest }
  }
}
