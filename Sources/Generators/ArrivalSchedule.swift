// The schedule of an open loop: when transactions are to begin, whether or not those before them have ended. Whole numbers
// throughout, each time computed from the first, so that nothing drifts and a seed gives the same times on every platform.

/// The distribution of the intended times of an open loop.
package enum ArrivalPattern: Hashable, Sendable, Codable {
  /// Equal gaps of one period.
  case steady
  /// Exponential gaps with the period as their mean.
  case poisson
  /// Groups of this many at the same time, each followed by a pause of as many periods.
  case bursts(of: Int)
}

/// A rate that rises and falls as a sine: lowest when a phase begins, highest half a period later.
package struct RateWave: Hashable, Sendable, Codable {
  /// The amplitude of the rate as a share of its mean, in thousandths; at most 950.
  package var swingPermille: Int
  package var periodMicroseconds: Int

  package init(swingPermille: Int, periodMicroseconds: Int) {
    self.swingPermille = swingPermille
    self.periodMicroseconds = periodMicroseconds
  }
}

/// Computes the intended times of an open loop, in order.
package struct ArrivalSchedule: Sendable {
  /// Times have this many binary digits below the nanosecond.
  private static let fractionBits = 20

  private let pattern: ArrivalPattern
  private let wave: RateWave?
  private let period: UInt64
  private var stream: RandomStream
  private var count = 0
  private var time = UInt128(0)

  /// Creates a schedule of `rate` transactions per second.
  package init(_ pattern: ArrivalPattern, rate: Double, wave: RateWave?, stream: RandomStream) {
    precondition((0.000_001...100_000_000).contains(rate), "a rate of \(rate) per second")
    if let wave {
      precondition(
        0...950 ~= wave.swingPermille && wave.periodMicroseconds > 0, "a wave of \(wave)")
    }
    self.pattern = pattern
    self.wave = wave
    self.stream = stream
    period = UInt64((1e9 / rate * Double(1 << Self.fractionBits)).rounded())
  }

  /// Returns the next intended time, in nanoseconds since the schedule began. The first is one gap after that.
  package mutating func next() -> UInt64 {
    defer { count += 1 }
    switch pattern {
    case .steady:
      if wave == nil { return whole(UInt128(period) * UInt128(count + 1)) }
      advance(by: UInt128(period))
    case .poisson:
      advance(by: (UInt128(period) * UInt128(FixedPoint.exponential(stream.next()))) >> 40)
    case .bursts(let size):
      if wave == nil {
        return whole(UInt128(period) * UInt128(size) * UInt128(count / size + 1))
      }
      if count.isMultiple(of: size) { advance(by: UInt128(period) * UInt128(size)) }
    }
    return whole(time)
  }

  /// Advances by one gap, which the rate's wave makes longer or shorter.
  private mutating func advance(by gap: UInt128) {
    guard let wave else {
      time += gap
      return
    }
    let cycle = UInt128(wave.periodMicroseconds) * 1000 << UInt128(Self.fractionBits)
    let turn = UInt64(((time % cycle) << 32) / cycle)
    let swing = FixedPoint.cosine(ofTurn: turn) * Int64(wave.swingPermille) / 1000
    let factor = UInt128((Int64(1) << 40) - swing)
    time += (gap << 40) / factor
  }

  private func whole(_ time: UInt128) -> UInt64 { UInt64(time >> UInt128(Self.fractionBits)) }
}
