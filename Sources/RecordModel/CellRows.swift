// Rows of one repetition of one cell, which the first columns of samples.csv and timings.csv name.
import MetricModel

package struct CellRows<Row: Sendable & Equatable>: Sendable, Equatable {
  package var key: CellKey
  /// `RepetitionRecord.index` of the run that the rows come from.
  package var repetition: Int
  package var rows: [Row]

  package init(key: CellKey, repetition: Int, rows: [Row]) {
    self.key = key
    self.repetition = repetition
    self.rows = rows
  }

  static var keyColumns: [String] { ["engine", "policy", "arm", "repetition"] }

  /// The fields that every row of this cell begins with.
  var keyFields: CSVLine {
    var line = CSVLine()
    line.append(key.engine)
    line.append(key.policy)
    line.append(key.arm)
    line.append(repetition)
    return line
  }

  /// Adds the row to the last group, or to a new one if the cell is another.
  static func add(_ row: Row, _ key: CellKey, _ repetition: Int, to groups: inout [Self]) {
    // A copy of the last group here would make each append copy its rows.
    if groups.last?.key == key, groups.last?.repetition == repetition {
      groups[groups.count - 1].rows.append(row)
    } else {
      groups.append(Self(key: key, repetition: repetition, rows: [row]))
    }
  }
}

/// A row as text fields, read one after the other, with file and line for messages.
struct CSVFields {
  private let fields: [String]
  private let file: String
  private let line: Int
  private var next = 0

  init(_ fields: [String], _ file: String, _ line: Int) {
    self.fields = fields
    self.file = file
    self.line = line
  }

  mutating func text() -> String {
    next += 1
    return fields[next - 1]
  }

  mutating func number() throws(RecordError) -> Int {
    guard let number = try optionalNumber() else {
      throw RecordError(
        code: .malformed, message: "\(file):\(line): field \(next) is empty; expected a number")
    }
    return number
  }

  mutating func optionalNumber() throws(RecordError) -> Int? {
    let field = text()
    if field.isEmpty { return nil }
    guard let number = Int(field) else {
      throw RecordError(
        code: .malformed,
        message: "\(file):\(line): field \(next) is \"\(field)\"; expected a whole number")
    }
    return number
  }

  /// Reads one of the words of the type, or nil from an empty field.
  mutating func optionalWord<Word: RawRepresentable<String> & CaseIterable>()
    throws(RecordError) -> Word?
  {
    let field = text()
    if field.isEmpty { return nil }
    guard let word = Word(rawValue: field) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw RecordError(
        code: .malformed,
        message: "\(file):\(line): field \(next) is \"\(field)\"; expected one of \(words)")
    }
    return word
  }

  mutating func key() throws(RecordError) -> (CellKey, Int) {
    (CellKey(engine: text(), policy: text(), arm: text()), try number())
  }

  mutating func bytes() throws(RecordError) -> ByteCount { ByteCount(try number()) }

  mutating func optionalBytes() throws(RecordError) -> ByteCount? {
    try optionalNumber().map { ByteCount($0) }
  }
}
