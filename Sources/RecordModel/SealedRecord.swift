// A record that is one file of sealed JSON, without rows beside it.
import Foundation

package protocol SealedRecord: Codable, Sendable {
  static var fileName: String { get }
  static var currentFormat: Int { get }
  /// The key of the format, which no other record has.
  static var formatKey: String { get }
  /// The command that writes it: `sweep`.
  static var command: String { get }
  /// Whether each value has a line of its own.
  static var isIndented: Bool { get }
  /// The result of checking the digest; not part of the file.
  var integrity: RecordIntegrity { get set }
  /// Why no run can have written what it holds, as in `has a negative size`; nil if one can.
  var flaw: String? { get }
}

extension SealedRecord {
  package var flaw: String? { nil }

  /// The file's bytes, ending in a line feed, with a digest of themselves in the first line.
  package func json() throws(RecordError) -> [UInt8] {
    try RecordSeal.json(of: self, isIndented: Self.isIndented)
  }

  /// Reads the record; the error explains why it cannot be read.
  ///
  /// - Parameters:
  ///   - name: the file's path, for messages.
  ///   - acceptsChanged: whether a record that was changed after the run is read anyway, and marked.
  package init(
    json bytes: [UInt8], name: String? = nil, acceptsChanged: Bool = false
  ) throws(RecordError) {
    let name = name ?? Self.fileName
    let format = Self.format(of: bytes)
    if let format, format != Self.currentFormat {
      throw RecordError(
        code: .otherFormat,
        message: "\(name): format \(format); this program reads format \(Self.currentFormat). "
          + "Run \(Self.command) again")
    }
    guard format != nil, let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else {
      throw RecordError(
        code: .malformed,
        message:
          "\(name): not a record of \(Self.command) (it is cut off, or another program's file)")
    }
    self = record
    if let flaw {
      throw RecordError(
        code: .malformed, message: "\(name): \(flaw). Run \(Self.command) again")
    }
    try RecordSeal.check(
      bytes, name, file: Self.fileName, acceptsChanged: acceptsChanged, &integrity)
    if integrity != .verified, let impossible = RecordSeal.impossibleFigure(in: bytes) {
      throw RecordError(
        code: .malformed,
        message: "\(name): \(impossible) is not a possible figure. No run of this program writes it"
      )
    }
  }

  /// Whether the bytes are such a record, of whatever format.
  package static func isRecord(_ bytes: [UInt8]) -> Bool { format(of: bytes) != nil }

  private static func format(of bytes: [UInt8]) -> Int? {
    let members = try? JSONDecoder().decode([String: FormatNumber].self, from: Data(bytes))
    return members?[formatKey]?.number
  }
}

/// A member of a record that is a number, or something else.
private struct FormatNumber: Decodable {
  let number: Int?

  init(from decoder: any Decoder) throws {
    number = try? decoder.singleValueContainer().decode(Int.self)
  }
}
