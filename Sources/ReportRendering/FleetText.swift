// What `fleet measure` and `fleet simulate` print.
import Analysis
package import FleetModel
import LaunchSchedules
import MetricModel

package enum FleetText {
  /// What the curves are worth, a line for each group.
  package static func curves(_ curves: FleetCurves, isBrief: Bool) -> String {
    var lines: [String] = []
    for group in curves.groups {
      let classes = group.classes.count
      lines.append(
        "  \(group.group.visible): \(group.engine) \(group.engineVersion), \(classes) "
          + (classes == 1 ? "class" : "classes") + ", data of "
          + (group.axes.data.first.map { FleetWords.size($0) } ?? "") + " to "
          + (group.axes.data.last.map { FleetWords.size($0) } ?? ""))
      if !isBrief { lines.append("    " + FleetWords.errors(group.errors)) }
    }
    return lines.joined(separator: "\n")
  }

  /// The table of policies, the verdict, and what neither says.
  package static func simulation(_ summary: FleetSummary, isBrief: Bool) -> String {
    let titles = FleetWords.titles(summary)
    let rows = [titles] + summary.policies.map { FleetWords.row($0, summary) }
    let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = isBrief ? [] : ["\(FleetWords.head(summary))", ""]
    lines += rows.map { row in
      "  "
        + row.indices.map { TextColumn.pad(row[$0], to: widths[$0], right: $0 > 0) }
        .joined(separator: "   ")
    }
    lines += ["", "  \(FleetVerdict.sentence(summary))"]
    if isBrief { return lines.joined(separator: "\n") }
    return (lines + [""] + FleetWords.notes(summary).map { "  \($0)" }).joined(separator: "\n")
  }

  /// The quantiles that a rule has, beside what they must not exceed.
  package static func limits(_ limits: [QuantileLimit], _ values: [Double]) -> String {
    zip(limits, values).map { limit, value in
      let unit = limit.figure.unit
      return "\(limit.figure.rawValue) \(FleetWords.percentile(limit.share)) "
        + "\(FleetWords.value(value, unit)) (limit \(FleetWords.value(limit.maximum, unit)))"
    }.joined(separator: ", ")
  }

  /// The rule to ship, and what became of the limits on devices that it was not chosen on.
  package static func tuned(
    _ best: FleetTuning.Score, _ limits: [QuantileLimit], heldOut values: [Double], tried: Int
  ) -> String {
    let exceeded = zip(values, limits).filter { $0 > $1.maximum }.map { $1.figure.rawValue }
    let verdict =
      exceeded.isEmpty
      ? "all limits hold on held-out devices"
      : "on held-out devices not kept: \(exceeded.joined(separator: ", "))"
    return """
        ship: \(best.candidate.policy.rule)
          the least rewritten of \(grouped(tried)) rules, \(FleetWords.size(best.rewritten)) a year in the mean
          tried on:  \(Self.limits(limits, best.values))
          held out:  \(Self.limits(limits, values))
          \(verdict)\(best.rewritten == 0 ? "; no compaction is needed for it" : "")
      """
  }

  /// The rule as an app of Swift ships it.
  package static func code(_ candidate: FleetCandidate) -> String {
    let rule: TunedRule =
      switch candidate.family {
      case .sizeAndShare: TunedRule(.sizeAndShare, candidate.size, candidate.share)
      case .freeBytes: TunedRule(.freeBytes, candidate.size)
      }
    return RuleCode.all(rule).first?.text.split(separator: "\n").map { "  \($0)" }
      .joined(separator: "\n") ?? ""
  }
}
