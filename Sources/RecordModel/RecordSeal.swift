// The seal of a record: its first line after the brace is the digest of all the others, so that a change is detected when it
// is read.
import Foundation

enum RecordSeal {
  private static let start = Array("{\n  \"digest\" : \"".utf8)
  private static let end = Array("\",\n".utf8)

  /// Returns the value as sealed JSON with sorted keys, ending in a line feed: the same value is the same bytes.
  static func json(
    of value: some Encodable, isIndented: Bool = true
  ) throws(RecordError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
    do {
      let text = Array(try encoder.encode(value)) + Array("\n".utf8)
      return sealed(isIndented ? text : Array("{\n".utf8) + text.dropFirst())
    } catch {
      throw RecordError(code: .malformed, message: "cannot write the record: \(error)")
    }
  }

  /// Throws for a text that was changed since it was sealed, or marks it as changed where that is accepted.
  ///
  /// - Parameters:
  ///   - name: the file's path, for the message.
  ///   - file: its name, for the mark.
  static func check(
    _ text: [UInt8], _ name: String, file: String, acceptsChanged: Bool,
    _ integrity: inout RecordIntegrity
  ) throws(RecordError) {
    if isWhole(text) { return }
    guard acceptsChanged else { throw .changed(name, "was changed after the run") }
    integrity.add(changed: file)
  }

  /// Returns a number in the text's members of this name, at any depth, that is beyond all bytes, counts and nanoseconds of
  /// a run; nil where there is none. Sums and means of figures take for granted that they are numbers of a usual size.
  static func impossibleFigure(in text: [UInt8], below key: String = "cells") -> NSNumber? {
    var rest: [(value: Any, isFigure: Bool)] = []
    if let root = try? JSONSerialization.jsonObject(with: Data(text)) { rest = [(root, false)] }
    while let (value, isFigure) = rest.popLast() {
      switch value {
      case let number as NSNumber where isFigure && abs(number.doubleValue) > 0x1p53:
        return number
      case let list as [Any]: rest += list.map { ($0, isFigure) }
      case let members as [String: Any]: rest += members.map { ($1, isFigure || $0 == key) }
      default: break
      }
    }
    return nil
  }

  /// Adds the digest to the record's text, which begins with `{` and a line feed.
  private static func sealed(_ text: [UInt8]) -> [UInt8] {
    start + SampleDigest.of(bytes: text).utf8 + end + text.dropFirst(2)
  }

  /// Whether the text has the digest of what it holds.
  private static func isWhole(_ text: [UInt8]) -> Bool {
    let count = start.count + 32 + end.count
    guard text.count > count, text.starts(with: start) else { return false }
    let rest = Array("{\n".utf8) + text.dropFirst(count)
    return sealed(rest) == text
  }
}
