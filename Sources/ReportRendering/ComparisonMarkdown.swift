// The report of a comparison of two builds: one sentence, one table, and the method.
package import Analysis
import MetricModel
import Statistics

/// The facts of a comparison besides its figures.
package struct ComparisonHeading: Sendable, Equatable {
  package var base: String
  package var head: String
  package var blocks: Int
  package var planned: Int
  package var warmUps: Int
  package var level: Double
  /// `AMD EPYC, 2 processors, Debian…`: the machine on which both were run.
  package var machine: String
  package var exactFigures: Int

  package init(
    base: String, head: String, blocks: Int, planned: Int, warmUps: Int, level: Double,
    machine: String, exactFigures: Int
  ) {
    self.base = base
    self.head = head
    self.blocks = blocks
    self.planned = planned
    self.warmUps = warmUps
    self.level = level
    self.machine = machine
    self.exactFigures = exactFigures
  }
}

package struct ComparisonMarkdown: Sendable {
  package var heading: ComparisonHeading
  package var rules: ComparisonRules
  package var comparisons: [PairedComparison]
  package var shown: [PairedComparison]
  package var aaCheck: [PairedComparison]
  package var exactChanges: [ExactDifference]

  package init(
    heading: ComparisonHeading, rules: ComparisonRules, comparisons: [PairedComparison],
    shown: [PairedComparison], aaCheck: [PairedComparison], exactChanges: [ExactDifference]
  ) {
    self.heading = heading
    self.rules = rules
    self.comparisons = comparisons
    self.shown = shown
    self.aaCheck = aaCheck
    self.exactChanges = exactChanges
  }

  private var isEnvironmentValid: Bool { aaCheck.allSatisfy { $0.verdict == .equivalent } }

  /// The result in a sentence or two, for the terminal and the first line of the page.
  package var summary: String {
    var sentences: [String] = []
    if !exactChanges.isEmpty {
      let what = exactChanges.count == 1 ? "exact figure differs" : "exact figures differ"
      sentences.append("\(exactChanges.count) of \(heading.exactFigures) \(what).")
    }
    guard isEnvironmentValid else {
      let failed = aaCheck.filter { $0.verdict != .equivalent }.map { "\($0.name.asCode)" }
      sentences.append(
        "The machine is too noisy to judge times: in the A/A check base is not equivalent to itself within "
          + "\(percent(rules.tolerance)) in \(failed.joined(separator: ", ")).")
      return sentences.joined(separator: " ")
    }
    for verdict in [PairedComparison.Verdict.regressed, .improved, .inconclusive] {
      let found = comparisons.filter { $0.verdict == verdict }
      guard !found.isEmpty else { continue }
      sentences.append("\(Self.word(verdict)): \(found.map(words).joined(separator: "; ")).")
    }
    if comparisons.allSatisfy({ $0.verdict == .equivalent }) {
      sentences.append(
        "No difference beyond \(percent(rules.tolerance)) in "
          + "\(comparisons.map { "\($0.name.asCode)" }.joined(separator: ", ")).")
    }
    return sentences.joined(separator: " ")
  }

  private func words(_ comparison: PairedComparison) -> String {
    let change = comparison.ratio.map { "\($0.ratio.threeDigits) × base" } ?? "no ratio"
    guard comparison.verdict == .inconclusive else { return "\(comparison.name.asCode) \(change)" }
    let sensitivity =
      comparison.smallestEffect.isFinite
      ? "; a change of \(percent(comparison.smallestEffect)) would have been detected" : ""
    return "\(comparison.name.asCode) \(change)\(sensitivity)"
  }

  package var text: String {
    var parts = ["# Head compared with base\n", "**\(summary)**\n"]
    if !exactChanges.isEmpty { parts.append(exactTable) }
    parts.append("## Deciding figures\n\n" + table(comparisons))
    parts.append("## A/A check: base compared with itself\n\n" + table(aaCheck))
    if !shown.isEmpty {
      parts.append(
        "## Other figures\n\nExploratory, p-values corrected by Benjamini and Hochberg; they decide nothing.\n\n"
          + table(shown))
    }
    parts.append(method)
    return parts.joined(separator: "\n")
  }

  private var exactTable: String {
    var table = MarkdownTable([
      ("exact figure", .left), ("base", .right), ("head", .right), ("difference", .right),
      ("", .left),
    ])
    for change in exactChanges {
      table.add(
        [change.name] + [change.base, change.head, change.head - change.base].map(plain)
          + [change.isBetter ? "better" : "worse"])
    }
    return "## Exact figures that differ\n\n" + table.text
  }

  private func table(_ comparisons: [PairedComparison]) -> String {
    var table = MarkdownTable([
      ("figure", .left), ("base", .right), ("head", .right), ("ratio", .right),
      ("BCa bootstrap", .right), ("p", .right), ("p, sign flips", .right),
      ("rank-biserial", .right), ("Cliff's δ", .right), ("verdict", .left),
    ])
    for comparison in comparisons {
      table.add([
        comparison.name, FigureText.words(comparison.base, comparison.unit),
        FigureText.words(comparison.head, comparison.unit),
        comparison.ratio.map { ratio in
          "\(ratio.ratio.threeDigits) \(ratio.interval.map(bounds) ?? "")"
        } ?? "n/a", comparison.resampled.map(bounds) ?? "n/a", probability(comparison.pValue),
        probability(comparison.flipPValue), comparison.rankBiserial.threeDigits,
        comparison.cliffsDelta.threeDigits, comparison.verdict.rawValue,
      ])
    }
    return table.text
  }

  private var method: String {
    """
    ## Method

    - base: \(heading.base.asCode)
    - head: \(heading.head.asCode)
    - \(heading.machine)
    - \(heading.blocks) blocks of base, head and base again (the control), each in random order (seed \(rules.seed)), each \
    run in a process and folder of its own, after \(counted(heading.warmUps, "warm-up run")). A pilot of ten blocks \
    planned \(counted(heading.planned, "block")).
    - A change of up to \(percent(rules.tolerance)) counts as equivalent. Ratio: the Hodges–Lehmann center of the \
    logarithms of paired ratios, with its exact signed-rank interval of \(percent(1 - heading.level)). Interim \
    analyses after 30, 60 and 120 blocks share the significance level \(percent(rules.alpha)) (alpha spending).
    - Regressed or improved: the interval lies beyond the tolerance, and the signed-rank test (corrected by Holm) and \
    the sign-flip test are significant. Equivalent: two one-sided tests within the tolerance. Otherwise inconclusive.

    """
  }

  private static func word(_ verdict: PairedComparison.Verdict) -> String {
    switch verdict {
    case .regressed: "Slower or larger"
    case .improved: "Faster or smaller"
    case .equivalent: "Equivalent"
    case .inconclusive: "Inconclusive"
    }
  }

  private func bounds(_ interval: Interval) -> String {
    "[\(interval.low.threeDigits), \(interval.high.threeDigits)]"
  }
  private func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
  private func probability(_ p: Double) -> String {
    p < 0.0001 ? "< 0.0001" : p >= 1 ? "1" : "\((p * 10_000).rounded() / 10_000)"
  }
}
