// Normal numbers and powers of e that are the same on every platform.
import Generators
import Testing

@Suite struct StandardNormalTests {
  // Computed by Python's math.exp.
  @Test(
    "powers of e agree with correctly rounded ones to 11 digits",
    arguments: [
      (0.0, 1.0), (1.0, 2.718281828459045), (-1.0, 0.36787944117144233),
      (0.6931471805599453, 2.0), (-23.5, 6.224144622907783e-11), (20.25, 622_964_442.1984454),
      (1e-6, 1.0000010000005),
    ]) func powers(_ exponent: Double, _ expected: Double)
  {
    #expect(abs(PortablePower.ofE(exponent) / expected - 1) < 1e-11)
  }

  @Test("normal numbers have mean 0 and deviation 1") func moments() {
    var stream = RandomStream(seed: 3)
    let numbers = (0..<40_000).map { _ in StandardNormal.next(from: &stream) }
    let mean = numbers.reduce(0, +) / 40_000
    let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 40_000
    // Standard errors: 0.005 and 0.007.
    #expect(abs(mean) < 0.02 && abs(variance - 1) < 0.03)
  }
}
