// What a gate says to people: one line where nothing changed; else what, where, by how much, and what to do.
import Analysis
import MetricModel

/// One finding in words, for every output alike.
package struct GateFinding: Sendable, Equatable {
  package enum Kind: String, Sendable, Codable {
    case regression, improvement, missing, unmeasured, environment, inconclusive
  }

  package var kind: Kind
  /// `long-reader · native · never · default`
  package var place: String
  package var figure: String
  /// What changed by how much.
  package var what: String
  /// Where the curves part; empty where it is not known.
  package var location: String

  package var sentence: String {
    let head = [place, figure].filter { !$0.isEmpty }.joined(separator: ": ")
    return "\(head) \(what)" + (location.isEmpty ? "" : "; \(location)")
  }
}

extension GateOutcome {
  /// What counts, the worst first; changes that are allowed are not among them.
  package var findings: [GateFinding] {
    let found =
      exact.changes.compactMap(Self.finding) + exact.seedVarying.compactMap(Self.finding)
      + timedExact.map(Self.finding) + timed.compactMap(Self.finding)
      + exact.unmeasured.filter { _ in !allowsPartial }.map {
        GateFinding(
          kind: .unmeasured, place: $0.place, figure: "", what: "was not measured: \($0.reason)",
          location: "")
      }
      + exact.missing.map {
        GateFinding(
          kind: .missing, place: $0.place, figure: "", what: "has no baseline: \($0.reason)",
          location: "")
      }
      + invalid.map {
        GateFinding(kind: .environment, place: "", figure: "", what: $0, location: "")
      }
    let order: [GateFinding.Kind] = [
      .regression, .unmeasured, .missing, .environment, .improvement, .inconclusive,
    ]
    return order.flatMap { kind in found.filter { $0.kind == kind } }
  }

  private static func finding(_ change: FigureChange) -> GateFinding? {
    guard change.verdict != .allowed, change.verdict != .same else { return nil }
    let what =
      change.figure == Thresholds.curve
      ? "is another, and no figure with it"
      : ExactText.change(change.base, change.head, change.metric?.unit ?? .count)
        + (change.allowance == .none ? "" : ", allowed: \(change.allowance.words)")
    return GateFinding(
      kind: change.verdict == .better ? .improvement : .regression, place: change.place,
      figure: change.figure, what: what, location: change.parting?.sentence ?? "")
  }

  private static func finding(_ found: SeedFinding) -> GateFinding? {
    guard let kind = kind(found.verdict.call) else { return nil }
    return GateFinding(
      kind: kind, place: found.place, figure: found.figure,
      what:
        "over \(counted(found.seeds, "seed")) \(ratio(found.verdict)), p \(digits(found.verdict.pValue)); "
        + "\(counted(found.differing, "seed")) \(found.differing == 1 ? "differs" : "differ")",
      location: "")
  }

  private static func finding(_ found: TimedFinding) -> GateFinding? {
    guard let kind = kind(found.call) else { return nil }
    let figure = found.figure
    let ratio = figure.ratio.map { "\(digits($0)) × base" } ?? "without a ratio"
    let interval =
      figure.low.flatMap { low in figure.high.map { " [\(digits(low)), \(digits($0))]" } } ?? ""
    let least =
      kind == .inconclusive
      ? figure.smallestEffect.map { "; a change of \(digits($0 * 100)) % would have been seen" }
        ?? "" : ""
    return GateFinding(
      kind: kind, place: "", figure: figure.name, what: ratio + interval + least, location: "")
  }

  private static func finding(_ found: ExactDifference) -> GateFinding {
    GateFinding(
      kind: found.isBetter ? .improvement : .regression, place: "", figure: found.name,
      what: ExactText.change(found.base, found.head, .count), location: "")
  }

  private static func kind(_ call: PairedVerdict.Call) -> GateFinding.Kind? {
    switch call {
    case .regressed: .regression
    case .improved: .improvement
    case .inconclusive: .inconclusive
    case .equivalent: nil
    }
  }

