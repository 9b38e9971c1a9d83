// A row of sqlite_schema: the type, the names and the root page, which are its first four columns.

struct SQLiteSchemaRow {
  let type: String
  let name: String
  let table: String
  /// 0 for views, triggers and virtual tables.
  let root: Int

  /// The part of a row that is read: names longer than this are not.
  static let maxBytes = 4096

  /// Nil where the record does not begin with these columns.
  init?(_ record: ByteBlock, textEncoding: Int) {
    guard let header = record.varint(at: 0), header.value >= 5 else { return nil }
    var headerOffset = header.length
    var offset = header.value
    var texts: [String] = []
    for _ in 0..<3 {
      guard let type = record.varint(at: headerOffset), type.value >= 13, type.value % 2 == 1,
        let bytes = record.slice(offset, (type.value - 13) / 2)
      else { return nil }
      texts.append(Self.text(bytes, textEncoding))
      headerOffset += type.length
      offset += bytes.count
    }
    guard let type = record.varint(at: headerOffset) else { return nil }
    let widths = [0, 1, 2, 3, 4, 6, 8]
    if type.value == 8 || type.value == 9 {
      root = type.value - 8
    } else if widths.indices.contains(type.value) {
      guard let number = record.big(offset, widths[type.value]) else { return nil }
      root = number
    } else {
      return nil
    }
    (self.type, name, table) = (texts[0], texts[1], texts[2])
  }

  /// Returns the text, cut after 200 characters, so that no name makes a report long.
  private static func text(_ bytes: ArraySlice<UInt8>, _ encoding: Int) -> String {
    let text: String
    if encoding == 2 || encoding == 3 {
      let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
        encoding == 2
          ? UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
          : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      }
      text = String(decoding: units, as: UTF16.self)
    } else {
      text = String(decoding: bytes, as: UTF8.self)
    }
    return String(text.prefix(200))
  }
}
