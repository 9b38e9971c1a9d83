// The fragmentation of free space: how many pieces, of which sizes.

/// The free pieces of a file by size. A piece is a maximal range of free bytes, whichever versions freed it.
package struct FreePieces: Sendable, Equatable {
  package private(set) var count = 0
  package private(set) var bytes = 0
  package private(set) var largest = 0
  /// Where the largest piece begins; the first of several.
  package private(set) var largestOffset = 0
  /// By the power of two that the size reaches: class 12 holds pieces of 4096 to 8191 bytes.
  package private(set) var classes: [SizeClass] = []

  package struct SizeClass: Sendable, Equatable {
    package var count = 0
    package var bytes = 0
  }

  package init() {}

  package mutating func add(offset: Int, size: Int) {
    guard size > 0 else { return }
    count += 1
    bytes += size
    if size > largest { (largest, largestOffset) = (size, offset) }
    let index = Int.bitWidth - 1 - size.leadingZeroBitCount
    while classes.count <= index { classes.append(SizeClass()) }
    classes[index].count += 1
    classes[index].bytes += size
  }
}
