// One exit code for all that was compared, and what is said of it.
import Analysis
import Foundation
import Generators
import MetricModel
import RecordModel
import Regression
import Testing

@Suite("Outcomes of the gate")
struct GateOutcomeTests {
  private static func runs(
    seeds: Int, _ figure: (UInt64) -> Int
  ) throws -> [MeasuredRun] {
    var run = try BaselineTests.run()
    run.record.cells = [run.record.cells[0]]
    return (1...UInt64(seeds)).map { seed in
      var one = run
      one.record.provenance.seed = seed
      for index in one.record.cells[0].repetitions.indices {
        one.record.cells[0].repetitions[index].exact.final = ByteCount(figure(seed))
      }
      return one
    }
  }

  private static func compared(
    seeds: Int, thresholds: String = "", _ head: (UInt64, Int) -> Int
  ) throws -> GateOutcome {
    func base(_ seed: UInt64) -> Int { 1_000_000 + 997 * Int(seed) }
    var findings = ExactFindings()
    let rules = try Thresholds(parsing: thresholds, name: "t")
    try BaselineComparison(thresholds: rules).compare(
      try runs(seeds: seeds) { head($0, base($0)) },
      with: try Baseline(try runs(seeds: seeds, base)), into: &findings)
    return GateOutcome(exact: findings)
  }

  @Test("over many seeds a shift of most is a regression; differences in both directions are not")
  func seedVarying() throws {
    #expect(try Self.compared(seeds: 20) { $1 }.result == .pass)
    let shifted = try Self.compared(seeds: 20) { $1 + 900 + 10 * Int($0) }
    #expect(shifted.result == .regression)
    #expect(shifted.findings.first?.figure == "final_bytes")
    #expect(shifted.findings.first?.change.contains("over 20 seeds 1.001 × base") == true)
    let less = try Self.compared(seeds: 20) { $1 - 900 - 10 * Int($0) }
    #expect(less.result == .improvement)
    let bothWays = try Self.compared(seeds: 20) {
      $1 + ($0.isMultiple(of: 2) ? 1000 : -1000) + Int($0)
    }
    #expect(bothWays.result == .pass)
    #expect(bothWays.findings.contains { $0.kind == .inconclusive })
    let allowed = try Self.compared(seeds: 20, thresholds: "metric * allow 1 %") {
      $1 + 900 + 10 * Int($0)
    }
    #expect(allowed.result == .pass)
    // Few seeds prove nothing by ranks, so each is compared to the byte.
    #expect(try Self.compared(seeds: 5) { $1 + ($0 == 3 ? 1 : 0) }.result == .regression)
  }

  /// - Parameter format: 1 names the verdict `call` and the A/A check `certificate`.
  private static func comparison(
    _ verdict: String, low: Double, high: Double, format: Int = 2
  ) throws -> TimedComparison {
    let (verdictKey, checkKey) =
      format == 1 ? ("call", "certificate") : ("verdict", "aaCheck")
    let figure = """
      {"name":"wall_ns","unit":"ns","better":"lower","\(verdictKey)":"\(verdict)","base":100,"head":110,
      "ratio":1.1,"low":\(low),"high":\(high),"pValue":0.001,"pValueBySignFlips":0.001,
      "rankBiserial":1,"cliffsDelta":1,"smallestEffect":0.05}
      """
    let control = figure.replacing(verdict, with: "equivalent").replacing(
      "\"low\":\(low),\"high\":\(high)", with: "\"low\":0.98,\"high\":1.02")
    return try TimedComparison(
      json: Data(
        """
        {"format":\(format),"base":"a","head":"b","machine":{"cores":"2"},"tolerance":0.03,"blocks":30,
        "isEnvironmentValid":true,"figures":[\(figure)],"\(checkKey)":[\(control)],
        "exactFigures":0,"exactDifferences":[]}
        """.utf8), name: "c.json")
  }

  private static func timed(
    _ comparison: TimedComparison, _ thresholds: String = "", cores: String = "2"
  ) throws -> GateOutcome {
    var outcome = GateOutcome(exact: ExactFindings())
    outcome.add(
      comparison, machine: ["cores": cores],
      thresholds: try Thresholds(parsing: thresholds, name: "t"), name: "c.json")
    return outcome
  }

