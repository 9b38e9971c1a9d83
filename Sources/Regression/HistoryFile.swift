// The history of a branch: a plain CSV file that is only ever appended to, one line for each figure of each commit. Lines
// stay as they are, so that a merge of two histories is their lines together.
import Analysis
import MetricModel
package import RecordModel
import ScenarioModel

/// One figure at one commit.
package struct HistoryEntry: Sendable, Equatable {
  package var commit: String
  /// What a value is one of a row of: all of it is the same along the row.
  package var series: HistorySeriesKey
  package var value: Double

  package init(commit: String, series: HistorySeriesKey, value: Double) {
    self.commit = commit
    self.series = series
    self.value = value
  }
}

package struct HistorySeriesKey: Hashable, Sendable {
  package var scenario: String
  package var cell: CellKey
  package var seed: UInt64
  package var figure: String
  /// Of noisy figures, the machine: those of another machine are another series. Empty for exact ones.
  package var machine: String

  package init(
    scenario: String, cell: CellKey, seed: UInt64, figure: String, machine: String
  ) {
    self.scenario = scenario
    self.cell = cell
    self.seed = seed
    self.figure = figure
    self.machine = machine
  }

  package var words: String {
    "\(scenario) · \(cell.words): \(figure)" + (machine.isEmpty ? "" : " on machine \(machine)")
  }

  var order: [String] {
    [scenario, cell.engine, cell.policy, cell.arm, String(seed), figure, machine]
  }
}

package enum HistoryFile {
  package static let folder = ".compaction-lab/history"
  package static let columns = [
    "commit", "scenario", "engine", "policy", "arm", "seed", "figure", "machine", "value",
  ]

  /// The file of a branch: letters, digits, points, dashes and underscores are kept, all else is `%` and two hexadecimal
  /// digits, so that no two branches have the same.
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

  /// The lines of runs made at a commit, without the header.
  package static func lines(_ runs: [MeasuredRun], commit: String) -> String {
    var line = CSVLine()
    for entry in entries(runs, commit: commit) {
      let key = entry.series
      for field in [
        entry.commit, key.scenario, key.cell.engine, key.cell.policy, key.cell.arm,
        String(key.seed), key.figure, key.machine, FigureValue.text(entry.value),
      ] { line.append(field) }
      line.endRow()
    }
    return line.text
  }

  package static func entries(_ runs: [MeasuredRun], commit: String) -> [HistoryEntry] {
    runs.flatMap { run in
      let isStepped = run.record.provenance.schedule == .stepped
      let machine = machine(run.record.provenance)
      return run.measured.flatMap { cell in
        SummaryMetric.allCases.compactMap { metric -> HistoryEntry? in
          let values = cell.repetitions.compactMap(metric.value).sorted()
          guard !values.isEmpty else { return nil }
          let isExact = metric.metric.comparison(isStepped: isStepped, seeds: 1) == .exact
          return HistoryEntry(
            commit: commit,
            series: HistorySeriesKey(
              scenario: run.record.scenario.name, cell: cell.key, seed: run.record.provenance.seed,
              figure: metric.column, machine: isExact ? "" : machine),
            value: values[(values.count - 1) / 2])
        }
      }
    }
  }

  /// Eight hexadecimal digits for what times hang on.
  private static func machine(_ provenance: Provenance) -> String {
    var digest = SampleDigest()
    for fact in Fingerprint(provenance).ofTimes { digest.feed("\(fact.name)=\(fact.value)\n".utf8) }
    return String(digest.hex.suffix(8))
  }

  package static func read(_ text: String, name: String) throws(RegressionError) -> [HistoryEntry] {
    let table: CSVTable
    do { table = try CSVTable(text, header: columns, name: name) } catch {
      throw RegressionError(.malformed, "\(error)")
    }
    var entries: [HistoryEntry] = []
    for (row, line) in zip(table.rows, table.lines) {
      guard let seed = UInt64(row[5]), let value = Double(row[8]), value.isFinite else {
        throw RegressionError(
          .malformed,
          "\(name):\(line): the seed or the value is no number; take the line out, or put it right")
      }
      if let text = row.first(where: { !$0.isEmpty && !Label.isValid($0) }) {
        throw RegressionError(
          .malformed,
          "\(name):\(line): \(text.debugDescription) is not \(Label.rule); take the line out")
      }
      entries.append(
        HistoryEntry(
          commit: row[0],
          series: HistorySeriesKey(
            scenario: row[1], cell: CellKey(engine: row[2], policy: row[3], arm: row[4]),
            seed: seed, figure: row[6], machine: row[7]), value: value))
    }
    return entries
  }
}
