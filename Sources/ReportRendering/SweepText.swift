// The best policies of a sweep for a terminal.
package import Analysis
import MetricModel

package enum SweepText {
  /// Lines of groups; sweep.md has more.
  private static let maxLines = 20

  /// Returns one line for each engine and group of points with the same data.
  package static func best(_ sweep: SweepAnalysis) -> String {
    let best = sweep.best
    guard !best.isEmpty else { return "  nothing was measured" }
    let lines = best.prefix(maxLines).map { "  " + line($0, sweep) }
    let rest = best.count > maxLines ? ["  … and \(best.count - maxLines) more"] : []
    return (lines + rest).joined(separator: "\n")
  }

  private static func line(_ best: SweepAnalysis.Best, _ sweep: SweepAnalysis) -> String {
    let engine = best.choice.engine
    let (axes, points) = (sweep.record.axes, sweep.record.points)
    // The values that the whole group has: those of its data.
    let common = axes.indices.filter { axis in
      Set(best.group.map { points[$0].values[axis] }).count == 1 && axes.count > 1
    }
    let values = common.map { "\(axes[$0].name)=\(points[best.group[0]].values[$0])" }
      .joined(separator: ", ")
    let lead = values.isEmpty ? engine : "\(engine), \(values)"
    switch best.choice.advice {
    case .compact(let policy, let cell):
      let size = cell.value(.timeWeighted).map { FigureText.words($0, .bytes) } ?? "–"
      let never =
        best.choice.never?.value(.timeWeighted)
        .map { FigureText.words($0, .bytes) } ?? "–"
      return "\(lead): \(policy.name.visible) (time-weighted \(size); never \(never))"
    case .doNothing: return "\(lead): never; \(reasonForNever(best.choice))"
    case .nothing(let reason): return "\(lead): no recommendation: \(reason)"
    }
  }

  /// Returns why `never` is recommended. Without a time, since the pages of a sweep repeat.
  static func reasonForNever(_ choice: PolicyChoice) -> String {
    choice.excluded.isEmpty
      ? "no policy costs clearly less" : "no policy within the limits costs clearly less"
  }
}
