// Reads a baseline line by line; errors name the line.
import RecordModel
import ScenarioModel

/// Collects the lines of a file.
struct BaselineReader {
  let name: String
  var facts: [String: String] = [:]
  var ofBytes: [Fingerprint.Fact] = []
  var ofTimes: [Fingerprint.Fact] = []
  var cells: [BaselineKey: BaselineCell] = [:]
  var hasCheck = false

  func wrong(_ line: Int, _ what: String) -> RegressionError {
    RegressionError(
      .malformed,
      "\(name):\(line): \(what); restore the file from version control, or save the baseline again")
  }

  mutating func takeCheck(
    _ check: String, of lines: String, _ line: Int
  ) throws(RegressionError) {
    try checkFormat()
    guard check == lines else {
      throw wrong(
        line, "the file was changed since it was saved: lines were edited, added or removed")
    }
    hasCheck = true
  }

  mutating func add(_ row: [String], _ line: Int) throws(RegressionError) {
    guard !hasCheck else { throw wrong(line, "follows the check, which is the last line") }
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
    if let name = (row[0..<3] + row[4..<5]).first(where: { !Label.isValid($0) }) {
      throw wrong(
        line, "\(name.debugDescription) is not the name of an engine, policy, arm or figure")
    }
    guard let seed = UInt64(row[3]) else { throw wrong(line, "\"\(row[3])\" is not a seed") }
    let key = BaselineKey(
      cell: CellKey(engine: row[0], policy: row[1], arm: row[2]), seed: seed)
    var cell =
      cells[key]
      ?? BaselineCell(
        key: key, figures: [:], curve: .none, armDigest: "")
    switch figure {
    case "curve digest": cell.curve.digest = value
    case "arm digest": cell.armDigest = value
    case "curve": try readCurve(value, line, &cell.curve)
    default:
      guard let number = Double(value), number.isFinite else {
        throw wrong(line, "\"\(value)\" is not a number")
      }
      guard cell.figures.updateValue(number, forKey: figure) == nil else {
        throw wrong(line, "\(figure) occurs twice")
      }
    }
    cells[key] = cell
  }

  private func readCurve(
    _ text: String, _ line: Int, _ curve: inout CurveSignature
  ) throws(RegressionError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let stride = Int(parts[0]), stride > 0,
      parts[1].utf8.count.isMultiple(of: 4)
    else { throw wrong(line, "the curve is cut off") }
    curve.stride = stride
    var rest = parts[1]
    while !rest.isEmpty {
      guard let hash = UInt16(rest.prefix(4), radix: 16) else {
        throw wrong(line, "the curve has characters that are not hexadecimal digits")
      }
      curve.hashes.append(hash)
      rest = rest.dropFirst(4)
    }
  }

  private func checkFormat() throws(RegressionError) {
    let format = facts["baseline format"]
    guard format == BaselineFile.format || format == BaselineFile.uncheckedFormat else {
      throw RegressionError(
        .malformed,
        "\(name): baseline format \(format ?? "unknown"); this program reads formats "
          + "\(BaselineFile.uncheckedFormat) and \(BaselineFile.format). Save the baseline again")
    }
  }

  func baseline() throws(RegressionError) -> Baseline {
    try checkFormat()
    guard hasCheck || facts["baseline format"] == BaselineFile.uncheckedFormat else {
      throw RegressionError(
        .malformed,
        "\(name): its last line, the check, is missing, so the file is cut off; restore it from version control, or "
          + "save the baseline again")
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
    guard let kind = BaselineFile.kind(facts) else {
      throw RegressionError(
        .malformed, "\(name): has figures of an unknown kind; save the baseline again")
    }
    let isCutOff = { (cell: BaselineCell) in
      cell.armDigest.isEmpty || kind == .runs && cell.curve.digest.isEmpty
    }
    if let cell = cells.values.first(where: isCutOff) {
      throw RegressionError(
        .malformed,
        "\(name): \(cell.key.cell.words) is cut off; save the baseline again")
    }
    var baseline = Baseline(
      scenario: scenario, digest: digest,
      fingerprint: Fingerprint(ofBytes: ofBytes, ofTimes: ofTimes), cells: Array(cells.values),
      kind: kind)
    baseline.isChecked = hasCheck
    return baseline
  }
}
