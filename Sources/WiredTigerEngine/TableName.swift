// Names of tables as WiredTiger has them: in options, and as names of files.

/// A table's name in WiredTiger. Letters, digits, hyphens and underscores are as they are; other bytes are a percent sign and
/// two hexadecimal digits, and so is the first letter of a name that begins as those of WiredTiger's own files do.
struct TableName {
  let text: String

  init(_ name: String) {
    let isReserved = name.hasPrefix(WiredTigerFolder.ownPrefix)
    text = name.utf8.enumerated().reduce(into: "") { text, byte in
      if Self.isPlain(byte.element), !(isReserved && byte.offset == 0) {
        text.unicodeScalars.append(Unicode.Scalar(byte.element))
      } else {
        let digits = String(byte.element, radix: 16, uppercase: true)
        text += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
