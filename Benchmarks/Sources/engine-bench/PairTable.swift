// Measures of several engines in pairs, one after the other under the same conditions, as a Markdown table.
import BenchSupport
import Foundation

struct PairTable {
  /// Measure → engine → one number for each pair.
  private var values: [String: [String: [Double]]] = [:]
  private var measures: [String] = []
  private var engines: [String] = []
  /// Measures where less is better.
  private var costs: Set<String> = []

  mutating func add(_ measure: String, _ engine: String, _ value: Double, isCost: Bool = false) {
    if values[measure] == nil { measures.append(measure) }
    if !engines.contains(engine) { engines.append(engine) }
    if isCost { costs.insert(measure) }
    values[measure, default: [:]][engine, default: []].append(value)
  }

  var markdown: String {
    // The engines take their turns in an order drawn anew; the columns are the same in each run.
    let peers = engines.filter { $0 != "native" }.sorted()
    let columns = engines.filter { $0 == "native" } + peers
    var lines = [
      "| | " + (columns + peers.map { "native / \($0)" }).joined(separator: " | ") + " |",
      "|---|" + String(repeating: "---:|", count: columns.count + peers.count),
    ]
    for measure in measures {
      var cells = columns.map { engine in
        values[measure]?[engine].map { number(Spread($0).median) } ?? ""
      }
      cells += peers.map { ratio(measure, to: $0) }
      lines.append("| \(measure) | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }

  private func ratio(_ measure: String, to peer: String) -> String {
    guard let ours = values[measure]?["native"], let theirs = values[measure]?[peer],
      ours.count == theirs.count
    else { return "" }
    let spread = Spread(zip(ours, theirs).map { $0 / $1 })
    guard ours.count > 1 else { return String(format: "%.2f", spread.median) }
    return String(format: "%.2f [%.2f–%.2f]", spread.median, spread.low, spread.high)
  }

  private func number(_ value: Double) -> String {
    guard value >= 100 else { return String(format: "%.2f", value) }
    var digits = String(Int(value.rounded()))
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }
}
