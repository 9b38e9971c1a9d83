// The random numbers of resampling, and the ends of what statistics are defined for.
import Testing

@testable import Statistics

@Suite("Resampling")
struct ResamplingTests {
  /// The first two numbers of the Mersenne twister with seed 1, as CPython's `random` gives them from the state that
  /// `init_genrand(1)` of its authors' mt19937ar.c makes.
  private static let draws: [UInt32] = [1_791_095_845, 4_282_876_139]

  @Test("coins are the bits of the generator's numbers, 32 of each, the lowest first")
  func coins() {
    let source = RandomSource(seed: 1)
    for draw in Self.draws {
      var bits: UInt32 = 0
      for index in 0..<32 where source.nextCoin() { bits |= 1 << UInt32(index) }
      #expect(bits == draw)
    }
  }

  @Test("fewer than no successes have probability 0, and no successes in five trials 1/32")
  func noSuccess() {
    #expect(GSL.fairBinomial(atMost: -1, of: 5) == 0)
    #expect(GSL.fairBinomial(atMost: 0, of: 5) == 0.03125)
  }

  @Test("curves with different numbers of values are not compared")
  func unequalCurves() async {
    await #expect(processExitsWith: .failure) {
      _ = CurveGap(base: [[1]], head: [[1, 2]], seed: 1)
    }
  }
}
