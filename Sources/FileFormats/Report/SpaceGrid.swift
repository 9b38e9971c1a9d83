// Where a file's bytes of each use are: a fixed number of cells, so that memory is bounded however long the file is.

/// A file divided into cells of equal size, each with its bytes by use.
package struct SpaceGrid: Sendable, Equatable {
  package static let maxCells = 24 * 1024

  /// The use of a range; of a held one also how many versions ago it was freed.
  package enum Use: Sendable, Equatable {
    case live, free, overhead
    case held(age: UInt64)
  }

  /// The contents of a cell, in bytes. What is missing to the cell's size is in no use that is known.
  package struct Cell: Sendable, Equatable {
    package fileprivate(set) var live = 0
    package fileprivate(set) var free = 0
    package fileprivate(set) var overhead = 0
    /// Held bytes by how many versions ago they were freed: fewer than 10, 100, 1000, or more.
    package fileprivate(set) var held = SIMD4<Int>()
  }

  /// The length of the file; the last cell may be shorter than the others.
  package let fileBytes: Int
  package let cellBytes: Int
  package private(set) var cells: [Cell]

  /// Makes cells of a multiple of 8 bytes.
  package init(fileBytes: Int) {
    self.fileBytes = max(0, fileBytes)
    let size = max(8, (self.fileBytes / Self.maxCells + 8) & ~7)
    cellBytes = size
    cells = Array(repeating: Cell(), count: (self.fileBytes + size - 1) / size)
  }

  /// The class of an age among `Cell.held`.
  package static func ageClass(_ age: UInt64) -> Int {
    age < 10 ? 0 : age < 100 ? 1 : age < 1000 ? 2 : 3
  }

  /// Adds a range; what is outside of the file is left out.
  package mutating func add(_ offset: Int, _ count: Int, _ use: Use) {
    guard offset >= 0, count > 0, offset < fileBytes else { return }
    var next = offset
    let end = min(fileBytes, offset &+ count < offset ? fileBytes : offset + count)
    while next < end {
      let index = next / cellBytes
      let upTo = min(end, (index + 1) * cellBytes)
      switch use {
      case .live: cells[index].live += upTo - next
      case .free: cells[index].free += upTo - next
      case .overhead: cells[index].overhead += upTo - next
      case .held(let age): cells[index].held[Self.ageClass(age)] += upTo - next
      }
      next = upTo
    }
  }
}
