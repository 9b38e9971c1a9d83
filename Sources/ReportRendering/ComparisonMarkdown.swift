// A comparison of two builds for people: one sentence, one table, and what the figures rest on.
package import Analysis
import MetricModel
import Statistics

/// What is said of a comparison, besides the figures.
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
  package var verdicts: [PairedVerdict]
  package var shown: [PairedVerdict]
  package var certificate: [PairedVerdict]
  package var exactChanges: [ExactDifference]

  package init(
    heading: ComparisonHeading, rules: ComparisonRules, verdicts: [PairedVerdict],
    shown: [PairedVerdict], certificate: [PairedVerdict], exactChanges: [ExactDifference]
  ) {
    self.heading = heading
    self.rules = rules
    self.verdicts = verdicts
    self.shown = shown
    self.certificate = certificate
    self.exactChanges = exactChanges
  }

  private var isEnvironmentValid: Bool { certificate.allSatisfy { $0.call == .equivalent } }

  /// The answer in a sentence or two, for the terminal and the first line of the page.
  package var answer: String {
    var sentences: [String] = []
    if !exactChanges.isEmpty {
      let what = exactChanges.count == 1 ? "exact figure differs" : "exact figures differ"
      sentences.append("\(exactChanges.count) of \(heading.exactFigures) \(what).")
    }
    guard isEnvironmentValid else {
      let unsure = certificate.filter { $0.call != .equivalent }.map { "\($0.name.asCode)" }
      sentences.append(
        "The machine is too noisy to judge times: base beside itself is not the same within "
          + "\(percent(rules.tolerance)) in \(unsure.joined(separator: ", ")).")
      return sentences.joined(separator: " ")
    }
    for call in [PairedVerdict.Call.regressed, .improved, .inconclusive] {
      let found = verdicts.filter { $0.call == call }
      guard !found.isEmpty else { continue }
      sentences.append("\(Self.word(call)): \(found.map(words).joined(separator: "; ")).")
    }
    if verdicts.allSatisfy({ $0.call == .equivalent }) {
      sentences.append(
        "No difference beyond \(percent(rules.tolerance)) in "
          + "\(verdicts.map { "\($0.name.asCode)" }.joined(separator: ", ")).")
    }
    return sentences.joined(separator: " ")
  }

  private func words(_ verdict: PairedVerdict) -> String {
    let change = verdict.ratio.map { "\($0.ratio.threeDigits) × base" } ?? "no ratio"
    guard verdict.call == .inconclusive else { return "\(verdict.name.asCode) \(change)" }
    let least =
      verdict.smallestEffect.isFinite
      ? "; a change of \(percent(verdict.smallestEffect)) would have been seen" : ""
    return "\(verdict.name.asCode) \(change)\(least)"
  }

  package var text: String {
    var parts = ["# Head beside base\n", "**\(answer)**\n"]
    if !exactChanges.isEmpty { parts.append(exactTable) }
    parts.append("## Figures that decide\n\n" + table(verdicts))
    parts.append("## The machine: base beside base\n\n" + table(certificate))
    if !shown.isEmpty {
      parts.append(
        "## Other figures\n\nTo look through, not to decide by: corrected by Benjamini and Hochberg.\n\n"
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

  private func table(_ verdicts: [PairedVerdict]) -> String {
    var table = MarkdownTable([
      ("figure", .left), ("base", .right), ("head", .right), ("ratio", .right),
      ("by resampling", .right), ("p", .right), ("p by sign flips", .right),
      ("rank-biserial", .right), ("Cliff's δ", .right), ("call", .left),
    ])
    for verdict in verdicts {
      table.add([
        verdict.name, FigureText.words(verdict.base, verdict.unit),
        FigureText.words(verdict.head, verdict.unit),
        verdict.ratio.map { ratio in
          "\(ratio.ratio.threeDigits) \(ratio.interval.map(bounds) ?? "")"
        } ?? "n/a", verdict.resampled.map(bounds) ?? "n/a", probability(verdict.pValue),
        probability(verdict.flipPValue), verdict.rankBiserial.threeDigits,
        verdict.cliffsDelta.threeDigits, verdict.call.rawValue,
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
    - \(heading.blocks) blocks of base, head and base again, each in random order (seed \(rules.seed)), each run in a \
    process and folder of its own, after \(counted(heading.warmUps, "run")) to warm up; a pilot of ten blocks planned \
    \(heading.planned).
    - A change of up to \(percent(rules.tolerance)) counts as the same. Ratio: Hodges–Lehmann center of the logarithms \
    of paired ratios, with the exact signed-rank interval of \(percent(1 - heading.level)); looks after 30, 60 and 120 \
    blocks share the level \(percent(rules.alpha)). A call needs the interval beyond the tolerance, the signed-rank \
    test corrected by Holm, and the sign-flip test; the same needs two one-sided tests within it.

    """
  }

  private static func word(_ call: PairedVerdict.Call) -> String {
    switch call {
    case .regressed: "Slower or larger"
    case .improved: "Faster or smaller"
    case .equivalent: "The same"
    case .inconclusive: "Not to be told"
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
