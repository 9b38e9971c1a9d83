// Regrets in baselines, histories and the gate: to the last unit, and never a pass by default.
import Foundation
import LaunchSchedules
import MetricModel
import Objective
import RecordFixtures
import RecordModel
import Regression
import Testing

@Suite("Regrets in the gate")
struct RegretTests {
  private static let good = OptimumFixture.Outcome(
    "good", [100, 100, 100, 100], rewritten: [40, 40, 40])
  /// 132 in place of 120: exactly 10 % more.
  private static let edge = OptimumFixture.Outcome(
    "edge", [100, 112, 100, 100], rewritten: [40, 40, 40])
  private static let bad = OptimumFixture.Outcome(
    "bad", [100, 200, 100, 100], rewritten: [0, 40, 40])

  private static func optimum(
    _ cells: [OptimumCell], policies: [String] = ["good", "edge", "bad"]
  ) -> MeasuredOptimum {
    MeasuredOptimum(
      record: OptimumFixture.record(cells, policies: policies), folder: "Reports/small-optimum")
  }

  private static func checked(
    _ limit: String, _ cells: [OptimumCell], policies: [String] = [],
    names: [String] = ["good", "edge", "bad"], isPartial: Bool = false
  ) throws -> GateOutcome {
    var outcome = GateOutcome(exact: ExactFindings(), allowsPartial: isPartial)
    try RegretCheck(try #require(RegretLimit(limit)), policies: policies)
      .check([optimum(cells, policies: names)], into: &outcome)
    return outcome
  }

  @Test("a share is read with its percent sign, and nothing else is a limit")
  func limits() {
    #expect(RegretLimit("10 %")?.text == "10 %" && RegretLimit("2.50%")?.text == "2.50 %")
    for wrong in ["10", "", "%", "-1 %", "1e3 %", ".5 %", "1..2 %", "ten %", "12345678901 %"] {
      #expect(RegretLimit(wrong) == nil, "\(wrong)")
    }
  }

  @Test("a policy exactly at the limit is within it, and one unit more is not")
  func exact() throws {
    let limit = try #require(RegretLimit("0.1 %"))
    // Larger than what Double has exactly, as real costs are.
    let optimum = Cost(units: 1000 * (Int128(1) << 100))
    #expect(limit.allows(Cost(units: Int128(1) << 100), above: optimum))
    #expect(!limit.allows(Cost(units: (Int128(1) << 100) + 1), above: optimum))
    #expect(limit.allows(.zero, above: .zero) && !limit.allows(Cost(units: 1), above: .zero))
    #expect(limit.allows(Cost(units: -5), above: Cost(units: -9)))
    #expect(!limit.allows(Cost(units: 1), above: Cost(units: -9)))
  }

  @Test("a policy above the limit is a regression with its costliest decision, others pass")
  func regression() throws {
    let cell = OptimumFixture.cell([Self.good, Self.edge, Self.bad])
    let outcome = try Self.checked("10 %", [cell])
    #expect(outcome.result == .regression)
    #expect(outcome.regrets.map(\.isWithin) == [true, true, false])
    // 100 MB of waste and 80 MB rewritten, in place of 120.
    #expect(outcome.regrets.map(\.regret) == [0, 0.1, 0.5])
    #expect(outcome.regrets.map(\.pointsText) == ["0", "0.012", "0.06"])
    #expect(outcome.headline == "regression: 1 of 3 regrets.")
    #expect(
      outcome.findings.map(\.sentence) == [
        "small · native · bad · usual: regret 50.0 %, at most 10 %; the costliest decision: did not compact at launch 2"
          + " (totalBytes 200 MB)"
      ])
    #expect(try Self.checked("9.99 %", [cell], policies: ["edge"]).result == .regression)
    let within = try Self.checked("10 %", [cell], policies: ["good", "edge"])
    #expect(within.result == .pass && within.headline == "pass: all 2 regrets are at most 10 %.")
    let json = String(decoding: try outcome.json(), as: UTF8.self)
    #expect(json.contains("\"isWithin\" : false") && json.contains("\"points\" : 0.012"))
    #expect(outcome.junit.contains("regret 50.0 %, at most 10 %"))
  }

