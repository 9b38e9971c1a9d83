// How often a comparison of two commands calls a difference: with itself (false alarms), and with a slowness that is known
// to be there (power). Each try is a whole comparison, as compare-builds makes it. Prints a line of CSV for each figure of
// each try, and what they come to at the end.
//
//     verdict-study --tries 200 --tolerance 10 --metric '*/commit_p50_ns' --base COMMAND [--head COMMAND] [--load]
//       [--study NAME --added PERCENT --results Reports/Verdicts/verdicts.csv]
//     verdict-study --publish FOLDER
//
// Without --head the command is compared with itself. --load keeps one processor busy by a second process. --results
// keeps what the tries come to under the study's name, after each of them, and goes on from what is kept there until there
// are so many tries, since a study may take an hour; who takes the row out begins anew. --publish writes the table and the
// picture of a repository's documents from it.
import Analysis
import Experiments
import Foundation
import SystemIO
import VerdictModel

@main
struct VerdictStudy {
  var tries = 20
  var tolerance = 0.1
  var metrics: [String] = []
  var base = ""
  var head: String?
  var hasLoad = false
  var study = "study"
  /// What head is known to be slower by, in percent.
  var added = 0
  var results: FilePath?
  var repository: FilePath?

  static func main() throws {
    let study = try VerdictStudy(CommandLine.arguments.dropFirst())
    if let repository = study.repository {
      try VerdictDocuments.publish(repository)
      return
    }
    let load = study.hasLoad ? try Load() : nil
    defer { load?.end() }
    try study.run()
  }

  struct Usage: Error, CustomStringConvertible {
    let description: String
  }

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let word = rest.popFirst() {
      if word == "--load" {
        hasLoad = true
        continue
      }
      guard let value = rest.popFirst() else { throw Usage(description: "\(word) wants a value") }
      switch word {
      case "--tries": tries = Int(value) ?? tries
      case "--tolerance": tolerance = (Double(value) ?? 10) / 100
      case "--metric": metrics.append(value)
      case "--base": base = value
      case "--head": head = value
      case "--study": study = value
      case "--added": added = Int(value) ?? added
      case "--results": results = try FileSystem.absolute(FilePath(value))
      case "--publish": repository = try FileSystem.absolute(FilePath(value))
      default: throw Usage(description: "\(word) is no option")
      }
    }
    guard !base.isEmpty || repository != nil, tries > 0 else {
      throw Usage(description: "--base COMMAND is needed")
    }
  }

  private func run() throws {
    let work = try FileSystem.makeTemporaryFolder(prefix: "verdict-study")
    defer { try? FileSystem.removeTree(work) }
    let comparison = BuildComparison(
      base: base, head: head ?? base, prepared: nil,
      deciding: metrics.isEmpty ? BuildComparison.defaultDeciding : metrics)
    Self.say(
      "try,figure,call,certificate,environment,blocks,planned,warm_ups,ratio,low,high,p,seconds")
    let figures = comparison.deciding.map { String($0.split(separator: "/").last ?? "") }
    var result = VerdictResult(
      study: study, figures: figures, tolerance: Int((tolerance * 100).rounded()), added: added)
    if let results { result = try VerdictResults.begun(result, in: results) }
    while result.tries < tries {
      // The seed of the order of runs: another in each try of the question, whenever it is made.
      let number = result.tries + 1
      let began = Clock.monotonicNanoseconds()
      let report = try comparison.run(
        rules: ComparisonRules(tolerance: tolerance, seed: UInt64(number)), work: work,
        progress: { _, _ in })
      let seconds = Double((Clock.monotonicNanoseconds() - began) / 1_000_000) / 1000
      tell(number, report.outcome, seconds)
      result.add(report.outcome, seconds: seconds)
      if let results { try VerdictResults.keep(result, in: results) }
    }
    Self.say("# " + VerdictResult.header + "\n# " + result.row)
  }

  /// At once, so that what is done is kept where a study of an hour is ended early.
  private static func say(_ line: String) { Terminal.write(line + "\n", to: .output) }

  private func tell(_ number: Int, _ outcome: PairedRuns.Outcome, _ seconds: Double) {
    for (verdict, control) in zip(outcome.comparisons, outcome.aaCheck) {
      let ratio = [
        verdict.ratio?.ratio, verdict.ratio?.interval?.low, verdict.ratio?.interval?.high,
        verdict.pValue,
      ].map { $0.map { "\(($0 * 1e6).rounded() / 1e6)" } ?? "" }
      Self.say(
        ([
          String(number), verdict.name.replacing(",", with: ";"), verdict.verdict.rawValue,
          control.verdict.rawValue, outcome.isEnvironmentValid ? "valid" : "invalid",
          String(outcome.blocks), String(outcome.planned), String(outcome.warmUps),
        ] + ratio + ["\(seconds)"]).joined(separator: ","))
    }
  }
}

/// A process that does nothing but keep a processor busy, in bursts, so that runs meet it or do not.
final class Load {
  private let process = Process()

  init() throws {
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c",
      "while kill -0 \"$PPID\" 2>/dev/null; do i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; sleep 0.05; done",
    ]
    try process.run()
  }

  func end() { process.terminate() }
}
