// A baseline as a file: CSV, sorted, one figure a line, so that version control shows which figure of which cell became
// another. No time, no date and no path is in it: the same figures are the same bytes.
import RecordModel
import ScenarioModel

package enum BaselineFile {
  package static let folder = ".compaction-lab/baselines"
  package static let ending = ".csv"
  package static let columns = ["engine", "policy", "arm", "seed", "figure", "value"]
  private static let format = "1"

  package static func name(of scenario: String) -> String { scenario + ending }

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
      add(key + ["curve", curveText(cell.curve)])
      add(key + ["curve digest", cell.curve.digest])
      add(key + ["arm digest", cell.armDigest])
    }
    return line.text
  }

  package static func read(_ text: String, name: String) throws(RegressionError) -> Baseline {
    let table: CSVTable
    do { table = try CSVTable(text, header: columns, name: name) } catch {
      throw RegressionError(.malformed, "\(error); save the baseline again")
    }
    var reader = Reader(name: name)
    for (row, line) in zip(table.rows, table.lines) { try reader.add(row, line) }
    return try reader.baseline()
  }

  private static func curveText(_ curve: CurveTrace) -> String {
    let hashes = curve.hashes.map { hash in
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\(curve.stride):" + hashes.joined()
  }

  /// Puts the lines of a file together.
  private struct Reader {
    let name: String
    var facts: [String: String] = [:]
    var ofBytes: [Fingerprint.Fact] = []
    var ofTimes: [Fingerprint.Fact] = []
    var cells: [BaselineKey: BaselineCell] = [:]

    func wrong(_ line: Int, _ what: String) -> RegressionError {
      RegressionError(.malformed, "\(name):\(line): \(what); save the baseline again")
    }

    mutating func add(_ row: [String], _ line: Int) throws(RegressionError) {
      let (figure, value) = (row[4], row[5])
      guard !row[0].isEmpty else {
        if figure.hasPrefix("of bytes: ") {
          ofBytes.append(Fingerprint.Fact(String(figure.dropFirst(10)), value))
        } else if figure.hasPrefix("of times: ") {
          ofTimes.append(Fingerprint.Fact(String(figure.dropFirst(10)), value))
        } else {
          facts[figure] = value
        }
        return
      }
      if let name = row[0..<3].first(where: { !Label.isValid($0) }) {
        throw wrong(line, "\(name.debugDescription) is no name of an engine, policy or arm")
      }
      guard let seed = UInt64(row[3]) else { throw wrong(line, "\"\(row[3])\" is no seed") }
      let key = BaselineKey(
        cell: CellKey(engine: row[0], policy: row[1], arm: row[2]), seed: seed)
      var cell =
        cells[key]
        ?? BaselineCell(
          key: key, figures: [:], curve: CurveTrace(stride: 1, hashes: [], digest: ""),
          armDigest: "")
      switch figure {
      case "curve digest": cell.curve.digest = value
      case "arm digest": cell.armDigest = value
      case "curve": try readCurve(value, line, &cell.curve)
      default:
        guard let number = Double(value), number.isFinite else {
          throw wrong(line, "\"\(value)\" is no number")
        }
        guard cell.figures.updateValue(number, forKey: figure) == nil else {
          throw wrong(line, "\(figure) is there twice")
        }
      }
      cells[key] = cell
    }

    private func readCurve(
      _ text: String, _ line: Int, _ curve: inout CurveTrace
    ) throws(RegressionError) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let stride = Int(parts[0]), stride > 0,
        parts[1].utf8.count.isMultiple(of: 4)
      else { throw wrong(line, "the curve is cut off") }
      curve.stride = stride
      var rest = parts[1]
      while !rest.isEmpty {
        guard let hash = UInt16(rest.prefix(4), radix: 16) else {
          throw wrong(line, "the curve has other than hexadecimal digits")
        }
        curve.hashes.append(hash)
        rest = rest.dropFirst(4)
      }
    }

    func baseline() throws(RegressionError) -> Baseline {
      guard facts["baseline format"] == BaselineFile.format else {
        throw RegressionError(
          .malformed,
          "\(name): baseline format \(facts["baseline format"] ?? "unknown"); this program reads "
            + "format \(BaselineFile.format). Save the baseline again")
      }
      guard let scenario = facts["scenario"], let digest = facts["scenario digest"] else {
        throw RegressionError(.malformed, "\(name): names no scenario; save the baseline again")
      }
      guard ScenarioName.isValidInRecord(scenario) else {
        throw RegressionError(
          .malformed,
          "\(name): \(scenario.debugDescription) is no name of a scenario: \(ScenarioName.rule); "
            + "save the baseline again")
      }
      if let cell = cells.values.first(where: { $0.curve.digest.isEmpty || $0.armDigest.isEmpty }) {
        throw RegressionError(
          .malformed,
          "\(name): \(cell.key.cell.words) is cut off; save the baseline again")
      }
      return Baseline(
        scenario: scenario, digest: digest,
        fingerprint: Fingerprint(ofBytes: ofBytes, ofTimes: ofTimes), cells: Array(cells.values))
    }
  }
}

/// Figures as they stand in files: whole numbers without a point, all others so that they read back as the same number.
package enum FigureValue {
  package static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 0x1p53 ? String(Int(value)) : "\(value)"
  }
}
