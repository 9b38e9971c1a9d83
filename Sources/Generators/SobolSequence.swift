// Sobol's sequence: points that fill a cube evenly however many are taken, best for powers of two. Not random: the same
// points each time. Direction numbers are those of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better
// two-dimensional projections" (2008), table new-joe-kuo-6.21201; the order is Gray code's, as in most libraries.

/// The points of the unscrambled sequence, one after the other; the first is the origin.
package struct SobolSequence: Sendable {
  /// A primitive polynomial, as its degree and its inner coefficients, and the first direction numbers.
  private typealias Direction = (degree: Int, coefficients: Int, initial: [UInt32])

  /// Of the second dimension and those after it.
  private static let directions: [Direction] = [
    (1, 0, [1]), (2, 1, [1, 3]), (3, 1, [1, 3, 1]), (3, 2, [1, 1, 1]), (4, 1, [1, 1, 3, 3]),
    (4, 4, [1, 3, 5, 13]), (5, 2, [1, 1, 5, 5, 17]), (5, 4, [1, 1, 5, 5, 5]),
    (5, 7, [1, 1, 7, 11, 19]), (5, 11, [1, 1, 5, 1, 1]), (5, 13, [1, 1, 1, 3, 11]),
    (5, 14, [1, 3, 5, 5, 31]), (6, 1, [1, 3, 3, 9, 7, 49]), (6, 13, [1, 1, 1, 15, 21, 21]),
    (6, 16, [1, 3, 1, 13, 27, 49]),
  ]

  package static let maxDimensions = 1 + directions.count
  private static let bits = 32

  /// For each dimension, the direction numbers as binary fractions.
  private let vectors: [[UInt32]]
  private var point: [UInt32]
  private var index: UInt32 = 0

  /// - Parameter dimensions: from 1 to `maxDimensions`.
  package init(dimensions: Int) {
    precondition(1...Self.maxDimensions ~= dimensions, "there are no direction numbers for it")
    vectors = (0..<dimensions).map(Self.vectors)
    point = [UInt32](repeating: 0, count: dimensions)
  }

  private static func vectors(_ dimension: Int) -> [UInt32] {
    guard dimension > 0 else { return (1...bits).map { 1 << UInt32(bits - $0) } }
    let (degree, coefficients, initial) = directions[dimension - 1]
    var vectors = initial.enumerated().map { $1 << UInt32(bits - 1 - $0) }
    for index in degree..<bits {
      var vector = vectors[index - degree] ^ (vectors[index - degree] >> UInt32(degree))
      for inner in 1..<max(1, degree) where coefficients >> (degree - 1 - inner) & 1 == 1 {
        vector ^= vectors[index - inner]
      }
      vectors.append(vector)
    }
    return vectors
  }

  /// Returns the next point, each coordinate from 0 to below 1.
  package mutating func next() -> [Double] {
    let result = point.map { Double($0) / 0x1p32 }
    // Two points that follow each other differ in one direction number: that of the lowest zero bit of the index.
    let changed = (~index).trailingZeroBitCount
    for dimension in point.indices { point[dimension] ^= vectors[dimension][changed] }
    index += 1
    return result
  }
}
