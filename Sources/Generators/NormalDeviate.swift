// Normal numbers by comparing whole ones: Karney, "Sampling exactly from the normal distribution" (2016), algorithm N.
// Neither logarithm nor root is taken, so nothing is rounded but the 62 digits of the fraction.

/// Draws from the normal distribution with mean 0 and deviation 1.
enum NormalDeviate {
  static let fractionBits = 62

  /// Returns the sign of a deviate, and its magnitude with 40 binary fraction digits.
  static func next(from stream: inout RandomStream) -> (isNegative: Bool, magnitude: UInt64) {
    while true {
      // k with probability proportional to e^(−k/2), kept with e^(−k(k−1)/2): together e^(−k²/2).
      var whole = 0
      while halfPower(&stream) { whole += 1 }
      var trials = whole * (whole - 1)
      while trials > 0, halfPower(&stream) { trials -= 1 }
      if trials > 0 { continue }
      let fraction = stream.next() >> 2
      // e^(−x(2k+x)/2), as a product of k + 1 equal powers.
      var isKept = true
      for _ in 0...whole where isKept { isKept = power(whole, fraction, &stream) }
      guard isKept else { continue }
      let isNegative = stream.next() >> 63 == 1
      return (isNegative, UInt64(whole) << 40 + fraction >> 22)
    }
  }

  /// Returns true with probability e^(−1/2): the length of a falling run that begins below 1/2 is even (von Neumann).
  private static func halfPower(_ stream: inout RandomStream) -> Bool {
    var last = UInt64(1) << 63
    var isEven = true
    while true {
      let next = stream.next()
      guard next < last else { return isEven }
      last = next
      isEven.toggle()
    }
  }

  /// Returns true with probability e^(−x(2k+x)/(2k+2)), for x with 62 binary fraction digits.
  private static func power(
    _ whole: Int, _ fraction: UInt64, _ stream: inout RandomStream
  ) -> Bool {
    let limit = (UInt128(2 * whole) << 64) + UInt128(fraction << 2)
    var last = fraction << 2
    var isEven = true
    while true {
      let next = stream.next()
      guard next < last, UInt128(stream.next()) * UInt128(2 * whole + 2) < limit else {
        return isEven
      }
      last = next
      isEven.toggle()
    }
  }
}
