// Reads comma-separated values: as CSVLine writes them, and as a spreadsheet or an editor saves them again (bare line
// feeds, quoted numbers).

/// The rows of a CSV text with a known header.
package struct CSVTable: Sendable {
  /// Rows without the header, each with as many fields as the header.
  package private(set) var rows: [[String]]
  /// The line on which each row begins, for messages.
  package private(set) var lines: [Int]

  /// - Parameters:
  ///   - renamed: names of columns in files of earlier versions → their names today.
  ///   - added: how many of the last columns files of earlier versions lack. Their fields are then `0`.
  ///   - name: the file, for messages.
  package init(
    _ text: String, header: [String], renamed: [String: String] = [:], added: Int = 0,
    name: String
  ) throws(RecordError) {
    var reader = CSVReader(text)
    guard let first = try reader.nextRow(name) else {
      throw RecordError(code: .malformed, message: "\(name): empty; expected a CSV header")
    }
    let found = first.map { renamed[$0] ?? $0 }
    let lacking = found == Array(header.dropLast(added)) ? added : 0
    guard found.count + lacking == header.count, header.starts(with: found) else {
      throw RecordError(
        code: .malformed,
        message: "\(name):1: not the columns that this program writes: found"
          + " \(first.joined(separator: ",")), expected \(header.joined(separator: ","))")
    }
    rows = []
    lines = []
    while true {
      let line = reader.line
      guard let row = try reader.nextRow(name) else { return }
      guard row.count == found.count else {
        throw RecordError(
          code: .malformed,
          message: "\(name):\(line): \(row.count) fields where the header has \(found.count);"
            + " the file is cut off or was edited")
      }
      rows.append(row + Array(repeating: "0", count: lacking))
      lines.append(line)
    }
  }
}

/// Splits a text into rows of fields.
private struct CSVReader {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var line = 1

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func nextRow(_ name: String) throws(RecordError) -> [String]? {
    guard position < bytes.count else { return nil }
    var row: [String] = []
    while true {
      row.append(try nextField(name))
      guard position < bytes.count else { return row }
      let separator = bytes[position]
      position += 1
      if separator == UInt8(ascii: ",") { continue }
      if separator == UInt8(ascii: "\r"), position < bytes.count,
        bytes[position] == UInt8(ascii: "\n")
      {
        position += 1
      }
      line += 1
      return row
    }
  }

  private mutating func nextField(_ name: String) throws(RecordError) -> String {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      let start = position
      while position < bytes.count, !isSeparator(bytes[position]) { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    let openingLine = line
    position += 1
    var field: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard position < bytes.count, bytes[position] == byte else {
          guard position == bytes.count || isSeparator(bytes[position]) else { break }
          return String(decoding: field, as: UTF8.self)
        }
        position += 1
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      field.append(byte)
    }
    throw RecordError(
      code: .malformed, message: "\(name):\(openingLine): a quoted field does not end as it should")
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}
