// How far engines behave as the one that they follow, over many scenarios: what holds, then every figure.
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

  /// Those whose marks are judged.
  private var judged: [Agreement.Row] { isSmall ? rows : rows.filter(\.isLarge) }

  private var isSmall: Bool { size == "ci" }

  private static func median(_ rows: [Agreement.Row]) -> Double? {
    let apart = rows.map { abs($0.apart) }.sorted()
    return apart.isEmpty ? nil : (apart[(apart.count - 1) / 2] + apart[apart.count / 2]) / 2
  }

  /// Of files that are too small to be judged: what they came to.
  private var smaller: String? {
    let small = rows.filter { !$0.isLarge }
    guard !isSmall, let median = Self.median(small) else { return nil }
    let near = small.count { abs($0.apart) <= Agreement.maxDifference }
    return "of smaller files, not judged: \(near) of \(counted(small.count, "cell")) within"
      + " ± \(percent(Agreement.maxDifference)), median \(percent(median))"
  }

  /// What is demanded, each with what was found.
  private var findings: [(holds: Bool, words: String)] {
    let judged = judged
    let median = Self.median(judged)
    let files =
      isSmall
      ? "high-water marks" : "high-water marks of files of \(Agreement.minJudgedSize) and more"
    let far = judged.count { abs($0.apart) > Agreement.maxDifference }
    let other = rows.count { $0.engine.levelsOff != $0.reference.levelsOff }
    let measured = agreements.filter { $0.rows.count > 1 }
    let ordered = measured.count { $0.ordersAgree }
    return [
      (
        far == 0,
        "\(files) within ± \(percent(Agreement.maxDifference)): \(judged.count - far) of \(counted(judged.count, "cell"))"
      ),
      (
        median.map { $0 <= Agreement.maxMedianDifference } ?? !rows.isEmpty,
        "their median within ± \(percent(Agreement.maxMedianDifference)): "
          + (median.map(percent)
            ?? (rows.isEmpty ? "nothing was measured on both" : "no file is so large"))
      ),
      (
        other == 0,
        "the same verdict, plateau or growth: \(rows.count - other) of \(counted(rows.count, "cell"))"
      ),
      (
        Double(ordered) >= 0.9 * Double(measured.count),
        "the same order of policies: \(ordered) of \(measured.count) scenarios with two and more"
      ),
    ]
  }

  package var agrees: Bool { findings.allSatisfy(\.holds) }

  package var title: String { "`\(engine)` beside `\(reference)`, size \(size)" }

  /// One line for each demand.
  package var summary: String {
    findings.map { "\($0.holds ? "holds" : "does not hold"): \($0.words)\n" }.joined()
      + (smaller.map { $0 + "\n" } ?? "")
  }

  package var text: String {
    var page = "## \(title)\n\n\(origin)\n\n"
    page += findings.map { "- \($0.holds ? "holds" : "**does not hold**"): \($0.words)\n" }.joined()
    if let smaller { page += "- \(smaller)\n" }
    if !rows.isEmpty { page += "\n" + table }
    let reversed = agreements.filter { !$0.ordersAgree }
    if !reversed.isEmpty {
      page += "\nPolicies that the two put the other way round:\n\n"
      for agreement in reversed {
        page +=
          "- `\(agreement.scenario)`: \(agreement.reversed.joined(separator: "; ").asMarkdown)\n"
      }
    }
    let exclusions = agreements.filter { !$0.exclusions.isEmpty }
    if !exclusions.isEmpty { page += "\nLeft out, since one of the two does not have it:\n\n" }
    for agreement in exclusions {
      for (reason, cells) in Self.byReason(agreement.exclusions) {
        page +=
          "- `\(agreement.scenario)`, \(cells.joined(separator: ", ").asMarkdown): \(reason.asMarkdown)\n"
      }
    }
    return page
  }

  /// Versions and days, once where they are the same for all.
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
      ("high-water mark", .right), ("apart", .right), ("verdict", .left), ("final", .right),
      ("shrunk", .right), ("starts", .right), ("", .left),
    ])
    for agreement in agreements {
      for row in agreement.rows {
        let (a, b) = (row.engine, row.reference)
        table.add([
          agreement.scenario, grouped(agreement.origin.rows), row.policy.asMarkdown,
          row.arm.asMarkdown,
          "\(a.highWater) : \(b.highWater)", percent(row.apart), verdicts(a, b),
          "\(a.final) : \(b.final)", "\(a.shrunk) : \(b.shrunk)", "\(a.starts) : \(b.starts)",
          row.agrees ? "" : "differs",
        ])
      }
    }
    return table.text
  }

  private func verdicts(_ a: Agreement.Figures, _ b: Agreement.Figures) -> String {
    a.levelsOff == b.levelsOff ? verdict(a) : "\(verdict(a)) : \(verdict(b))"
  }

  private func verdict(_ figures: Agreement.Figures) -> String {
    figures.levelsOff ? "plateau" : "growth"
  }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
