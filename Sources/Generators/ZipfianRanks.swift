// Ranks whose probability falls as a power of the rank, drawn in constant time for any number of rows and without
// floating point.
//
// Ranks below 128 have a column of their own; above, each octave has 64 columns, in which the weight falls along a
// straight line. A draw takes a column by Walker's alias method, a rank in it, and keeps that with the probability that
// the line gives it. A rank's probability is within 0.02 % of itself, plus 2^-32, of the exact one: the line is at most
// θ(θ+1)/8 · 2^-12 of the weight away from the curve, and the columns' shares are rounded to 2^-32 of their mean.

/// Draws ranks 0 ..< n with probability proportional to (rank + 1) to the power of −theta.
struct ZipfianRanks {
  static let greatestTheta = 2000
  static let greatestRows = 1 << 32

  private let thetaPermille: Int
  /// The columns computed so far, independent of the number of rows.
  private var columns: [Column] = []
  /// Each column's rows times the weight of its first, with 56 binary digits behind the point.
  private var masses: [UInt128] = []
  /// The share (of 2^32) of each cell of the alias table that belongs to its own column.
  private var thresholds: [UInt64] = []
  /// The two columns of each cell: its own, and the one that has the rest.
  private var choices: [Column] = []
  /// The numbers of rows for which the cells are good.
  private var fitting = 0..<0

  private struct Column {
    /// The first rank, from 1.
    var first: UInt64
    /// The decrease of the weight until the next column begins, as a share of the first weight, in 2^-32.
    var fall: UInt32
    /// The binary logarithm of the column's number of ranks.
    var shift: UInt32
  }

  init(thetaPermille: Int) {
    precondition(
      (0...Self.greatestTheta).contains(thetaPermille),
      "theta is \(thetaPermille) thousandths, and 0 to \(Self.greatestTheta) are possible")
    self.thetaPermille = thetaPermille
  }

  mutating func next(rows: Int, from stream: inout RandomStream) -> Int {
    if !fitting.contains(rows) { prepare(rows: rows) }
    while true {
      let bits = stream.next()
      let moreBits = stream.next()
      let cells = UInt64(thresholds.count)
      let cell = Int(truncatingIfNeeded: ((bits >> 32) &* cells) >> 32)
      // No processor foresees which of the two it is, so that an index is faster than a branch.
      let isOwn = ((bits & 0xffff_ffff) &- thresholds[cell]) >> 63
      let column = choices[2 &* cell &+ 1 &- Int(truncatingIfNeeded: isOwn)]
      let shift = UInt64(column.shift)
      // The high half is a row of the column, the low half is what is left of the randomness.
      let position = moreBits.multipliedFullWidth(by: 1 &<< shift)
      let rank = Int(truncatingIfNeeded: column.first &+ position.high)
      let lost = (UInt64(column.fall) &* position.high) &>> shift
      if rank <= rows, (position.low >> 32) &+ lost < 1 << 32 { return rank - 1 }
    }
  }

  // MARK: Columns

  /// Returns the binary logarithm of the number of ranks in a column. Column c holds the ranks (from 1) `first(c)` ..<
  /// `first(c + 1)`.
  private static func shift(_ column: Int) -> Int { max(0, ((column + 1) >> 6) - 1) }

  private static func first(_ column: Int) -> Int {
    let number = column + 1
    return number < 64 ? number : (64 + number & 63) << ((number >> 6) - 1)
  }

  /// Returns the column that holds a rank (from 1).
  static func column(of rank: Int) -> Int {
    guard rank >= 64 else { return rank - 1 }
    let octave = Int.bitWidth - 1 - rank.leadingZeroBitCount
    return 64 * (octave - 5) + ((rank >> (octave - 6)) & 63) - 1
  }

  /// Rebuilds the cells if the rows need more columns, or so many fewer that many draws would be rejected.
  private mutating func prepare(rows: Int) {
    precondition(rows > 0, "a row was asked for, and there are \(rows)")
    precondition(rows <= Self.greatestRows, "more than 2^32 rows")
    let count = Self.column(of: rows) + 1
    build(count)
    fitting = Self.first(max(0, count - 8))..<Self.first(count)
  }

  private mutating func build(_ count: Int) {
    while columns.count < count { addColumn() }
    let total = masses[..<count].reduce(0, +)
    // In 2^-32 of a cell, all of them filled exactly; what rounding leaves goes to the first rank.
    let whole = UInt128(count) << 32
    var shares = masses[..<count].map { UInt64($0 * whole / total) }
    shares[0] += UInt64(whole) - shares.reduce(0, +)
    thresholds = Array(repeating: 1 << 32, count: count)
    choices = columns[..<count].flatMap { [$0, $0] }
    var small = shares.indices.filter { shares[$0] < 1 << 32 }
    var large = shares.indices.filter { shares[$0] >= 1 << 32 }
    while let poor = small.popLast(), let rich = large.last {
      thresholds[poor] = shares[poor]
      choices[2 * poor + 1] = columns[rich]
      shares[rich] -= (1 << 32) - shares[poor]
      if shares[rich] < 1 << 32 { small.append(large.removeLast()) }
    }
  }

  private mutating func addColumn() {
    let index = columns.count
    let shift = Self.shift(index)
    let begin = exponent(Self.first(index))
    let end = exponent(Self.first(index + 1))
    let power = FixedPoint.negativePower(ofFraction: begin & 0xff_ffff_ffff)
    masses.append((UInt128(power >> 6) << UInt128(shift)) >> UInt128(begin >> 40))
    columns.append(
      Column(
        first: UInt64(Self.first(index)), fall: shift == 0 ? 0 : Self.fall(end - begin),
        shift: UInt32(shift)))
  }

  /// Returns θ · log2(rank): the rank's weight is 2 to the power of minus this.
  private func exponent(_ rank: Int) -> UInt64 {
    FixedPoint.log2(UInt64(rank)) * UInt64(thetaPermille) / 1000
  }

  private static func fall(_ difference: UInt64) -> UInt32 {
    precondition(difference < 1 << 40, "columns are narrow enough to fall by less than half")
    return UInt32(((1 << 62) - FixedPoint.negativePower(ofFraction: difference)) >> 30)
  }
}
