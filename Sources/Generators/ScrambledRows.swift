// A fixed pseudorandom order of rows, so that popular rows are spread over the table rather than adjacent. A
// permutation, where a hash would send several ranks to one row and change the law: a Feistel network over the next
// power of four, walked until it is back among the rows (Black and Rogaway, "Ciphers with Arbitrary Finite Domains",
// 2002).

enum ScrambledRows {
  /// The row of the rank; each of 0 ..< rows once. Rows added within a power of four move few.
  static func row(ofRank rank: Int, rows: Int) -> Int {
    precondition(rank >= 0 && rank < rows, "rank \(rank) of \(rows) rows")
    let half = UInt64(max(1, (Int.bitWidth - (rows - 1).leadingZeroBitCount + 1) / 2))
    var row = UInt64(rank)
    repeat { row = permuted(row, half) } while row >= UInt64(rows)
    return Int(row)
  }

  private static func permuted(_ number: UInt64, _ half: UInt64) -> UInt64 {
    let mask = (UInt64(1) << half) - 1
    var (left, right) = (number >> half, number & mask)
    // Four rounds, each with another multiple of the golden ratio's fraction (as SplitMix64 has it).
    for round in UInt64(1)...4 {
      var mixed = (right ^ round &* 0x9e37_79b9_7f4a_7c15) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ mixed >> 32) &* 0x94d0_49bb_1331_11eb
      (left, right) = (right, left ^ (mixed >> 32) & mask)
    }
    return left << half | right
  }
}
