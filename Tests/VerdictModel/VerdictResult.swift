// What the tries of one study come to, as a row of Reports/Verdicts/verdicts.csv: the one source of the tables and the
// picture beside it.
package import Analysis
package import Experiments
package import SystemIO

package struct VerdictResult: Sendable, Equatable {
  /// `aa`, `loaded`, `swapped`, `power`.
  package var study: String
  package var figures: [String]
  /// In percent.
  package var tolerance: Int
  /// What head is known to be slower by, in percent.
  package var added: Int
  package var tries = 0
  /// Tries that ended with a valid machine and head worse, better, the same, or not told.
  package var regressed = 0
  package var improved = 0
  package var equivalent = 0
  package var inconclusive = 0
  /// Tries in which base beside base was not the same.
  package var invalid = 0
  /// Of those that called head worse: by how many blocks at the most, by the looks' numbers.
  package var calledBy: [Int] = PairedRuns.interimAnalyses.map { _ in 0 }
  package var seconds = 0.0

  package static let header =
    "study,figures,tolerance_percent,added_percent,tries,regressed,improved,equivalent,inconclusive,invalid,"
    + PairedRuns.interimAnalyses.map { "called_by_\($0)" }.joined(separator: ",") + ",seconds"

  package init(study: String, figures: [String], tolerance: Int, added: Int) {
    self.study = study
    self.figures = figures
    self.tolerance = tolerance
    self.added = added
  }

  /// A row as `row` writes it; nil for anything else.
  package init?(row: String) {
    let fields = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let looks = PairedRuns.interimAnalyses.count
    guard fields.count == 11 + looks, let seconds = Double(fields[10 + looks]) else { return nil }
    let counts = fields[2..<(10 + looks)].compactMap { Int($0) }
    guard counts.count == 8 + looks else { return nil }
    self.init(
      study: fields[0], figures: fields[1].split(separator: " ").map(String.init),
      tolerance: counts[0], added: counts[1])
    (tries, regressed, improved) = (counts[2], counts[3], counts[4])
    (equivalent, inconclusive, invalid) = (counts[5], counts[6], counts[7])
    calledBy = Array(counts[8...])
    self.seconds = seconds
  }

  package var row: String {
    let counts =
      [tolerance, added, tries, regressed, improved, equivalent, inconclusive, invalid] + calledBy
    return
      ([study, figures.joined(separator: " ")] + counts.map(String.init)
      + ["\(seconds.rounded())"]).joined(separator: ",")
  }

  /// A difference that was called, one way or the other.
  package var called: Int { regressed + improved }

  package mutating func add(_ outcome: PairedRuns.Outcome, seconds: Double) {
    add(
      calls: outcome.comparisons.map(\.verdict), isEnvironmentValid: outcome.isEnvironmentValid,
      blocks: outcome.blocks, seconds: seconds)
  }

  /// One try, by the calls of the figures that decide.
  package mutating func add(
    calls: [PairedComparison.Verdict], isEnvironmentValid: Bool, blocks: Int, seconds: Double
  ) {
    tries += 1
    self.seconds += seconds
    if !isEnvironmentValid {
      invalid += 1
    } else if calls.contains(.regressed) {
      regressed += 1
      for (index, look) in PairedRuns.interimAnalyses.enumerated() where blocks <= look {
        calledBy[index] += 1
      }
    } else if calls.contains(.improved) {
      improved += 1
    } else if calls.allSatisfy({ $0 == .equivalent }) {
      equivalent += 1
    } else {
      inconclusive += 1
    }
  }

  /// The same question: a new answer takes the place of the old one.
  package func asks(_ other: VerdictResult) -> Bool {
    (study, added) == (other.study, other.added)
  }
}

/// The file of results.
package enum VerdictResults {
  package struct Malformed: Error, CustomStringConvertible {
    package let description: String
  }

  private static let studies = ["aa", "loaded", "swapped", "power"]

  package static func parse(_ text: String) throws -> [VerdictResult] {
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.first.map(String.init) == VerdictResult.header else {
      throw Malformed(description: "the header is not \(VerdictResult.header)")
    }
    return try lines.dropFirst().map { line in
      guard let result = VerdictResult(row: String(line)) else {
        throw Malformed(description: "no row of results: \(line)")
      }
      return result
    }
  }

  /// In the order of studies, then of what was added; lines end as those of all our CSV files.
  package static func text(_ results: [VerdictResult]) -> String {
    func place(_ result: VerdictResult) -> (Int, Int) {
      (studies.firstIndex(of: result.study) ?? studies.count, result.added)
    }
    return ([VerdictResult.header] + results.sorted { place($0) < place($1) }.map(\.row))
      .map { $0 + "\r\n" }.joined()
  }

  /// What an earlier study of the same question, by the same rules, came to and kept, to go on from; otherwise `question`.
  package static func begun(_ question: VerdictResult, in file: FilePath) throws -> VerdictResult {
    guard FileSystem.exists(file) else { return question }
    return try parse(FileSystem.readText(file)).first {
      $0.asks(question) && $0.figures == question.figures && $0.tolerance == question.tolerance
    } ?? question
  }

  package static func keep(_ result: VerdictResult, in file: FilePath) throws {
    let known = FileSystem.exists(file) ? try parse(FileSystem.readText(file)) : []
    try FileSystem.write(text: text(known.filter { !$0.asks(result) } + [result]), to: file)
  }
}
