// How far engines behave as the one that they follow, over many scenarios: what holds, then every figure.
package import Analysis
import MetricModel

package struct AgreementMarkdown: Sendable {
  package static let fileName = "agreement.md"

  /// One engine's scenarios, all against the same reference.
  private let agreements: [Agreement]
  private let engine: String
  private let reference: String

  package init(_ agreements: [Agreement], engine: String, reference: String) {
    self.agreements = agreements
    self.engine = engine
    self.reference = reference
  }

  private var rows: [Agreement.Row] { agreements.flatMap(\.rows) }

  private var apart: [Double] { rows.map { abs($0.apart) }.sorted() }

  private var median: Double? {
    apart.isEmpty ? nil : (apart[(apart.count - 1) / 2] + apart[apart.count / 2]) / 2
  }

  /// What is demanded, each with what was found.
  private var findings: [(holds: Bool, words: String)] {
    let far = rows.count { abs($0.apart) > Agreement.mostApart }
    let other = rows.count { $0.engine.levelsOff != $0.reference.levelsOff }
    let measured = agreements.filter { $0.rows.count > 1 }
    let ordered = measured.count { $0.keepsOrder }
    return [
      (
        far == 0,
        "high-water marks within ± \(percent(Agreement.mostApart)): \(rows.count - far) of \(rows.count) cells"
      ),
      (
        median.map { $0 <= Agreement.mostApartInMedian } ?? false,
        "their median within ± \(percent(Agreement.mostApartInMedian)): "
          + (median.map(percent) ?? "nothing was measured on both")
      ),
      (
        other == 0,
        "the same verdict, plateau or growth: \(rows.count - other) of \(rows.count) cells"
      ),
      (
        Double(ordered) >= 0.9 * Double(measured.count),
        "the same order of policies: \(ordered) of \(measured.count) scenarios with two and more"
      ),
    ]
  }

  package var agrees: Bool { findings.allSatisfy(\.holds) }

  /// One line for each demand.
  package var summary: String {
    findings.map { "\($0.holds ? "holds" : "does not hold"): \($0.words)\n" }.joined()
  }

  package var text: String {
    var page = "## `\(engine)` beside `\(reference)`\n\n"
    page += findings.map { "- \($0.holds ? "holds" : "**does not hold**"): \($0.words)\n" }.joined()
    page += "\n" + table + "\n"
    for agreement in agreements where !agreement.reversed.isEmpty {
      page += "The other way round in `\(agreement.scenario)`: "
      page += agreement.reversed.joined(separator: "; ") + ".\n\n"
    }
    for agreement in agreements {
      for reason in agreement.leftOut { page += "- `\(agreement.scenario)`, left out: \(reason)\n" }
    }
    return page
  }

  private var table: String {
    var table = MarkdownTable([
      ("scenario", .left), ("policy", .left), ("arm", .left), ("high-water mark", .right),
      ("apart", .right), ("verdict", .left), ("final", .right), ("starts", .right),
      ("shrunk", .right), ("", .left),
    ])
    for agreement in agreements {
      for row in agreement.rows {
        let (a, b) = (row.engine, row.reference)
        table.add([
          agreement.scenario, row.policy, row.arm, "\(a.highWater) : \(b.highWater)",
          percent(row.apart), "\(verdict(a)) : \(verdict(b))", "\(a.final) : \(b.final)",
          "\(a.starts) : \(b.starts)", "\(a.shrunk) : \(b.shrunk)", row.agrees ? "" : "differs",
        ])
      }
    }
    return table.text
  }

  private func verdict(_ figures: Agreement.Figures) -> String {
    figures.levelsOff ? "plateau" : "growth"
  }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
