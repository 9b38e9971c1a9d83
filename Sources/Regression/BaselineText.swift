// A baseline as readable text.
import MetricModel

package enum BaselineText {
  package static func text(_ baseline: Baseline) -> String {
    var lines = [
      "\(baseline.scenario): \(counted(baseline.cells.count, "cell"))", "",
    ]
    for cell in baseline.cells {
      lines.append("\(cell.key.cell.words), seed \(cell.key.seed)")
      for (name, value) in cell.figures.sorted(by: { $0.key < $1.key }) {
        let unit = Metric.stored(name)?.unit == .bytes ? " B" : ""
        let space = String(repeating: " ", count: max(1, 28 - name.count))
        lines.append("  \(name)\(space)\(FigureValue.text(value))\(unit)")
      }
    }
    lines += ["", "measured with"]
    for fact in baseline.fingerprint.all { lines.append("  \(fact.name): \(fact.value)") }
    return lines.joined(separator: "\n")
  }
}