  @Test("where the optimum costs nothing, any difference is above the limit")
  func zeroOptimum() throws {
    let free = OptimumFixture.Outcome("good", [100, 100, 100, 100], rewritten: [0, 0, 0])
    let costly = OptimumFixture.Outcome("edge", [100, 101, 100, 100], rewritten: [0, 0, 0])
    // Without rewriting, compacting is free.
    let cell = OptimumFixture.cell(rewriting: 0, [free, costly])
    let outcome = try Self.checked("500 %", [cell], names: ["good", "edge"])
    #expect(outcome.regrets.map(\.regret) == [nil, nil])
    #expect(outcome.regrets.map(\.isWithin) == [true, false])
    #expect(
      outcome.findings.first?.change == "0.001 points above an optimum that costs nothing")
  }

  @Test("no optimum, an unknown policy, and nothing to compare are errors and never a pass")
  func errors() throws {
    let absent = OptimumCell(engine: "lmdb", arm: "usual", absence: "not on this machine")
    let cell = OptimumFixture.cell([Self.good])
    func message(_ body: () throws -> GateOutcome) -> String {
      do { return "no error: \(try body().headline)" } catch { return "\(error)" }
    }
    var outcome = GateOutcome(exact: ExactFindings())
    #expect(throws: RegressionError.self) {
      try RegretCheck(try #require(RegretLimit("1 %"))).check([], into: &outcome)
    }
    #expect(
      message { try Self.checked("1 %", [cell], policies: ["god"]) }
        == "Reports/small-optimum: has no policy \"god\"; it has: good, edge, bad")
    #expect(
      message { try Self.checked("1 %", [absent], names: ["good"], isPartial: true) }.contains(
        "small · lmdb · good · usual has no optimum: not on this machine"))
    // Beside another engine it is unmeasured, which only --partial allows.
    let both = try Self.checked("1 %", [cell, absent], names: ["good"])
    #expect(both.result == .unmeasured)
    #expect(
      try Self.checked("1 %", [cell, absent], names: ["good"], isPartial: true).result == .pass)
    let unknown = OptimumFixture.Outcome("good", [100, 100, 100, 100], rewritten: [nil, nil, nil])
    #expect(
      message { try Self.checked("1 %", [OptimumFixture.cell([unknown])], names: ["good"]) }
        .contains("does not report what its compactions write again"))
  }

  @Test("a policy that exceeds a limit of the objective fails, however little it costs")
  func exceeded() throws {
    let cell = OptimumFixture.cell([Self.good, Self.bad])
    var record = OptimumFixture.record([cell], policies: ["good", "bad"])
    var objective = Objective()
    objective.limits.maxSize = ByteCount(150_000_000)
    record.scenario.objective = objective
    var outcome = GateOutcome(exact: ExactFindings())
    try RegretCheck(try #require(RegretLimit("1000 %"))).check(
      [MeasuredOptimum(record: record, folder: "f")], into: &outcome)
    #expect(outcome.regrets.map(\.isWithin) == [true, false])
    #expect(outcome.findings.first?.change == "exceeds: size 200 MB, at most 150 MB")
  }

  @Test("where the optimum is not known, more than some schedule is a finding, less is unmeasured")
  func someSchedules() throws {
    var cell = OptimumFixture.cell([Self.good, Self.bad])
    // Not every schedule was run, and predictions fail.
    let difference = RowDifference(
      policy: "p", schedule: [2], launch: 3, phase: "work", commit: 1, column: "file_bytes",
      predicted: "1", measured: "2")
    cell.renewal?.difference = difference
    cell.renewal?.pricedDifference = difference
    // The run at every launch wrote more than the launch matrix predicts.
    cell.runs[4].launches[2].rewritten = ByteCount(50_000_000)
    let outcome = try Self.checked("10 %", [cell], names: ["good", "bad"])
    guard outcome.exact.unmeasured.count == 1 else {
      Issue.record("\(outcome.exact.unmeasured) \(outcome.regrets)")
      return
    }
    #expect(outcome.regrets.map(\.key.cell.policy) == ["bad"])
    #expect(outcome.exact.unmeasured[0].reason.contains("not every schedule was run"))
  }

  @Test("a baseline of regrets reads back, and a change of the last digit is a finding")
  func baseline() throws {
    let cell = OptimumFixture.cell([Self.good, Self.edge])
    let names = ["good", "edge"]
    let base = try MeasuredScenario.optima([Self.optimum([cell], policies: names)]).baseline()
    #expect(base.kind == .optimum)
    #expect(BaselineFile.name(of: "small", .optimum) == "small.optimum.csv")
    #expect(BaselineFile.parts(of: "small.optimum") == ("small", .optimum))
    let text = BaselineFile.text(base)
    #expect(try BaselineFile.read(text, name: "b") == base)
    #expect(text.contains("native,edge,usual,1,regret,0.1\r\n"))
    #expect(text.contains("native,edge,usual,1,regret_points,0.012\r\n"))
    let other = OptimumFixture.Outcome("edge", [100, 112, 101, 100], rewritten: [40, 40, 40])
    let head = MeasuredScenario.optima([
      Self.optimum([OptimumFixture.cell([Self.good, other])], policies: names)
    ])
    var findings = ExactFindings()
    try BaselineComparison().compare(head, with: base, into: &findings)
    #expect(findings.changes.map(\.figure) == ["regret", "regret_points"])
    #expect(findings.changes(.worse).count == 2 && findings.scenarios == 1)
    let same = MeasuredScenario.optima([Self.optimum([cell], policies: names)])
    var equal = ExactFindings()
    try BaselineComparison().compare(same, with: base, into: &equal)
    #expect(equal.changes.isEmpty && equal.figures == 4)
    // A threshold allows it as any other figure's.
    let rules = try Thresholds(
      parsing: "metric regret allow 20 %\nmetric regret_points any\n", name: "t")
    var allowed = ExactFindings()
    try BaselineComparison(thresholds: rules).compare(head, with: base, into: &allowed)
    #expect(allowed.changes(.allowed).count == 2)
  }

  @Test("another objective has another baseline, and an optimum that became free is still compared")
  func changedObjective() throws {
    let base = try MeasuredScenario.optima([
      Self.optimum([OptimumFixture.cell([Self.good])], policies: ["good"])
    ]).baseline()
    var record = OptimumFixture.record([OptimumFixture.cell([Self.good])], policies: ["good"])
    record.scenario.objective = Objective(try Prices(space: 1, rewritten: 1))
    var findings = ExactFindings()
    try BaselineComparison().compare(
      .optima([MeasuredOptimum(record: record, folder: "f")]), with: base, into: &findings)
    #expect(findings.missing.first?.reason.contains("objective changed") == true)
    let free = OptimumFixture.Outcome("good", [100, 101, 100, 100], rewritten: [0, 0, 0])
    var compared = ExactFindings()
    try BaselineComparison().compare(
      .optima([Self.optimum([OptimumFixture.cell(rewriting: 0, [free])], policies: ["good"])]),
      with: base, into: &compared)
    #expect(compared.changes.map(\.figure) == ["regret_points"])
    #expect(compared.unmeasured.isEmpty && compared.missing.isEmpty)
  }

  @Test("a history has the regrets of each commit, and finds the one that made a policy bad")
  func history() throws {
    func entries(_ commit: String, _ outcome: OptimumFixture.Outcome) -> [HistoryEntry] {
      HistoryFile.entries(
        [.optima([Self.optimum([OptimumFixture.cell([outcome])], policies: ["good"])])],
        commit: commit)
    }
    let worse = OptimumFixture.Outcome("good", [100, 120, 100, 100], rewritten: [40, 40, 40])
    let all = [entries("a", Self.good), entries("b", Self.good), entries("c", worse)]
    let text = HistoryFile.header + all.map(HistoryFile.lines).joined()
    let read = try HistoryFile.read(text, name: "h")
    #expect(read == all.flatMap(\.self))
    let changes = HistoryDetection().changes(read)
    #expect(Set(changes.map(\.commit)) == ["c"] && changes.allSatisfy { $0.isWorse == true })
    #expect(changes.map(\.series.figure).sorted() == ["regret", "regret_points"])
  }
}
