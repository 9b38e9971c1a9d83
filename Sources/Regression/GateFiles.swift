// What a gate leaves for other programs: JSON of the comparison, JUnit XML, annotations of GitHub, and the format of
// github-action-benchmark.
package import Foundation
import MetricModel

extension GateOutcome {
  private struct File: Encodable {
    struct Finding: Encodable {
      var kind: String
      var place: String
      var figure: String
      var what: String
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
      var parting: CurveParting?
    }

    var format = 1
    var result: String
    var exitCode: Int32
    var figures: Int
    var cells: Int
    var scenarios: Int
    var findings: [Finding]
    var changes: [Change]
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
            kind: $0.kind.rawValue, place: $0.place, figure: $0.figure, what: $0.what,
            location: $0.location)
        },
        changes: exact.changes.map {
          File.Change(
            scenario: $0.scenario, engine: $0.key.cell.engine, policy: $0.key.cell.policy,
            arm: $0.key.cell.arm, seed: $0.key.seed, figure: $0.figure, base: $0.base,
            head: $0.head, allowance: $0.allowance.words, verdict: $0.verdict.rawValue,
            parting: $0.parting)
        }, timed: timed.map(\.figure), explanations: exact.explanations))
  }

  /// A test case for each finding, and one for all that is as it was.
  package var junit: String {
    let found = findings.filter { $0.kind != .inconclusive }
    let failing = found.filter { $0.kind != .improvement || result == .improvement }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuite name="compaction-lab gate" tests="\#(found.count + 1)" failures="\#(failing.count)" errors="0">"#,
      #"  <testcase classname="gate" name="\#(Self.escaped("\(exact.figures) exact figures compared"))"/>"#,
    ]
    for finding in found {
      let name = [finding.place, finding.figure].filter { !$0.isEmpty }.joined(separator: ": ")
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

  /// Workflow commands of GitHub: an error for each that fails, a notice for each that is better.
  package func annotations(most: Int = 10) -> [String] {
    findings.filter { $0.kind != .inconclusive }.prefix(most).map { finding in
      let level = finding.kind == .improvement ? "notice" : "error"
      let text = finding.sentence.replacing("%", with: "%25").replacing("\r", with: "%0D")
        .replacing("\n", with: "%0A")
      return "::\(level) title=compaction-lab \(finding.kind.rawValue)::\(text)"
    }
  }
}

/// The exact figures of runs in the format that github-action-benchmark calls `customSmallerIsBetter`: those of which
/// less is better.
package enum BenchmarkJSON {
  private struct Entry: Encodable {
    var name: String
    var unit: String
    var value: Double
    var extra: String
  }

  package static func json(_ runs: [MeasuredRun]) throws -> Data {
    let entries = runs.flatMap { run in
      run.cells.flatMap { cell in
        cell.figures.sorted { $0.key < $1.key }.compactMap { name, value -> Entry? in
          guard let metric = Metric.of(column: name), metric.polarity == .lowerIsBetter else {
            return nil
          }
          return Entry(
            name: "\(run.record.scenario.name) · \(cell.key.cell.words) · \(metric.title)",
            unit: metric.unit.rawValue, value: value, extra: "exact, seed \(cell.key.seed)")
        }
      }
    }
    return try JSONText.encode(entries)
  }
}