  private static func ratio(_ verdict: PairedVerdict) -> String {
    guard let ratio = verdict.ratio else { return "without a ratio" }
    let interval = ratio.interval.map { " [\(digits($0.low)), \(digits($0.high))]" } ?? ""
    return "\(digits(ratio.ratio)) × base\(interval)"
  }

  private static func digits(_ value: Double) -> String { "\((value * 10_000).rounded() / 10_000)" }

  /// The answer in a sentence.
  package var headline: String {
    let compared =
      "\(counted(exact.figures, "exact figure")) of \(counted(exact.cells, "cell")) in \(exact.scenarios) "
      + (exact.scenarios == 1 ? "scenario" : "scenarios")
    let timedText = timed.isEmpty ? "" : ", and \(timed.count) timed"
    func count(_ kind: GateFinding.Kind) -> Int { findings.count { $0.kind == kind } }
    return switch result {
    case .pass:
      exact.changes.isEmpty && count(.inconclusive) == 0
        ? "pass: \(compared)\(timedText) are as in the baseline."
        : "pass: \(compared)\(timedText); \(exact.changes(.allowed).count) differ by no more than is allowed"
          + (count(.inconclusive) > 0 ? ", \(count(.inconclusive)) cannot be told." : ".")
    case .regression: "regression: \(count(.regression)) of \(compared)\(timedText)."
    case .unmeasured:
      "could not run: \(count(.unmeasured)) of what the baseline has was not measured."
    case .improvement:
      "improvement: \(count(.improvement)) of \(compared)\(timedText). If it is meant, save the baseline again."
    case .baselineMissing:
      "baseline missing: \(count(.missing)) without one; \(compared) are as in the baseline."
    case .environmentInvalid:
      "environment invalid: \(invalid.count == 1 ? "" : "\(invalid.count) ")reasons below."
    }
  }

  /// For a terminal. `most` findings are told in full.
  package func terminalText(maxFindings: Int = 20) -> String {
    var lines = ["gate: \(headline)"]
    for finding in findings.prefix(most) {
      lines.append("  \(finding.kind.rawValue): \(finding.sentence)")
    }
    if findings.count > most {
      lines.append("  … and \(findings.count - most) more (--json has all)")
    }
    if result != .pass, !exact.explanations.isEmpty {
      lines.append(
        "  may explain it, baseline and head: " + exact.explanations.joined(separator: "; "))
    }
    return lines.joined(separator: "\n")
  }

  /// For the summary of a job or a comment on a pull request; one line where nothing changed.
  package func markdown(most: Int = 50) -> String {
    let mark = result == .pass ? "✅" : result == .improvement ? "⬆️" : "❌"
    var text = "\(mark) **\(headline)**\n"
    guard !findings.isEmpty else { return text }
    text += "\n| | where | figure | what | |\n|---|---|---|---|---|\n"
    for finding in findings.prefix(most) {
      let cells = [
        finding.kind.rawValue, finding.place.asMarkdown, finding.figure, finding.what,
        finding.location,
      ].map { $0.replacing("|", with: "\\|") }
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    if findings.count > most { text += "\n… and \(findings.count - most) more.\n" }
    if !exact.explanations.isEmpty {
      text += "\nMay explain it (baseline, head): \(exact.explanations.joined(separator: "; ")).\n"
    }
    return text
  }
}

/// Exact values side by side: every byte is told, and a share for the eye.
enum ExactText {
  static func change(_ base: Double, _ head: Double, _ unit: Metric.Unit) -> String {
    let suffix =
      switch unit {
      case .bytes: " B"
      case .nanoseconds: " ns"
      case .ratio, .count: ""
      }
    let difference = head - base
    let sign = difference > 0 ? "+" : ""
    let share =
      base != 0 ? ", \(sign)\((difference / abs(base) * 10_000).rounded() / 100) %" : ""
    return "\(FigureValue.text(base))\(suffix) → \(FigureValue.text(head))\(suffix) "
      + "(\(sign)\(FigureValue.text(difference))\(suffix)\(share))"
  }
}
