// The texts of a gate: one line if nothing changed; otherwise what changed, where, by how much, and what to do.
import Analysis
import MetricModel

/// One finding in words, the same for every output.
package struct GateFinding: Sendable, Equatable {
  package enum Kind: String, Sendable, Codable {
    case regression, improvement, missing, unmeasured, environment, inconclusive
  }

  package var kind: Kind
  /// `long-reader · native · never · default`
  package var cell: String
  package var figure: String
  /// By how much the figure changed, or why there is nothing to compare.
  package var change: String
  /// Where the curves diverge; empty if that is not known.
  package var location: String

  package var sentence: String {
    let head = [cell, figure].filter { !$0.isEmpty }.joined(separator: ": ")
    return (head.isEmpty ? "" : "\(head) ") + change + (location.isEmpty ? "" : "; \(location)")
  }
}

extension GateOutcome {
  /// All findings but allowed changes, the worst first.
  package var findings: [GateFinding] {
    let found =
      exact.changes.compactMap(Self.finding) + exact.seedVarying.compactMap(Self.finding)
      + regrets.compactMap(Self.finding) + timedExact.map(Self.finding)
      + timed.compactMap(Self.finding)
      + exact.unmeasured.filter { _ in !allowsPartial }.map {
        GateFinding(
          kind: .unmeasured, cell: $0.cellLabel, figure: "",
          change: "was not measured: \($0.reason)",
          location: "")
      }
      + exact.missing.map {
        GateFinding(
          kind: .missing, cell: $0.cellLabel, figure: "", change: "has no baseline: \($0.reason)",
          location: "")
      }
      + invalid.map {
        GateFinding(kind: .environment, cell: "", figure: "", change: $0, location: "")
      }
    let order: [GateFinding.Kind] = [
      .regression, .unmeasured, .missing, .environment, .improvement, .inconclusive,
    ]
    return order.flatMap { kind in found.filter { $0.kind == kind } }
  }

  private static func finding(_ change: FigureChange) -> GateFinding? {
    guard change.verdict != .allowed, change.verdict != .same else { return nil }
    let text =
      change.figure == Thresholds.curve
      ? "differs, though no figure does"
      : ExactText.change(change.base, change.head, change.metric?.unit ?? .count)
        + (change.allowance == .none ? "" : ", allowed: \(change.allowance.words)")
    return GateFinding(
      kind: change.verdict == .better ? .improvement : .regression, cell: change.cellLabel,
      figure: change.figure, change: text, location: change.divergence?.sentence ?? "")
  }

  private static func finding(_ found: RegretFinding) -> GateFinding? {
    guard !found.isWithin else { return nil }
    return GateFinding(
      kind: .regression, cell: "\(found.scenario) · \(found.key.cell.words)",
      figure: Metric.regret.column, change: found.change, location: found.costliest ?? "")
  }

  private static func finding(_ found: SeedFinding) -> GateFinding? {
    guard let kind = kind(found.comparison.verdict) else { return nil }
    return GateFinding(
      kind: kind, cell: found.cellLabel, figure: found.figure,
      change:
        "over \(counted(found.seeds, "seed")) \(ratio(found.comparison)), p \(digits(found.comparison.pValue)); "
        + "\(counted(found.differing, "seed")) \(found.differing == 1 ? "differs" : "differ")",
      location: "")
  }

  private static func finding(_ found: TimedFinding) -> GateFinding? {
    guard let kind = kind(found.verdict) else { return nil }
    let figure = found.figure
    let ratio = figure.ratio.map { "\(digits($0)) × base" } ?? "without a ratio"
    let interval =
      figure.low.flatMap { low in figure.high.map { " [\(digits(low)), \(digits($0))]" } } ?? ""
    let sensitivity =
      kind == .inconclusive
      ? figure.smallestEffect.map { "; a change of \(digits($0 * 100)) % would have been detected" }
        ?? "" : ""
    return GateFinding(
      kind: kind, cell: "", figure: figure.name, change: ratio + interval + sensitivity,
      location: "")
  }

  private static func finding(_ found: ExactDifference) -> GateFinding {
    GateFinding(
      kind: found.isBetter ? .improvement : .regression, cell: "", figure: found.name,
      change: ExactText.change(found.base, found.head, .count), location: "")
  }

  private static func kind(_ verdict: PairedComparison.Verdict) -> GateFinding.Kind? {
    switch verdict {
    case .regressed: .regression
    case .improved: .improvement
    case .inconclusive: .inconclusive
    case .equivalent: nil
    }
  }

