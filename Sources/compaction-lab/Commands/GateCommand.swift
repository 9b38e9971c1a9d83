// The regression gate of continuous integration: compares what was measured with what is expected, in one exit code.
import ArgumentParser
import Regression
import SystemIO

import struct Foundation.Data
import class Foundation.ProcessInfo

struct GateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Passes or fails a build by its exact figures and, with compare-builds, its times.",
    discussion: """
      Exact figures are compared with the baselines to the byte, those of runs with six or more seeds by pairs of \
      seeds; times only as compare-builds --json measured them in the same job. A threshold file sets the allowed \
      changes (Docs/Gate.md). --max-regret limits what a policy may cost above the optimum, by the records of optimum.

      Exit codes: 0 pass, 1 a figure is worse, or differs where no direction is better, 2 could not run, or cells of \
      the baseline are missing, 3 a figure is better by more than its threshold: save the baseline again, 4 a baseline \
      is missing, 5 the machine is too noisy or a different one, 64 usage.
      """)

  @Argument(help: "Folders with the records of runs and optima.")
  var records: [String] = ["Reports"]

  @OptionGroup var folder: BaselineCommand.Folder

  @Option(name: .long, help: "A file of thresholds.")
  var thresholds: String?

  @Option(
    name: .long, help: "A file that compare-builds --json wrote in this job; may be repeated.")
  var comparison: [String] = []

  @Flag(help: "Allows the runs to lack cells of the baseline.")
  var partial = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      The most that a policy may cost above the optimum, such as "10 %", by the records of optimum. Where the optimum costs \
      nothing, nothing more.
      """, valueName: "share"))
  var maxRegret: String?

  @Option(
    name: .long,
    help: "A policy that --max-regret holds for, in place of all; may be repeated.")
  var policy: [String] = []

  @Option(name: .long, help: "A file for the whole comparison as JSON.")
  var json: String?

  @Option(name: .long, help: "A file for JUnit XML.")
  var junit: String?

  @Option(name: .long, help: "A file for the exact figures as github-action-benchmark reads them.")
  var benchmarkJSON: String?

  @Option(name: .long, help: "A file for the summary as Markdown.")
  var markdown: String?

  @Flag(
    help: """
      Prints annotations for GitHub, and appends the summary to the file that $GITHUB_STEP_SUMMARY names.
      """)
  var github = false

  func validate() throws {
    _ = try regretLimit()
    if maxRegret == nil, !policy.isEmpty {
      throw ValidationError("--policy names what --max-regret holds for; give both")
    }
  }

  private func regretLimit() throws -> RegretLimit? {
    guard let maxRegret else { return nil }
    guard let limit = RegretLimit(maxRegret) else {
      throw ValidationError(
        "--max-regret: expected a share such as \"10 %\", found \(maxRegret.debugDescription)")
    }
    return limit
  }

  func run() throws {
    let limit = try regretLimit()
    let loaded = try MeasuredRuns.load(records)
    let outcome: GateOutcome
    do {
      let rules = try readThresholds()
      var findings = ExactFindings()
      let exact = BaselineComparison(thresholds: rules)
      for measured in loaded {
        let base = try MeasuredRuns.baseline(of: measured.name, measured.kind, in: folder.path)
        // With a limit, regrets need no baseline.
        if base == nil, measured.kind == .optimum, limit != nil { continue }
        try exact.compare(measured, with: base, into: &findings)
      }
      var found = GateOutcome(exact: findings, allowsPartial: partial)
      if let limit {
        try RegretCheck(limit, policies: policy).check(
          loaded.flatMap(\.optima), into: &found)
      }
      outcome = try withTimes(found, rules)
      try write(outcome, loaded)
    } catch let code as ExitCode { throw code } catch { throw couldNotRun("\(error)") }
    Console.print(outcome.terminalText())
    if github { outcome.annotations().forEach(Console.print) }
    if outcome.result != .pass { throw ExitCode(outcome.result.rawValue) }
  }

  private func readThresholds() throws -> Thresholds {
    guard let thresholds else { return Thresholds() }
    return try Thresholds(
      parsing: try FileSystem.readText(FilePath(thresholds)), name: thresholds)
  }

  private func withTimes(_ outcome: GateOutcome, _ rules: Thresholds) throws -> GateOutcome {
    var outcome = outcome
    for file in comparison {
      let found = try TimedComparison(
        json: Data(try FileSystem.read(FilePath(file))), name: file)
      outcome.add(found, machine: MachineFacts.current, thresholds: rules, name: file)
    }
    return outcome
  }

  private func write(_ outcome: GateOutcome, _ measured: [MeasuredScenario]) throws {
    func write(_ data: Data, _ path: String) throws {
      try FileSystem.write(Array(data), to: FilePath(path))
    }
    if let json { try write(try outcome.json(), json) }
    if let junit { try write(Data(outcome.junit.utf8), junit) }
    if let markdown { try write(Data(outcome.markdown().utf8), markdown) }
    if let benchmarkJSON { try write(try BenchmarkJSON.json(measured), benchmarkJSON) }
    guard github, let summary = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"] else {
      return
    }
    let before =
      FileSystem.exists(FilePath(summary)) ? try FileSystem.readText(FilePath(summary)) : ""
    try write(Data((before + outcome.markdown()).utf8), summary)
  }
}

/// The facts about the machine that a comparison of builds stores.
enum MachineFacts {
  static var current: [String: String] {
    let machine = Machine.current()
    return [
      "processor": machine.processor, "cores": String(machine.processorCount),
      "memory": "\(machine.memoryBytes) B", "system": machine.system,
      "governor": Machine.governor, "C library": Machine.cLibrary,
    ]
  }
}
