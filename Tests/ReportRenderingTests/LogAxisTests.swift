// Logarithmic axes end at round values, and every value is on them.
import Testing

@testable import ReportRendering

@Suite struct LogAxisTests {
  @Test(
    "ticks are round, from below the smallest value to above the largest",
    arguments: [
      ([3.0, 40], [2.0, 5, 10, 20, 50]), ([1, 1000], [1, 10, 100, 1000]),
      ([1.05, 2.1], [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5]), ([7, 7], [6, 8]),
      ([2e6, 5e8], [2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8]),
      ([0.0005, 1], [0.0001, 0.001, 0.01, 0.1, 1]),
    ])
  func ticks(_ values: [Double], _ expected: [Double]) {
    let axis = LogAxis(values, from: 0, to: 100)
    #expect(axis.ticks.count == expected.count, "\(axis.ticks)")
    for (tick, value) in zip(axis.ticks, expected) { #expect(abs(tick / value - 1) < 1e-12) }
    #expect(axis.position(axis.low) == 0 && axis.position(axis.high) == 100)
    #expect(axis.position(axis.high * 10) == 100 && axis.position(0) == 0)
  }

  @Test("equal factors are equally far apart, also on an axis that runs up the picture")
  func distances() {
    let axis = LogAxis([1, 1000], from: 190, to: 0)
    let positions = axis.ticks.map(axis.position)
    for (a, b) in zip(positions, positions.dropFirst()) { #expect(abs(a - b - 190 / 3) < 1e-9) }
  }
}
