// The expectations of the scenario, and whether they held.
import Analysis
import MetricModel
import RecordModel
import ScenarioModel

struct ExpectationSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    guard !analysis.expectations.isEmpty else { return [] }
    let counts = ExpectationCounts(analysis)
    return [
      "## Expectations", counts.sentence,
      MarkdownFold.text(
        "Each expectation with its evidence",
        ["A row that held shows the evidence of its first cell.", table] + pictures,
        isOpen: counts.failed > 0),
    ]
  }

  private var table: String {
    var table = MarkdownTable([
      ("expectation", .left), ("scope", .left), ("result", .left), ("evidence", .left),
    ])
    for (index, expectation) in analysis.record.scenario.expectations.enumerated() {
      let outcomes = analysis.expectations.filter { $0.index == index }
      var held: [(CellKey, String)] = []
      var notes: [String: [CellKey]] = [:]
      for outcome in outcomes {
        switch outcome.result {
        case .held(let evidence): held.append((outcome.cell, evidence))
        case .failed(let evidence):
          table.add([
            "\(expectation.text.asCode)", expectation.scopeText.asMarkdown, "**failed**",
            "\(name(outcome.cell)): \(evidence.asMarkdown)",
          ])
        case .notApplicable(let reason): notes[reason, default: []].append(outcome.cell)
        }
      }
      if let (cell, evidence) = held.first {
        let cells = held.count == 1 ? "held" : "held in \(counted(held.count, "cell"))"
        table.add([
          "\(expectation.text.asCode)", expectation.scopeText.asMarkdown, cells,
          "\(name(cell)): \(evidence.asMarkdown)",
        ])
      }
      for (reason, cells) in notes.sorted(by: { $0.key < $1.key }) {
        let names = cells.map(name).joined(separator: "; ")
        table.add([
          "\(expectation.text.asCode)", expectation.scopeText.asMarkdown, "n/a",
          "\(names): \(reason.asMarkdown)",
        ])
      }
    }
    return table.text
  }

  /// Where on the curve each failed expectation failed.
  private var pictures: [String] {
    analysis.expectations.compactMap { outcome in
      guard let picture = outcome.picture else { return nil }
      let expectation = analysis.record.scenario.expectations[outcome.index]
      return """
        \(expectation.text.asCode) \(expectation.scopeText.asMarkdown) failed on \(name(outcome.cell)):

        \(picture.asCodeBlock)
        """
    }
  }

  private func name(_ key: CellKey) -> String {
    [key.engine, analysis.labels[key.policy], key.arm].joined(separator: ", ").asMarkdown
  }
}

/// The numbers of checks (expectation × cell) that held, failed, or did not apply.
struct ExpectationCounts {
  private(set) var held = 0
  private(set) var failed = 0
  private(set) var notApplicable = 0

  init(_ analysis: ScenarioAnalysis) {
    for outcome in analysis.expectations {
      switch outcome.result {
      case .held: held += 1
      case .failed: failed += 1
      case .notApplicable: notApplicable += 1
      }
    }
  }

  var words: String {
    "\(held) held, \(failed) failed" + (notApplicable > 0 ? ", \(notApplicable) n/a" : "")
  }

  var sentence: String { "Checks (each expectation in each of its cells): \(words)." }
}
