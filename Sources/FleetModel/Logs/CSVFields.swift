// The fields of a row of comma-separated values (RFC 4180). A row is a line, or several where a text in quotes has line ends.

enum CSVFields {
  /// Calls `body` with the index and the bytes of each field, without quotes and white space around it, and returns the
  /// number of fields.
  @inline(__always)
  static func forEach(
    _ line: [UInt8], separator: UInt8, _ body: (Int, Range<Int>) -> Void
  ) -> Int {
    var index = 0
    var start = 0
    var isQuoted = false
    for offset in 0...line.count {
      let isEnd = offset == line.count
      if !isEnd, line[offset] == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard isEnd || line[offset] == separator && !isQuoted else { continue }
      body(index, trimmed(line, start..<offset))
      index += 1
      start = offset + 1
    }
    return index
  }

  /// Whether the row ends within quotes, so that the next line is a part of it. A quote in a text is doubled, which leaves
  /// their number even.
  static func isOpen(_ row: some Sequence<UInt8>) -> Bool {
    row.reduce(false) { $1 == UInt8(ascii: "\"") ? !$0 : $0 }
  }

  static func texts(_ line: [UInt8], separator: UInt8) -> [String] {
    var texts: [String] = []
    _ = forEach(line, separator: separator) { _, range in
      texts.append(String(decoding: line[range], as: UTF8.self))
    }
    return texts
  }

  @inline(__always)
  private static func trimmed(_ line: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var low = range.lowerBound
    var high = range.upperBound
    func isMargin(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
        || byte == UInt8(ascii: "\"")
    }
    while low < high, isMargin(line[low]) { low += 1 }
    while high > low, isMargin(line[high - 1]) { high -= 1 }
    return low..<high
  }
}

/// Numbers, words and times in the bytes of a field.
enum FieldText {
  /// Returns a whole number, with a sign where there is one; a fraction of zeros is left out (`4096.0`).
  static func integer(_ bytes: ArraySlice<UInt8>) -> Int64? {
    var rest = bytes
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    if let point = rest.firstIndex(of: UInt8(ascii: ".")) {
      guard rest[(point + 1)...].allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
      rest = rest[..<point]
    }
    guard !rest.isEmpty, rest.count <= 18 else { return nil }
    var value: Int64 = 0
    for byte in rest {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    return isNegative ? -value : value
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> Double? {
    Double(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  static func bool(_ bytes: ArraySlice<UInt8>) -> Bool? {
    switch String(decoding: bytes, as: UTF8.self).lowercased() {
    case "true", "yes", "1", "t", "y": true
    case "false", "no", "0", "f", "n": false
    default: nil
    }
  }
}
