// Checksums of the lines of a file that is appended to: each depends on the line and on the checksum before it, so that
// lines that were changed, moved or removed are detected.

package enum LineCheck {
  /// The characters of a checksum.
  package static let length = 9

  /// Returns the checksum of a line: a letter, so that no spreadsheet takes it for a number, and 32 bits of the digest of the
  /// previous checksum and the line.
  package static func of(_ line: [UInt8], after previous: String) -> String {
    var digest = SampleDigest()
    digest.feed(previous.utf8)
    digest.feed(line)
    return "x" + digest.hex.suffix(8)
  }
}
