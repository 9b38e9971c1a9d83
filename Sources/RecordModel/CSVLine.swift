// Rows of comma-separated values by RFC 4180, written byte by byte: a run has 10⁵ rows or more, and concatenating strings
// would take most of its time.

/// Rows under construction.
package struct CSVLine: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var isAtRowStart = true

  package init() {}

  /// The end of a row: a carriage return and a line feed, by section 2 of RFC 4180.
  package static let rowEnd = "\r\n"

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Appends a text, in quotes if it contains a comma, a quote or a line break.
  package mutating func append(_ text: String) {
    separate()
    let needsQuotes = text.utf8.contains {
      $0 == Self.comma || $0 == Self.quote || $0 == Self.lineFeed || $0 == Self.carriageReturn
    }
    guard needsQuotes else {
      bytes.append(contentsOf: text.utf8)
      return
    }
    bytes.append(Self.quote)
    for byte in text.utf8 {
      if byte == Self.quote { bytes.append(Self.quote) }
      bytes.append(byte)
    }
    bytes.append(Self.quote)
  }

  /// Appends `TRUE` or `FALSE`, in capitals as R needs them next to empty fields; empty if not known.
  package mutating func append(_ truth: Bool?) {
    append(truth.map { $0 ? Self.yes : Self.no } ?? "")
  }

  /// Returns the value of a field that `append` wrote; nil for any other field.
  package static func truth(_ field: String) -> Bool? {
    field == yes ? true : field == no ? false : nil
  }

  private static let (yes, no) = ("TRUE", "FALSE")

  /// Appends a number; nil is an empty field.
  package mutating func append(_ number: Int?) {
    separate()
    guard let number else { return }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let first = bytes.count
    var rest = number.magnitude
    repeat {
      let (tens, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(digit))
      rest = tens
    } while rest > 0
    bytes[first...].reverse()
  }

  /// Appends the fields of another line, without its row end.
  package mutating func append(fieldsOf other: CSVLine) {
    separate()
    bytes.append(contentsOf: other.bytes)
  }

  package mutating func endRow() {
    bytes.append(contentsOf: Self.rowEnd.utf8)
    isAtRowStart = true
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private mutating func separate() {
    if isAtRowStart { isAtRowStart = false } else { bytes.append(Self.comma) }
  }
}
