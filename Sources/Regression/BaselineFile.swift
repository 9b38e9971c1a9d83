// A baseline as a file: CSV, sorted, one figure a line, so that version control shows which figure of which cell changed. It
// has no times, dates or paths: the same figures are the same bytes. The last line is a checksum of all others, which
// detects files that were cut off, edited or merged by hand.
import RecordModel
import ScenarioModel

package enum BaselineFile {
  package static let folder = ".compaction-lab/baselines"
  package static let ending = ".csv"
  package static let columns = ["engine", "policy", "arm", "seed", "figure", "value"]
  static let format = "2"
  /// The format of earlier versions, without a checksum; it is still read.
  static let uncheckedFormat = "1"

  /// What the names of files with regrets have after the scenario's; no scenario's name has a dot.
  private static let optimumSuffix = ".optimum"
  private static let kindName = "figures of"

  package static func name(of scenario: String, _ kind: BaselineKind = .runs) -> String {
    title(scenario, kind) + ending
  }

  /// The name without its ending: `tiny`, or `tiny.optimum`.
  package static func title(_ scenario: String, _ kind: BaselineKind) -> String {
    kind == .optimum ? scenario + optimumSuffix : scenario
  }

  /// Returns the scenario and the kind of a name without its ending.
  package static func parts(of title: String) -> (scenario: String, kind: BaselineKind) {
    title.hasSuffix(optimumSuffix)
      ? (String(title.dropLast(optimumSuffix.count)), .optimum) : (title, .runs)
  }

  /// The kind by the facts of a file; nil for none that is known.
  static func kind(_ facts: [String: String]) -> BaselineKind? {
    facts[kindName].map { BaselineKind(rawValue: $0) } ?? .runs
  }

  package static func text(_ baseline: Baseline) -> String {
    var line = CSVLine()
    func add(_ fields: [String]) {
      for field in fields { line.append(field) }
      line.endRow()
    }
    add(columns)
    func addFact(_ name: String, _ value: String) { add(["", "", "", "", name, value]) }
    addFact("baseline format", format)
    addFact("scenario", baseline.scenario)
    if baseline.kind != .runs { addFact(kindName, baseline.kind.rawValue) }
    addFact("scenario digest", baseline.digest)
    for fact in baseline.fingerprint.ofBytes { addFact("of bytes: \(fact.name)", fact.value) }
    for fact in baseline.fingerprint.ofTimes { addFact("of times: \(fact.name)", fact.value) }
    for cell in baseline.cells {
      let key = [
        cell.key.cell.engine, cell.key.cell.policy, cell.key.cell.arm, String(cell.key.seed),
      ]
      for (name, value) in cell.figures.sorted(by: { $0.key < $1.key }) {
        add(key + [name, FigureValue.text(value)])
      }
      if baseline.kind == .runs {
        add(key + ["curve", curveText(cell.curve)])
        add(key + ["curve digest", cell.curve.digest])
      }
      add(key + ["arm digest", cell.armDigest])
    }
    addFact(checkName, digest(line))
    return line.text
  }

  private static let checkName = "check"

  private static func digest(_ line: CSVLine) -> String {
    var digest = SampleDigest()
    digest.feed(line.bytes)
    return digest.hex
  }

  package static func read(_ text: String, name: String) throws(RegressionError) -> Baseline {
    let table: CSVTable
    do { table = try CSVTable(text, header: columns, name: name) } catch {
      throw RegressionError(.malformed, "\(error); save the baseline again")
    }
    var reader = BaselineReader(name: name)
    var lines = CSVLine()
    for field in columns { lines.append(field) }
    lines.endRow()
    for (row, line) in zip(table.rows, table.lines) {
      if row[0].isEmpty, row[4] == checkName {
        try reader.takeCheck(row[5], of: digest(lines), line)
      } else {
        try reader.add(row, line)
      }
      for field in row { lines.append(field) }
      lines.endRow()
    }
    return try reader.baseline()
  }

  private static func curveText(_ curve: CurveSignature) -> String {
    let hashes = curve.hashes.map { hash in
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\(curve.stride):" + hashes.joined()
  }
}

/// Figures as text in files: whole numbers without a decimal point, all others so that they read back unchanged.
package enum FigureValue {
  package static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 0x1p53 ? String(Int(value)) : "\(value)"
  }
}
