// The agreement of engines with their reference over many scenarios: the criteria, then every figure.
package import Analysis
import MetricModel

package struct AgreementMarkdown: Sendable {
  package static let fileName = "agreement.md"

  /// One engine's scenarios of one size, all against the same reference.
  private let agreements: [Agreement]
  private let engine: String
  private let reference: String
  private let size: String

  private init(_ agreements: [Agreement]) {
    self.agreements = agreements
    engine = agreements[0].engine
    reference = agreements[0].reference
    size = agreements[0].origin.size
  }

  /// A page for each engine and size, in the order in which they come.
  package static func pages(_ agreements: [Agreement]) -> [AgreementMarkdown] {
    struct Key: Hashable {
      var engine: String
      var reference: String
      var size: String
    }
    func key(_ agreement: Agreement) -> Key {
      Key(
        engine: agreement.engine, reference: agreement.reference, size: agreement.origin.size)
    }
    var order: [Key] = []
    for agreement in agreements where !order.contains(key(agreement)) {
      order.append(key(agreement))
    }
    return order.map { wanted in AgreementMarkdown(agreements.filter { key($0) == wanted }) }
  }

  private var rows: [Agreement.Row] { agreements.flatMap(\.rows) }

  /// Rows whose high-water marks are judged.
  private var judged: [Agreement.Row] { isSmall ? rows : rows.filter(\.isLarge) }

  private var isSmall: Bool { size == "ci" }

  private static func median(_ rows: [Agreement.Row]) -> Double? {
    let apart = rows.map { abs($0.relativeDifference) }.sorted()
    return apart.isEmpty ? nil : (apart[(apart.count - 1) / 2] + apart[apart.count / 2]) / 2
  }

  /// The result for files that are too small to be judged.
  private var smaller: String? {
    let small = rows.filter { !$0.isLarge }
    guard !isSmall, let median = Self.median(small) else { return nil }
    let near = small.count { abs($0.relativeDifference) <= Agreement.maxDifference }
    return "smaller files, not judged: \(near) of \(counted(small.count, "cell")) within"
      + " ± \(percent(Agreement.maxDifference)), median \(percent(median))"
  }

  /// The criteria, each with whether it holds.
  private var criteria: [(holds: Bool, words: String)] {
    let judged = judged
    let median = Self.median(judged)
    let files =
      isSmall
      ? "high-water marks" : "high-water marks of files of at least \(Agreement.minJudgedSize)"
    let far = judged.count { abs($0.relativeDifference) > Agreement.maxDifference }
    let other = rows.count { $0.engine.levelsOff != $0.reference.levelsOff }
    let measured = agreements.filter { $0.rows.count > 1 }
    let ordered = measured.count { $0.ordersAgree }
    return [
      (
        far == 0,
        "\(files) within ± \(percent(Agreement.maxDifference)): \(judged.count - far) of \(counted(judged.count, "cell"))"
      ),
      (
        median.map { $0 <= Agreement.maxMedianDifference } ?? true,
        "their median within ± \(percent(Agreement.maxMedianDifference)): "
          + (median.map(percent) ?? "no file is that large")
      ),
      (
        other == 0,
        "the same trend, plateau or growth: \(rows.count - other) of \(counted(rows.count, "cell"))"
      ),
      (
        Double(ordered) >= 0.9 * Double(measured.count),
        "the same order of policies: \(ordered) of \(measured.count) scenarios with two or more"
      ),
    ]
  }

  /// Whether both engines ran something, and every criterion holds.
  package var agrees: Bool { !rows.isEmpty && criteria.allSatisfy(\.holds) }

  /// The result of each criterion; "not run" where one of the engines is absent, for example without its library.
  private var results: [(word: String, words: String)] {
    guard !rows.isEmpty else { return [("not run", "nothing was measured on both engines")] }
    return criteria.map { ($0.holds ? "holds" : "does not hold", $0.words) }
  }

  package var title: String { "`\(engine)` compared with `\(reference)`, size \(size)" }

  /// One line for each criterion.
  package var summary: String {
    results.map { "\($0.word): \($0.words)\n" }.joined()
      + (smaller.map { $0 + "\n" } ?? "")
  }

  package var text: String {
    var page = "## \(title)\n\n\(origin)\n\n"
    page += results.map {
      "- \($0.word == "does not hold" ? "**does not hold**" : $0.word): \($0.words)\n"
    }.joined()
    if let smaller { page += "- \(smaller)\n" }
    if !rows.isEmpty { page += "\n" + table }
    let reversed = agreements.filter { !$0.ordersAgree }
    if !reversed.isEmpty {
      page += "\nPolicies that the two order differently:\n\n"
      for agreement in reversed {
        page +=
          "- `\(agreement.scenario)`: \(agreement.reversedPairs.joined(separator: "; ").asMarkdown)\n"
      }
    }
    let exclusions = agreements.filter { !$0.exclusions.isEmpty }
    if !exclusions.isEmpty { page += "\nExcluded, since one of the two cannot run it:\n\n" }
    for agreement in exclusions {
      for (reason, cells) in Self.byReason(agreement.exclusions) {
        page +=
          "- `\(agreement.scenario)`, \(cells.joined(separator: ", ").asMarkdown): \(reason.asMarkdown)\n"
      }
    }
    return page
  }

  /// Versions and days, each once.
  private var origin: String {
    func distinct(_ values: [String]) -> String {
      var seen: [String] = []
      for value in values where !seen.contains(value) { seen.append(value) }
      return seen.joined(separator: ", ")
    }
    let days = distinct(agreements.map { String($0.origin.startedAt.prefix(10)) }.sorted())
    return "`\(engine)` \(distinct(agreements.map(\.origin.engineVersion))), `\(reference)` "
      + "\(distinct(agreements.map(\.origin.referenceVersion))); run on \(days)."
  }

  private static func byReason(
    _ cells: [Agreement.Exclusion]
  ) -> [(reason: String, cells: [String])] {
    var found: [(reason: String, cells: [String])] = []
    for cell in cells {
      if let index = found.firstIndex(where: { $0.reason == cell.reason }) {
        found[index].cells.append("\(cell.policy) (\(cell.arm))")
      } else {
        found.append((cell.reason, ["\(cell.policy) (\(cell.arm))"]))
      }
    }
    return found
  }

  private var table: String {
    var table = MarkdownTable([
      ("scenario", .left), ("rows", .right), ("policy", .left), ("arm", .left),
      ("high-water mark", .right), ("difference", .right), ("trend", .left), ("final", .right),
      ("shrunk by", .right), ("compactions started", .right), ("", .left),
    ])
    for agreement in agreements {
      for row in agreement.rows {
        let (a, b) = (row.engine, row.reference)
        table.add([
          agreement.scenario, grouped(agreement.origin.rows), row.policy.asMarkdown,
          row.arm.asMarkdown,
          "\(a.highWater) : \(b.highWater)", percent(row.relativeDifference), trends(a, b),
          "\(a.final) : \(b.final)", "\(a.shrunk) : \(b.shrunk)",
          "\(a.automaticStarts) : \(b.automaticStarts)",
          row.agrees ? "" : "differs",
        ])
      }
    }
    return table.text
  }

  private func trends(_ a: Agreement.Figures, _ b: Agreement.Figures) -> String {
    a.levelsOff == b.levelsOff ? trend(a) : "\(trend(a)) : \(trend(b))"
  }

  private func trend(_ figures: Agreement.Figures) -> String {
    figures.levelsOff ? "plateau" : "growth"
  }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
