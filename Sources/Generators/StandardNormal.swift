// Normal numbers and powers of e as floating-point numbers that are the same on every platform: all that is rounded is
// rounded as IEEE 754 prescribes, and no function of a C library is called.

/// The normal distribution with mean 0 and deviation 1.
package enum StandardNormal {
  /// Draws a number.
  package static func next(from stream: inout RandomStream) -> Double {
    let (isNegative, magnitude) = NormalDeviate.next(from: &stream)
    let value = Double(magnitude) / Double(1 << 40)
    return isNegative ? -value : value
  }
}

/// Powers of e.
package enum PortablePower {
  private static let maxExponent = 700.0

  /// Returns e to the power of `exponent`, which is limited to ±700, with 40 binary digits.
  package static func ofE(_ exponent: Double) -> Double {
    let limited = max(-maxExponent, min(maxExponent, exponent))
    let binary = limited * 1.4426950408889634
    let whole = binary.rounded(.up)
    let missing = UInt64((whole - binary) * Double(1 << 40))
    // 2^(w − f) for a fraction f: above 1/2, at most 1.
    let fraction = Double(FixedPoint.negativePower(ofFraction: missing)) / Double(1 << 62)
    return Double(sign: .plus, exponent: Int(whole), significand: fraction)
  }
}

/// The exponential distribution with mean 1.
package enum StandardExponential {
  /// Returns the value for 64 random bits: −ln of a number above 0 and at most 1.
  package static func value(ofBits bits: UInt64) -> Double {
    Double(FixedPoint.exponential(bits)) / Double(1 << 40)
  }
}
