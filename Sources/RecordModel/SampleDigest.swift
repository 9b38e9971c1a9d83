// A digest of the sample rows, to compare repetitions without storing their rows. FNV-1a with 128 bits (offset basis and
// prime of the published algorithm) over the rows' fields and commas: no cryptography is needed here, and any language
// computes it in ten lines.

/// FNV-1a, 128 bits, fed piecewise.
package struct SampleDigest: Sendable, Hashable {
  private var high: UInt64 = 0x6c62_272e_07bb_0142
  private var low: UInt64 = 0x62b8_2175_6295_c58d

  package init() {}

  /// The prime is 2⁸⁸ + 0x13B, so the product is a shift by 88 and a small multiplication.
  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      low ^= UInt64(byte)
      let product = low.multipliedFullWidth(by: 0x13b)
      high = high &* 0x13b &+ product.high &+ (low &<< 24)
      low = product.low
    }
  }

  /// Feeds the row's fields as in samples.csv, without those that name the cell, and a line feed, whatever ends a row in the
  /// file.
  package mutating func feed(_ sample: Sample) {
    var line = CSVLine()
    SampleCSV.appendFields(of: sample, to: &line)
    feed(line.bytes)
    feed("\n".utf8)
  }

  /// 32 hexadecimal digits.
  package var hex: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  package static func of(bytes: [UInt8]) -> String {
    var digest = Self()
    digest.feed(bytes)
    return digest.hex
  }

  package static func of(_ samples: [Sample]) -> String {
    var digest = Self()
    for sample in samples { digest.feed(sample) }
    return digest.hex
  }
}
