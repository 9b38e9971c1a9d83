import Foundation
import Testing

@testable import Generators

@Suite("Sobol's sequence")
struct SobolTests {
  /// Points that another implementation made: the first line has its origin.
  private static func reference() throws -> [[Double]] {
    let file = try #require(
      Bundle.module.url(forResource: "sobol", withExtension: "csv", subdirectory: "Reference"))
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").compactMap { Double($0) }.map { $0 / 256 }
    }
  }

  @Test("every point in every dimension is that of SciPy", arguments: [1, 2, 7, 16])
  func points(dimensions: Int) throws {
    var sequence = SobolSequence(dimensions: dimensions)
    let reference = try Self.reference()
    #expect(reference.count == 256 && SobolSequence.maxDimensions == 16)
    for (index, point) in reference.enumerated() {
      #expect(sequence.next() == Array(point.prefix(dimensions)), "point \(index)")
    }
  }

  @Test("of the first 2^n points, each interval of length 2^-n has one in every dimension")
  func balanced() {
    var sequence = SobolSequence(dimensions: SobolSequence.maxDimensions)
    let points = (0..<1024).map { _ in sequence.next() }
    for dimension in 0..<SobolSequence.maxDimensions {
      #expect(Set(points.map { Int($0[dimension] * 1024) }).count == 1024, "\(dimension)")
    }
  }
}
