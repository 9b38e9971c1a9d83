// The rounds as a Markdown table.
import Foundation

struct ResultTable {
  let work: Work
  let rounds: [[String: [Measure: Double]]]

  var markdown: String {
    let names = ["native", "LMDB", "SQLite"].filter { rounds[0][$0] != nil }
    let others = names.contains("native") ? names.filter { $0 != "native" } : []
    var lines = [
      "\(machineLine())", "",
      "\(work.rows) rows × \(work.valueBytes) B, \(work.updatesPerCommit) updates per commit; "
        + "\(rounds.count) rounds of \(work.durableCommits) durable commits, "
        + "\(work.unsyncedCommits) commits without sync, \(work.reads) reads. Medians; ratios are medians of the "
        + "ratios within rounds [least–greatest], above 1 where native is faster.", "",
      "| | " + (names + others.map { "native / \($0)" }).joined(separator: " | ") + " |",
      "|---|" + String(repeating: "---:|", count: names.count + others.count),
    ]
    for measure in Measure.allCases {
      var cells = names.map { name in
        let values = values(name, measure)
        return values.isEmpty ? "n/a" : thousands(Spread(values).median)
      }
      cells += others.map { measure.isSpeed ? ratio(to: $0, measure) : "" }
      lines.append("| \(measure.rawValue) | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }

  private func values(_ name: String, _ measure: Measure) -> [Double] {
    rounds.compactMap { $0[name]?[measure] }
  }

  private func ratio(to other: String, _ measure: Measure) -> String {
    let ratios = zip(values("native", measure), values(other, measure)).map { $0 / $1 }
    let spread = Spread(ratios)
    return String(format: "%.2f [%.2f–%.2f]", spread.median, spread.low, spread.high)
  }

  private func thousands(_ value: Double) -> String {
    var digits = String(Int(value.rounded()))
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }
}