  @Test("a time that regressed fails, unless a threshold or the noise floor allows it")
  func times() throws {
    let worse = try Self.comparison("regressed", low: 1.08, high: 1.12)
    #expect(try Self.timed(worse).result == .regression)
    #expect(try Self.timed(worse, "metric wall_ns allow 9 %").result == .pass)
    #expect(try Self.timed(worse, "metric wall_ns allow 7 %").result == .regression)
    // The A/A check deviates by 2.04 %: four times that is 8.2 %.
    #expect(try Self.timed(worse, "metric wall_ns noise 4").result == .pass)
    #expect(try Self.timed(worse, "metric wall_ns noise 3").result == .regression)
    #expect(
      try Self.timed(Self.comparison("improved", low: 0.8, high: 0.9)).result
        == .improvement)
    let inconclusive = try Self.timed(Self.comparison("inconclusive", low: 0.9, high: 1.2))
    #expect(inconclusive.result == .pass)
    #expect(inconclusive.terminalText().contains("5.0 % would have been detected"))
    #expect(try Self.timed(worse, cores: "64").result == .environmentInvalid)
  }

  @Test("a comparison of format 1, with its older names, reads as one of today")
  func earlierFormat() throws {
    let (low, high) = (1.08, 1.12)
    var earlier = try Self.comparison("regressed", low: low, high: high, format: 1)
    #expect(earlier.figures[0].verdict == "regressed")
    earlier.format = TimedComparison.currentFormat
    let current = try Self.comparison("regressed", low: low, high: high)
    #expect(earlier == current)
    #expect(try TimedComparison(json: current.json(), name: "c.json") == current)
    #expect(throws: RegressionError.self) {
      try Self.comparison("regressed", low: low, high: high, format: 3)
    }
  }

  @Test("of several results the most severe one is the exit code")
  func order() throws {
    var findings = ExactFindings()
    findings.missing = [Uncompared(scenario: "a", cell: nil, reason: "none")]
    var outcome = GateOutcome(exact: findings, invalid: ["noise"])
    #expect(outcome.result == .baselineMissing)
    outcome.exact.unmeasured = [Uncompared(scenario: "b", cell: nil, reason: "not run")]
    #expect(outcome.result == .unmeasured)
    outcome.allowsPartial = true
    outcome.exact.missing = []
    #expect(outcome.result == .environmentInvalid)
    #expect(GateResult.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
  }

  @Test("JUnit and annotations stay well formed whatever a name holds")
  func escaped() throws {
    var findings = ExactFindings()
    findings.missing = [
      Uncompared(scenario: "a", cell: nil, reason: "50 % of <x> & \"y\"\nsecond line")
    ]
    let outcome = GateOutcome(exact: findings)
    let parser = XMLShape(outcome.junit)
    #expect(parser.isWellFormed, "\(outcome.junit)")
    #expect(parser.elements == ["testsuite", "testcase", "testcase", "failure"])
    #expect(outcome.annotations().count == 1)
    #expect(outcome.annotations()[0].contains("50 %25 of <x> & \"y\"%0Asecond line"))
    #expect(!outcome.annotations()[0].contains("\n"))
  }
}

/// Whether elements are closed in the order in which they were opened, and no character stands bare that may not.
private struct XMLShape {
  var elements: [String] = []
  var isWellFormed = true

  init(_ text: String) {
    var open: [String] = []
    for match in text.matches(of: #/<(\/?)([\w?]+)((?:\s+[\w]+="[^"<]*")*)\s*(\/|\?)?>/#) {
      let name = String(match.2)
      if name.hasPrefix("?") { continue }
      if match.1 == "/" {
        isWellFormed = isWellFormed && open.popLast() == name
      } else {
        elements.append(name)
        if match.4 == nil { open.append(name) }
      }
    }
    let rest = text.replacing(#/<[^<>]*>/#, with: "")
    let hasBare = text.matches(of: #/&(?!amp;|lt;|gt;|quot;|#10;)/#).count > 0
    isWellFormed = isWellFormed && open.isEmpty && !rest.contains("<") && !hasBare
  }
}
