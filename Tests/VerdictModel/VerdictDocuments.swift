// What is made from Reports/Verdicts/verdicts.csv: the tables of the page beside it, between two marks, and the picture of
// the power.
import Experiments
import ReportRendering
package import SystemIO

package enum VerdictDocuments {
  package static let results = "Reports/Verdicts/verdicts.csv"
  package static let page = "Reports/Verdicts/README.md"
  package static let picture = "Reports/Verdicts/power.svg"
  private static let begin = "<!-- made from verdicts.csv -->\n"
  private static let end = "<!-- end of what is made -->\n"

  /// Writes both anew.
  package static func publish(_ repository: FilePath) throws {
    let known = try VerdictResults.parse(
      FileSystem.readText(repository.pushing(FilePath(results))))
    let path = repository.pushing(FilePath(page))
    try FileSystem.write(text: try placed(known, in: FileSystem.readText(path)), to: path)
    if let svg = power(known) {
      try FileSystem.write(text: svg, to: repository.pushing(FilePath(picture)))
    }
  }

  /// The page with the table of these results in the place of the old one.
  package static func placed(_ results: [VerdictResult], in page: String) throws -> String {
    let parts = page.split(separator: begin, omittingEmptySubsequences: false)
    guard parts.count == 2, let rest = parts[1].firstRange(of: end) else {
      throw VerdictResults.Malformed(description: "the page has no place for the table")
    }
    return parts[0] + begin + table(results) + parts[1][rest.lowerBound...]
  }

  package static func table(_ results: [VerdictResult]) -> String {
    var lines = [
      "| head beside base | figures that decide | tolerance | tries | called | equivalent | inconclusive"
        + " | environment invalid | aim |",
      "|---|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    for result in results where result.study != "power" {
      let counts = [
        result.tries, result.called, result.equivalent, result.inconclusive, result.invalid,
      ]
      lines.append(
        "| \(words(result.study)) | \(figures(result)) | \(result.tolerance) % | "
          + counts.map(String.init).joined(separator: " | ") + " | \(aim(result.study)) |")
    }
    let power = results.filter { $0.study == "power" }
    guard let first = power.first else { return "\n" + lines.joined(separator: "\n") + "\n\n" }
    lines += [
      "",
      "A wait added to every commit, \(figures(first)) deciding at a tolerance of \(first.tolerance) %; the aim at 10 %:",
      "called in half of the tries by 60 blocks, in 80 % by 120.",
      "",
      "| added | tries | "
        + PairedRuns.interimAnalyses.map { "called by \($0) blocks" }.joined(separator: " | ")
        + " | environment invalid |",
      "|---:|---:|" + PairedRuns.interimAnalyses.map { _ in "---:|" }.joined() + "---:|",
    ]
    for result in power {
      let counts = [result.tries] + result.calledBy + [result.invalid]
      lines.append(
        "| \(result.added) % | " + counts.map(String.init).joined(separator: " | ") + " |")
    }
    lines += ["", "![Share of tries that called the change, by its size](power.svg)"]
    return "\n" + lines.joined(separator: "\n") + "\n\n"
  }

  package static func power(_ results: [VerdictResult]) -> String? {
    let power = results.filter { $0.study == "power" && $0.tries > 0 }
    let curves = PairedRuns.interimAnalyses.enumerated().map { index, look in
      PowerPicture.Curve(
        title: "by \(look) blocks",
        points: power.map { ($0.added, Double($0.calledBy[index]) / Double($0.tries)) })
    }
    return PowerPicture.svg(curves, tolerance: power.first?.tolerance ?? 0)
  }

  private static func figures(_ result: VerdictResult) -> String {
    result.figures.map { "`\($0)`" }.joined(separator: ", ")
  }

  private static func words(_ study: String) -> String {
    switch study {
    case "aa": "a copy of the same program, on a quiet processor"
    case "loaded": "the same program, beside a process that works in bursts"
    case "swapped": "the sides in each other's place, beside that process"
    default: study
    }
  }

  private static func aim(_ study: String) -> String {
    study == "aa" ? "equivalent ≥ 70 %, invalid ≤ 20 %" : "called ≤ 16 of 200"
  }
}
