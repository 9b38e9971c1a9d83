// The history of a branch: a CSV file with one line for each figure of each commit. Lines never change, so that two histories
// merge by concatenation: the lines of one `add` are a batch, whose checksums depend on no line outside it.
import RecordModel
import ScenarioModel

package enum HistoryFile {
  package static let folder = ".compaction-lab/history"
  /// `part` is the line's number in its batch and the number of lines there; `check` is a checksum of this line and the
  /// earlier lines of the batch, which detects lines that were changed, removed or cut off.
  package static let columns = earlierColumns + ["part", "check"]
  /// The columns of earlier versions, without checksums.
  private static let earlierColumns = [
    "commit", "scenario", "engine", "policy", "arm", "seed", "figure", "machine", "value",
  ]

  /// Returns the file name of a branch: all but letters, digits, dots, dashes and underscores is `%` and two hexadecimal
  /// digits, so that no two branches have the same name.
  package static func name(branch: String) -> String {
    branch.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || "-_.".contains(character) {
        return String(character)
      }
      let digits = String(byte, radix: 16)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined() + ".csv"
  }

  package static var header: String { columns.joined(separator: ",") + CSVLine.rowEnd }

  /// Returns the lines of one commit's figures, a batch, without the header.
  package static func lines(_ entries: [HistoryEntry]) -> String {
    var line = CSVLine()
    var check = ""
    for (index, entry) in entries.enumerated() {
      let fields = fields(entry) + ["\(index + 1) of \(entries.count)"]
      check = Self.check(fields, after: check)
      for field in fields + [check] { line.append(field) }
      line.endRow()
    }
    return line.text
  }

  private static func fields(_ entry: HistoryEntry) -> [String] {
    let key = entry.series
    return [
      entry.commit, key.scenario, key.cell.engine, key.cell.policy, key.cell.arm,
      String(key.seed), key.figure, key.machine, FigureValue.text(entry.value),
    ]
  }

  private static func check(_ fields: some Sequence<String>, after previous: String) -> String {
    var line = CSVLine()
    for field in fields { line.append(field) }
    return LineCheck.of(line.bytes, after: previous)
  }

  package static func read(_ text: String, name: String) throws(RegressionError) -> [HistoryEntry] {
    try checkLastLine(text, name)
    guard !hasNoChecks(text) else {
      throw RegressionError(
        .malformed,
        "\(name): a history of an earlier version, whose lines have no checks; compaction-lab history upgrade adds them"
      )
    }
    var batch = Batch(name: name)
    var entries: [HistoryEntry] = []
    let table = try table(text, columns, name)
    for (row, line) in zip(table.rows, table.lines) {
      let entry = try entry(row, line, name)
      try batch.take(row, line, check: check(row.dropLast(), after: batch.check))
      entries.append(entry)
    }
    try batch.end()
    return entries
  }

  /// Whether the text is a history of an earlier version.
  package static func hasNoChecks(_ text: String) -> Bool {
    text.prefix { !$0.isNewline } == earlierColumns.joined(separator: ",")[...]
  }

  /// Returns a history of an earlier version with checksums: consecutive lines of one commit become a batch.
  package static func upgraded(_ text: String, name: String) throws(RegressionError) -> String {
    try checkLastLine(text, name)
    let table = try table(text, earlierColumns, name)
    var batches: [[HistoryEntry]] = []
    for (row, line) in zip(table.rows, table.lines) {
      let entry = try entry(row, line, name)
      if batches.last?.first?.commit == entry.commit {
        batches[batches.count - 1].append(entry)
      } else {
        batches.append([entry])
      }
    }
    return header + batches.map(lines).joined()
  }

  /// Checks that the text ends with a line end: otherwise lines that are added would become part of the last one.
  private static func checkLastLine(_ text: String, _ name: String) throws(RegressionError) {
    guard let last = text.utf8.last, last != UInt8(ascii: "\n") else { return }
    let line = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    throw RegressionError(
      .malformed,
      "\(name):\(line): the last line has no line end, so the file was cut off; \(Batch.remedy)")
  }

  private static func table(
    _ text: String, _ columns: [String], _ name: String
  ) throws(RegressionError) -> CSVTable {
    do { return try CSVTable(text, header: columns, name: name) } catch {
      throw RegressionError(.malformed, "\(error)")
    }
  }

  private static func entry(
    _ row: [String], _ line: Int, _ name: String
  ) throws(RegressionError) -> HistoryEntry {
    if let text = row.first(where: { !$0.isEmpty && !Label.isValid($0) }) {
      throw RegressionError(
        .malformed,
        "\(name):\(line): \(text.debugDescription) is not \(Label.rule); \(Batch.remedy)")
    }
    guard let seed = UInt64(row[5]), let value = Double(row[8]), value.isFinite else {
      throw RegressionError(
        .malformed, "\(name):\(line): the seed or the value is not a number; \(Batch.remedy)")
    }
    return HistoryEntry(
      commit: row[0],
      series: HistorySeriesKey(
        scenario: row[1], cell: CellKey(engine: row[2], policy: row[3], arm: row[4]),
        seed: seed, figure: row[6], machine: row[7]), value: value)
  }
}

/// The lines of one `add`, while they are read.
private struct Batch {
  let name: String
  private(set) var check = ""
  private var commit = ""
  private var part = 0
  private var count = 0
  private var line = 1

  static let remedy =
    "restore the file from version control, or remove all lines of that commit and add it again"

  init(name: String) { self.name = name }

  mutating func take(_ row: [String], _ line: Int, check expected: String) throws(RegressionError) {
    let words = row[row.count - 2].split(separator: " ")
    guard words.count == 3, let next = Int(words[0]), let total = Int(words[2]), next == part + 1,
      next <= total, part == 0 || (total == count && row[0] == commit)
    else { throw lost(before: line, row) }
    guard row[row.count - 1] == expected else {
      throw RegressionError(
        .malformed,
        "\(name):\(line): the line of commit \(row[0]) was changed or moved; \(Self.remedy)"
      )
    }
    (commit, part, count, check, self.line) = (row[0], next, total, expected, line)
    if part == count { (part, check) = (0, "") }
  }

  private func lost(before line: Int, _ row: [String]) -> RegressionError {
    RegressionError(
      .malformed,
      part == 0
        ? "\(name):\(line): begins with part \(row[row.count - 2].debugDescription) of commit \(row[0]), so lines "
          + "before it are missing; \(Self.remedy)"
        : "\(name):\(line): follows part \(part) of \(count) of commit \(commit), so lines between them are missing; "
          + Self.remedy)
  }

  func end() throws(RegressionError) {
    guard part > 0 else { return }
    throw RegressionError(
      .malformed,
      "\(name):\(line): the last line is part \(part) of \(count) of commit \(commit), so the file was cut off after it; "
        + Self.remedy)
  }
}
