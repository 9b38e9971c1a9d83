// Powers in integer arithmetic. `pow` of the C libraries differs in its last digit from platform to platform, and one
// digit would send a whole stream of keys elsewhere.

/// Logarithms and powers of two with 40 binary digits behind the point.
enum FixedPoint {
  static let fractionBits = 40

  /// Returns the base-2 logarithm of `value`, truncated after 40 binary digits.
  static func log2(_ value: UInt64) -> UInt64 {
    precondition(value > 0, "zero has no logarithm")
    let whole = 63 - value.leadingZeroBitCount
    // 1 ≤ mantissa < 2 with 62 digits behind the point; squaring it moves the logarithm's next digit before the point.
    var mantissa = whole <= 62 ? value << UInt64(62 - whole) : value >> 1
    var result = UInt64(whole)
    for _ in 0..<fractionBits {
      mantissa = UInt64((UInt128(mantissa) * UInt128(mantissa)) >> 62)
      result <<= 1
      if mantissa >= 1 << 63 {
        mantissa >>= 1
        result |= 1
      }
    }
    return result
  }

  /// Returns 2 to the power of minus the fraction of `exponent`, with 62 binary fraction digits: above 1/2, at most 1.
  static func negativePower(ofFraction exponent: UInt64) -> UInt64 {
    var result: UInt64 = 1 << 62
    for bit in 0..<fractionBits where exponent >> UInt64(fractionBits - 1 - bit) & 1 == 1 {
      result = UInt64((UInt128(result) * UInt128(roots[bit])) >> 62)
    }
    return result
  }

  /// 2 to the power of minus 1/2, 1/4, 1/8 …, with 62 binary digits behind the point.
  private static let roots: [UInt64] = {
    var root: UInt64 = 1 << 61
    return (0..<fractionBits).map { _ in
      root = squareRoot(UInt128(root) << 62)
      return root
    }
  }()

  /// log2(e) with 60 binary digits behind the point.
  private static let logOfE: UInt64 = 0x1715_4765_2b82_fe17

  /// The maximum standard deviation, in thousandths: beyond it the largest sizes are astronomical.
  static let greatestSigma = 5000

  /// Returns `number` · e^(±σ·z), rounded half up, z with 40 binary fraction digits; nil if it is above `limit`.
  static func scaled(
    _ number: Int, byExponentialOf magnitude: UInt64, sigmaPermille: Int, isNegative: Bool,
    limit: Int
  ) -> Int? {
    let product = UInt128(magnitude) * UInt128(sigmaPermille) * UInt128(logOfE)
    let exponent = UInt64((product / 1000) >> 60)
    let (whole, fraction) = (exponent >> 40, exponent & 0xff_ffff_ffff)
    if isNegative {
      guard whole < 63 else { return 0 }
      let scaled = UInt128(number) * UInt128(negativePower(ofFraction: fraction))
      return Int((scaled >> UInt128(61 + whole) + 1) >> 1)
    }
    // 2^(w + f) is 2^(w + 1) · 2^−(1 − f); larger powers are above any limit.
    precondition(number < 1 << 30 && limit < 1 << 33, "\(number), limited to \(limit)")
    guard whole < 34 else { return nil }
    let rest = fraction == 0 ? UInt64(1 << 61) : negativePower(ofFraction: 1 << 40 - fraction)
    let scaled = (UInt128(number) * UInt128(rest)) << UInt128(whole + 1)
    let rounded = (scaled >> 61 + 1) >> 1
    return rounded <= UInt128(limit) ? Int(rounded) : nil
  }

  /// ln(2) with 63 binary digits behind the point.
  private static let logOfTwo: UInt64 = 0x58b9_0bfb_e8e7_bcd5

  /// Returns an exponential number with mean 1 from 64 random bits, with 40 binary fraction digits: −ln of a number above 0
  /// and at most 1.
  static func exponential(_ bits: UInt64) -> UInt64 {
    // log2 of 2^64 is 64; of the bits and one more it is what is below.
    let binary = bits == .max ? UInt64(64) << 40 : log2(bits + 1)
    return UInt64((UInt128((UInt64(64) << 40) - binary) * UInt128(logOfTwo)) >> 63)
  }

  /// Returns the cosine of a part of a turn (of 2^32), with 40 binary fraction digits.
  static func cosine(ofTurn turn: UInt64) -> Int64 {
    let whole = UInt64(1) << 32
    var part = turn & (whole - 1)
    if part > whole / 2 { part = whole - part }
    if part > whole / 4 { return -cosine(ofTurn: whole / 2 - part) }
    // 2π with 56 binary digits, times the part, then Taylor's series: all terms below a quarter turn are small.
    let angle = (Int128(part) * 0x6_487e_d511_0b46_11) >> 28
    let square = (angle * angle) >> 60
    var (term, sum) = (Int128(1) << 60, Int128(1) << 60)
    var step = Int128(1)
    while term != 0 {
      term = -((term * square) >> 60) / (step * (step + 1))
      sum += term
      step += 2
    }
    return Int64((sum + 1 << 19) >> 20)
  }

  /// Returns e^(σ²/2): the mean of a log-normal distribution as a multiple of its median.
  static func lognormalMean(sigmaPermille: Int) -> Double {
    let sigma = Double(sigmaPermille) / 1000
    // A power series, which is the same on every platform. 12.5 is the largest exponent.
    let exponent = sigma * sigma / 2
    var (term, sum) = (1.0, 1.0)
    for step in 1...80 {
      term *= exponent / Double(step)
      sum += term
    }
    return sum
  }

  /// Returns the whole part of the square root, computed digit by digit.
  static func squareRoot(_ value: UInt128) -> UInt64 {
    var root: UInt64 = 0
    for bit in (0..<64).reversed() {
      let candidate = root | 1 << UInt64(bit)
      if UInt128(candidate) * UInt128(candidate) <= value { root = candidate }
    }
    return root
  }
}
