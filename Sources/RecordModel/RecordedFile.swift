// The files beside record.json, as the run left them: with their digests in the record, a file that was cut off, edited or
// lost is noticed, wherever the record is read.

package struct RecordedFile: Sendable, Codable, Hashable {
  package var name: String
  package var bytes: Int
  /// FNV-1a with 128 bits over the file's bytes, in hex: it shows accidents and edits, and guards no secret.
  package var digest: String

  package init(_ name: String, _ content: [UInt8]) {
    self.name = name
    bytes = content.count
    digest = SampleDigest.of(bytes: content)
  }

  /// The files that every record has beside it.
  package static let names = [SampleCSV.fileName, TimingCSV.fileName, EventCSV.fileName]

  /// How what is there now differs from what the run left; nil where it does not.
  package func difference(to content: [UInt8]?) -> String? {
    guard let content else { return "is missing" }
    guard content.count == bytes else {
      return "has \(content.count) bytes, and the run left \(bytes)"
    }
    return SampleDigest.of(bytes: content) == digest
      ? nil : "has other bytes than the run left"
  }
}

/// Whether a record and the files beside it are those that the run left.
package enum RecordIntegrity: Sendable, Equatable {
  case verified
  /// An earlier version made the record, and put no digests into it.
  case unknown
  /// These files are other than the run left them, or missing; accepted by the user.
  case changed([String])

  /// Adds a file to those that are changed.
  package mutating func add(changed file: String) {
    if case .changed(let files) = self {
      self = .changed(files + [file])
    } else {
      self = .changed([file])
    }
  }
}

/// The first line of record.json after the brace: the digest of all the others.
enum RecordSeal {
  private static let start = Array("{\n  \"digest\" : \"".utf8)
  private static let end = Array("\",\n".utf8)

  /// Adds the digest to the record's text, which begins with `{` and a line feed.
  static func sealed(_ text: [UInt8]) -> [UInt8] {
    start + SampleDigest.of(bytes: text).utf8 + end + text.dropFirst(2)
  }

  /// Whether the text has the digest of what it holds.
  static func isWhole(_ text: [UInt8]) -> Bool {
    let count = start.count + 32 + end.count
    guard text.count > count, text.starts(with: start) else { return false }
    let rest = Array("{\n".utf8) + text.dropFirst(count)
    return sealed(rest) == text
  }
}
