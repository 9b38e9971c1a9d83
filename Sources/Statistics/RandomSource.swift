// Random numbers for resampling: GSL's, one generator per call and thread, so that the same seed gives the same result
// anywhere.
import CGSL

/// A Mersenne twister for one call on one thread.
final class RandomSource {
  private let generator: UnsafeMutablePointer<gsl_rng>
  private var coins: UInt = 0
  private var coinsLeft = 0

  init(seed: UInt64) {
    GSL.prepare()
    guard let allocated = gsl_rng_alloc(cgsl_mt19937()) else {
      preconditionFailure("a generator of 5 kB can be allocated")
    }
    generator = allocated
    gsl_rng_set(generator, UInt(truncatingIfNeeded: seed))
  }

  deinit { gsl_rng_free(generator) }

  /// Returns as many values, drawn with replacement.
  func resample(_ values: [Double]) -> [Double] {
    var drawn = values
    drawn.withUnsafeMutableBytes { target in
      values.withUnsafeBytes { source in
        gsl_ran_sample(
          generator, target.baseAddress, values.count,
          UnsafeMutableRawPointer(mutating: source.baseAddress), values.count,
          MemoryLayout<Double>.stride)
      }
    }
    return drawn
  }

  /// Shuffles the values.
  func shuffle(_ values: inout [Int]) {
    values.withUnsafeMutableBytes { buffer in
      gsl_ran_shuffle(
        generator, buffer.baseAddress, buffer.count / MemoryLayout<Int>.stride,
        MemoryLayout<Int>.stride)
    }
  }

  /// Returns a number from 0 to below 1.
  func nextUniform() -> Double { gsl_rng_uniform(generator) }

  /// Returns true or false with equal probability. One draw of the generator gives 32 of them.
  @inline(__always)
  func nextCoin() -> Bool {
    if coinsLeft == 0 {
      coins = gsl_rng_get(generator)
      coinsLeft = 32
    }
    defer {
      coins >>= 1
      coinsLeft -= 1
    }
    return coins & 1 == 1
  }
}
