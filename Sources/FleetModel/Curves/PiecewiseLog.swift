// A logarithm to base 2 that is linear between powers of two: two instructions, the same on every platform, and the scale
// of every axis and histogram here.

extension Double {
  /// log2 at powers of two, linear in between: off by at most 0.086. For normal numbers above 0.
  @inline(__always)
  package var piecewiseLog2: Double {
    Double(Int64(bitPattern: bitPattern)) * 0x1p-52 - 1023
  }
}

/// The value whose `piecewiseLog2` is given.
package func piecewisePower2(_ exponent: Double) -> Double {
  let whole = exponent.rounded(.down)
  return Double(sign: .plus, exponent: Int(whole), significand: 1 + (exponent - whole))
}