  private static func ratio(_ comparison: PairedComparison) -> String {
    guard let ratio = comparison.ratio else { return "without a ratio" }
    let interval = ratio.interval.map { " [\(digits($0.low)), \(digits($0.high))]" } ?? ""
    return "\(digits(ratio.ratio)) × base\(interval)"
  }

  private static func digits(_ value: Double) -> String { "\((value * 10_000).rounded() / 10_000)" }

  /// The result in a sentence.
  package var headline: String {
    let (compared, timedText) = (self.compared, timed.isEmpty ? "" : ", and \(timed.count) timed")
    func count(_ kind: GateFinding.Kind) -> Int { findings.count { $0.kind == kind } }
    return switch result {
    case .pass where exact.cells == 0 && regretLimit != nil: "pass: \(withinLimit)."
    case .pass:
      exact.changes.isEmpty && count(.inconclusive) == 0
        ? "pass: \(exactText)\(timedText) equal the baseline\(regretLimit == nil ? "" : ", and \(withinLimit)")."
        : "pass: \(compared)\(timedText); \(exact.changes(.allowed).count) differ within their thresholds"
          + (count(.inconclusive) > 0 ? ", \(count(.inconclusive)) are inconclusive." : ".")
    case .regression: "regression: \(count(.regression)) of \(compared)\(timedText)."
    case .unmeasured:
      "could not run: \(count(.unmeasured)) of the baseline's cells or figures "
        + (count(.unmeasured) == 1 ? "was not measured." : "were not measured.")
    case .improvement:
      "improvement: \(count(.improvement)) of \(compared)\(timedText). If it is intended, save the baseline again."
    case .baselineMissing:
      "baseline missing: \(count(.missing)) without one; \(compared) were compared."
    case .environmentInvalid:
      "environment invalid, for \(counted(invalid.count, "reason"))."
    }
  }

  /// How many figures were compared, and how many regrets with the limit.
  private var compared: String {
    let regretText = counted(regrets.count, "regret")
    if regretLimit == nil { return exactText }
    return exact.cells == 0 ? regretText : "\(exactText), and \(regretText)"
  }

  private var exactText: String {
    "\(counted(exact.figures, "exact figure")) of \(counted(exact.cells, "cell")) in \(exact.scenarios) "
      + (exact.scenarios == 1 ? "scenario" : "scenarios")
  }

  private var withinLimit: String {
    "\(regrets.count == 1 ? "the regret is" : "all \(regrets.count) regrets are") at most \(regretLimit ?? "")"
  }

  /// For a terminal.
  package func terminalText(maxFindings: Int = 20) -> String {
    var lines = ["gate: \(headline)"]
    for finding in findings.prefix(maxFindings) {
      lines.append("  \(finding.kind.rawValue): \(finding.sentence)")
    }
    if findings.count > maxFindings {
      lines.append("  … and \(findings.count - maxFindings) more (all are in the file of --json)")
    }
    if result != .pass, !exact.explanations.isEmpty {
      lines.append(
        "  possible causes, baseline and head: " + exact.explanations.joined(separator: "; "))
    }
    return lines.joined(separator: "\n")
  }

  /// For the summary of a job or a comment on a pull request; one line where nothing changed.
  package func markdown(maxFindings: Int = 50) -> String {
    let mark = result == .pass ? "✅" : result == .improvement ? "⬆️" : "❌"
    var text = "\(mark) **\(headline)**\n"
    guard !findings.isEmpty else { return text }
    text += "\n| finding | cell | figure | change | first difference |\n|---|---|---|---|---|\n"
    for finding in findings.prefix(maxFindings) {
      let cells = [
        finding.kind.rawValue, finding.cell.asMarkdown, finding.figure, finding.change,
        finding.location,
      ].map { $0.replacing("|", with: "\\|") }
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    if findings.count > maxFindings { text += "\n… and \(findings.count - maxFindings) more.\n" }
    if !exact.explanations.isEmpty {
      text += "\nPossible causes (baseline, head): \(exact.explanations.joined(separator: "; ")).\n"
    }
    return text
  }
}

/// Exact values side by side, to the byte, with the relative change.
enum ExactText {
  static func change(_ base: Double, _ head: Double, _ unit: Metric.Unit) -> String {
    let suffix =
      switch unit {
      case .bytes: " B"
      case .nanoseconds: " ns"
      case .ratio, .count: ""
      case .perSecond: " per s"
      }
    let difference = head - base
    let sign = difference > 0 ? "+" : ""
    let share =
      base != 0 ? ", \(sign)\((difference / abs(base) * 10_000).rounded() / 100) %" : ""
    return "\(FigureValue.text(base))\(suffix) → \(FigureValue.text(head))\(suffix) "
      + "(\(sign)\(FigureValue.text(difference))\(suffix)\(share))"
  }
}
