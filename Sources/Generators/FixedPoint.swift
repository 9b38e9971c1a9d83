// Powers in integer arithmetic. `pow` of the C libraries differs in its last digit from platform to platform, and one
// digit would send a whole stream of keys elsewhere.

/// Logarithms and powers of two with 40 binary digits behind the point.
enum FixedPoint {
  static let fractionBits = 40

  /// The base-2 logarithm of `value`, cut after 40 binary digits.
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

  /// 2 to the power of minus the fraction of `exponent`, with 62 binary digits behind the point: above 1/2, at most 1.
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

  /// The whole part of the square root, digit by digit.
  static func squareRoot(_ value: UInt128) -> UInt64 {
    var root: UInt64 = 0
    for bit in (0..<64).reversed() {
      let candidate = root | 1 << UInt64(bit)
      if UInt128(candidate) * UInt128(candidate) <= value { root = candidate }
    }
    return root
  }
}
