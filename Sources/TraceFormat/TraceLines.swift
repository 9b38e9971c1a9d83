// A trace as JSON lines: the header in the first line, then a line for each record, then the totals. Both forms have the
// same contents and can be converted into each other without loss; this one is for people, `grep`, and other programs. A
// program that writes a trace while it runs declares tables and dropped transactions in lines between the records.
import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

package enum TraceLines {
  private struct First: Codable {
    var trace: UInt32
    var header: TraceHeader
  }

  private struct Last: Codable {
    var end: TraceTotals
  }

  package static func first(_ header: TraceHeader) -> String {
    encoded(First(trace: TraceLayout.version, header: header))
  }

  package static func last(_ totals: TraceTotals) -> String { encoded(Last(end: totals)) }

  /// Returns a record's line, without a line end.
  package static func line(_ record: TraceRecord) -> String {
    var line = "{\"op\":\"\(record.operation.name)\",\"at\":\(record.time)"
    if record.thread != 0 { line += ",\"thread\":\(record.thread)" }
    for part in record.operation.parts {
      line += ",\"\(part.name)\":"
      switch part.storage {
      case .table: line += String(record.table)
      case .key: line += String(record.key)
      case .number: line += String(record.number)
      case .size, .amount: line += String(record.size)
      case .text: line += encoded(record.text)
      }
    }
    return line + "}"
  }

  private static func encoded(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
      preconditionFailure("Names and numbers are JSON: \(error)")
    }
  }
}

/// Reads the lines of a trace one after the other.
package struct TraceLineReader {
  private let file: String
  private var number = 0
  private var isOver = false
  private let decoder = JSONDecoder()
  private var last = 0

  package enum Line {
    case header(TraceHeader)
    /// Tables that follow those declared before.
    case tables([TraceHeader.Table])
    case record(TraceRecord)
    /// The number of transactions left out here.
    case dropped(Int)
    case end(TraceTotals)
  }

  /// `file` is the name of the file in messages.
  package init(file: String) { self.file = file }

  /// Reads the next line; returns nil for an empty one.
  package mutating func read(_ text: some StringProtocol) throws(TraceError) -> Line? {
    number += 1
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    guard !isOver else { throw mistake("follows the end; remove it") }
    let fields: Fields
    do { fields = try decoder.decode(Fields.self, from: Data(text.utf8)) } catch {
      throw mistake(
        "is not a JSON object of a trace; every line is one, such as {\"op\":\"commit\",\"at\":0}")
    }
    if let version = fields.trace {
      guard number == 1, version == TraceLayout.version, let header = fields.header else {
        throw mistake("is not a header of version \(TraceLayout.version) in the first line")
      }
      return .header(header)
    }
    guard number > 1 else { throw mistake("is not the header: {\"trace\":1,\"header\":{…}}") }
    if let end = fields.end {
      isOver = true
      return .end(end)
    }
    if let tables = fields.tables { return .tables(tables) }
    if let dropped = fields.dropped {
      guard dropped > 0 else { throw mistake("has dropped \(dropped) transactions") }
      return .dropped(dropped)
    }
    return .record(try record(fields))
  }

  /// Whether the line of totals has been read.
  package var isComplete: Bool { isOver }

  private mutating func record(_ fields: Fields) throws(TraceError) -> TraceRecord {
    guard let name = fields.texts["op"], let operation = TraceOperation(name: name) else {
      let names = TraceOperation.allCases.map(\.name).joined(separator: ", ")
      throw mistake("has the operation \"\(fields.texts["op"] ?? "")\"; there are \(names)")
    }
    let known = Set(["op", "at", "thread"] + operation.parts.map(\.name))
    let given = Set(fields.texts.keys).union(fields.numbers.keys)
    if let strange = given.subtracting(known).min() {
      throw mistake("has \"\(strange)\", which is not a member of \(name)")
    }
    var record = TraceRecord(operation)
    record.time = try amount("at", fields)
    guard record.time >= last else {
      throw mistake("is earlier than the line before: at \(record.time)")
    }
    last = record.time
    if fields.numbers["thread"] != nil { record.thread = try amount("thread", fields) }
    for part in operation.parts {
      switch part.storage {
      case .table: record.table = try amount(part.name, fields)
      case .key:
        guard let key = fields.numbers[part.name] else { throw missing(part.name) }
        record.key = key
      case .number: record.number = try amount(part.name, fields)
      case .amount: record.size = try amount(part.name, fields)
      case .size:
        record.size = try amount(part.name, fields)
        guard record.size <= TraceLayout.maxValueLength else {
          throw mistake("has a value of \(record.size) bytes; the limit is 1 GiB")
        }
      case .text:
        guard let text = fields.texts[part.name] else { throw missing(part.name) }
        guard text.utf8.count <= TraceLayout.maxTextLength else {
          throw mistake(
            "has a text of \(text.utf8.count) bytes; the limit is \(TraceLayout.maxTextLength)")
        }
        record.text = text
      }
    }
    return record
  }

  private func amount(_ name: String, _ fields: Fields) throws(TraceError) -> Int {
    guard let value = fields.numbers[name] else { throw missing(name) }
    guard value >= 0 else { throw mistake("has a negative \(name)") }
    return Int(value)
  }

  private func missing(_ name: String) -> TraceError {
    mistake("lacks \"\(name)\", or it has another type")
  }

  private func mistake(_ what: String) -> TraceError {
    TraceError(.damaged, "\(file): line \(number) \(what)")
  }
}

/// The members of a line, by name.
private struct Fields: Decodable {
  var trace: UInt32?
  var header: TraceHeader?
  var end: TraceTotals?
  var tables: [TraceHeader.Table]?
  var dropped: Int?
  var numbers: [String: Int64] = [:]
  var texts: [String: String] = [:]

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Name.self)
    for name in members.allKeys {
      switch name.stringValue {
      case "trace": trace = try members.decode(UInt32.self, forKey: name)
      case "header": header = try members.decode(TraceHeader.self, forKey: name)
      case "end": end = try members.decode(TraceTotals.self, forKey: name)
      case "tables": tables = try members.decode([TraceHeader.Table].self, forKey: name)
      case "dropped": dropped = try members.decode(Int.self, forKey: name)
      default:
        if let text = try? members.decode(String.self, forKey: name) {
          texts[name.stringValue] = text
        } else {
          numbers[name.stringValue] = try members.decode(Int64.self, forKey: name)
        }
      }
    }
  }
}
