// The files that a gate writes for other programs: JSON of the comparison, JUnit XML, annotations of GitHub, and the format of
// github-action-benchmark.
package import Foundation
import MetricModel

extension GateOutcome {
  private struct File: Encodable {
    struct Finding: Encodable {
      var kind: String
      var cell: String
      var figure: String
      var change: String
      var location: String
    }

    struct Change: Encodable {
      var scenario: String
      var engine: String
      var policy: String
      var arm: String
      var seed: UInt64
      var figure: String
      var base: Double
      var head: Double
      var allowance: String
      var verdict: String
      var divergence: CurveDivergence?
    }

    struct Regret: Encodable {
      var scenario: String
      var engine: String
      var policy: String
      var arm: String
      var seed: UInt64
      var regret: Double?
      var points: Double
      var limit: String
      var isWithin: Bool
      var exceeded: [String]
    }

    /// Raised to 2 when `place`, `what`, `parting` and `call` became `cell`, `change`, `divergence` and `verdict`.
    var format = 2
    var result: String
    var exitCode: Int32
    var figures: Int
    var cells: Int
    var scenarios: Int
    var findings: [Finding]
    var changes: [Change]
    var regrets: [Regret]
    var timed: [TimedComparison.Figure]
    var explanations: [String]
  }

  /// The whole comparison, allowed changes too.
  package func json() throws -> Data {
    try JSONText.encode(
      File(
        result: "\(result)", exitCode: result.rawValue, figures: exact.figures,
        cells: exact.cells, scenarios: exact.scenarios,
        findings: findings.map {
          File.Finding(
            kind: $0.kind.rawValue, cell: $0.cell, figure: $0.figure, change: $0.change,
            location: $0.location)
        },
        changes: exact.changes.map {
          File.Change(
            scenario: $0.scenario, engine: $0.key.cell.engine, policy: $0.key.cell.policy,
            arm: $0.key.cell.arm, seed: $0.key.seed, figure: $0.figure, base: $0.base,
            head: $0.head, allowance: $0.allowance.words, verdict: $0.verdict.rawValue,
            divergence: $0.divergence)
        },
        regrets: regrets.map {
          File.Regret(
            scenario: $0.scenario, engine: $0.key.cell.engine, policy: $0.key.cell.policy,
            arm: $0.key.cell.arm, seed: $0.key.seed, regret: $0.regret, points: $0.points,
            limit: $0.limit, isWithin: $0.isWithin, exceeded: $0.exceeded)
        }, timed: timed.map(\.figure), explanations: exact.explanations))
  }

  /// A test case for each finding, and one for all figures that are unchanged.
  package var junit: String {
    let found = findings.filter { $0.kind != .inconclusive }
    let failing = found.filter { $0.kind != .improvement || result == .improvement }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuite name="compaction-lab gate" tests="\#(found.count + 1)" failures="\#(failing.count)" errors="0">"#,
      #"  <testcase classname="gate" name="\#(Self.escaped("\(exact.figures) exact figures compared"))"/>"#,
    ]
    for finding in found {
      let name = [finding.cell, finding.figure].filter { !$0.isEmpty }.joined(separator: ": ")
      let title = Self.escaped(name.isEmpty ? finding.kind.rawValue : name)
      guard failing.contains(finding) else {
        lines.append(#"  <testcase classname="gate" name="\#(title)"/>"#)
        continue
      }
      lines += [
        #"  <testcase classname="gate" name="\#(title)">"#,
        #"    <failure type="\#(finding.kind.rawValue)" message="\#(Self.escaped(finding.sentence))"/>"#,
        "  </testcase>",
      ]
    }
    return (lines + ["</testsuite>"]).joined(separator: "\n") + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("\n", with: "&#10;")
  }

  /// Workflow commands of GitHub: an error for each regression, a notice for each improvement.
  package func annotations(maxCount: Int = 10) -> [String] {
    findings.filter { $0.kind != .inconclusive }.prefix(maxCount).map { finding in
      let level = finding.kind == .improvement ? "notice" : "error"
      let text = finding.sentence.replacing("%", with: "%25").replacing("\r", with: "%0D")
        .replacing("\n", with: "%0A")
      return "::\(level) title=compaction-lab \(finding.kind.rawValue)::\(text)"
    }
  }
}

/// The exact figures of runs, those of which less is better, in github-action-benchmark's format `customSmallerIsBetter`.
package enum BenchmarkJSON {
  private struct Entry: Encodable {
    var name: String
    var unit: String
    var value: Double
    var extra: String
  }

  package static func json(_ measured: [MeasuredScenario]) throws -> Data {
    let entries = measured.flatMap { scenario in
      (scenario.runs.flatMap(\.cells) + scenario.optima.flatMap(\.cells)).flatMap { cell in
        cell.figures.sorted { $0.key < $1.key }.compactMap { name, value -> Entry? in
          guard let metric = Metric.stored(name), metric.polarity == .lowerIsBetter else {
            return nil
          }
          return Entry(
            name: "\(scenario.name) · \(cell.key.cell.words) · \(metric.title)",
            unit: metric.unit.rawValue, value: value, extra: "exact, seed \(cell.key.seed)")
        }
      }
    }
    return try JSONText.encode(entries)
  }
}
