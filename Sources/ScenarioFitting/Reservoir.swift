// An even sample of a series of unknown length, in bounded memory.

/// Numbers of a series: all of the first ones, and of more an even sample (Vitter's algorithm R). Its random numbers are
/// fixed, so that the same trace gives the same fit.
struct Reservoir: Sendable, Equatable {
  static let capacity = 1024

  private(set) var values: [Int] = []
  /// The length of the series.
  private(set) var count = 0
  private var random: UInt64 = 0x2545_f491_4f6c_dd1d

  mutating func add(_ value: Int) {
    count += 1
    guard values.count == Self.capacity else { return values.append(value) }
    // Xorshift, by Marsaglia.
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    let slot = Int(random % UInt64(count))
    if slot < values.count { values[slot] = value }
  }
}
