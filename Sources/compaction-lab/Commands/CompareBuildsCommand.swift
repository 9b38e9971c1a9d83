// Compares two builds of any program side by side in one job, the only sound way to compare times.
import Analysis
import ArgumentParser
import Experiments
import MetricModel
import Regression
import ReportRendering
import SystemIO

struct CompareBuildsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-builds",
    abstract: "Runs two commands side by side and decides whether the second is slower.",
    discussion: """
      Each command is run by /bin/sh in an empty folder of its own (or a copy of --prepared), in blocks of base, head \
      and base again, in random order. The second run of base is an A/A check of the machine. Figures of records \
      that a command writes are compared too: `scenario/engine/policy/arm/column`, or `*/column` for all cells.

      Exit codes: 0 nothing is worse (or the verdict is inconclusive, unless --inconclusive fail), 1 head is worse in \
      time or in any exact figure, 2 could not run, 3 head is better and nothing is worse, 5 the machine is too noisy, \
      64 usage, 130 interrupted.
      """)

  enum Inconclusive: String, ExpressibleByArgument, CaseIterable { case pass, fail }

  @Option(name: .long, help: "The command of the base build.")
  var base: String

  @Option(name: .long, help: "The command of the head build, which is judged.")
  var head: String

  @Option(name: .long, help: "A folder; each run starts in a copy of it.")
  var prepared: String?

  @Option(
    name: .long,
    help: """
      A figure that decides, in place of the whole command's processor_time_ns and wall_ns; may be repeated.
      """
  )
  var metric: [String] = []

  @Option(name: .long, help: "A change of up to this many percent counts as the same.")
  var tolerance: Double = 3

  @Option(name: .long, help: "Seeds the order of the runs, and resampling.")
  var seed: UInt64 = 1

  @Option(
    name: .long, help: "The exit code of an inconclusive comparison: that of pass, or of fail.")
  var inconclusive: Inconclusive = .pass

  @Option(name: .long, help: "A file for the report.")
  var report: String?

  @Option(name: .long, help: "A file for the comparison as JSON, which gate --comparison reads.")
  var json: String?

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    guard tolerance > 0, tolerance < 100 else {
      throw ValidationError("--tolerance is above 0 and below 100 percent")
    }
  }

  func run() throws {
    do {
      let prepared = try prepared.map { try FileSystem.absolute(FilePath($0)) }
      if let prepared, !FileSystem.isFolder(prepared) {
        throw ComparisonError("\(prepared): no such folder")
      }
      let work = try PlanExecution.makeWorkFolder(in: nil)
      defer { work.remove() }
      let comparison = BuildComparison(
        base: base, head: head, prepared: prepared,
        deciding: metric.isEmpty ? BuildComparison.defaultDeciding : metric)
      let rules = ComparisonRules(tolerance: tolerance / 100, seed: seed)
      let cancellation = try Cancellation.onSignals()
      let report = try comparison.run(rules: rules, work: work.path, cancellation: cancellation) {
        block, planned in
        show("block \(block + 1) of \(planned)")
      }
      try finish(report, rules)
    } catch let code as ExitCode {
      throw code
    } catch {
      throw couldNotRun("\(error)")
    }
  }

  private func finish(_ found: BuildComparison.Report, _ rules: ComparisonRules) throws {
    show("")
    let page = page(found, rules)
    Console.print(page.summary)
    if let report {
      try FileSystem.write(text: page.text, to: try FileSystem.absolute(FilePath(report)))
      Console.print("report: \(report)")
    } else {
      Console.print("\n" + page.text)
    }
    if let json {
      let data = try timed(found, rules).json()
      try FileSystem.write(Array(data), to: try FileSystem.absolute(FilePath(json)))
    }
    let verdicts = found.outcome.comparisons.map(\.verdict)
    if found.outcome.interrupted { throw ExitCode.interrupted }
    let exact = found.exactDifferences
    if exact.contains(where: { !$0.isBetter }) { throw ExitCode.worse }
    if !found.outcome.isEnvironmentValid { throw ExitCode.environmentInvalid }
    if verdicts.contains(.regressed) { throw ExitCode.worse }
    if verdicts.contains(.inconclusive), inconclusive == .fail { throw ExitCode.worse }
    if verdicts.contains(.improved) || !exact.isEmpty { throw ExitCode.better }
  }

  private func timed(
    _ found: BuildComparison.Report, _ rules: ComparisonRules
  ) -> TimedComparison {
    let polarities = Dictionary(
      found.outcome.series.map { ($0.name, $0.polarity.rawValue) }
    ) { first, _ in first }
    return TimedComparison(
      base: base, head: head, machine: MachineFacts.current, tolerance: rules.tolerance,
      blocks: found.outcome.blocks, isEnvironmentValid: found.outcome.isEnvironmentValid,
      comparisons: found.outcome.comparisons, aaCheck: found.outcome.aaCheck,
      polarity: { polarities[$0] ?? "" }, exactFigures: found.exactFigures,
      exactDifferences: found.exactDifferences)
  }

  /// Draws progress in a terminal; writes nothing into a pipe.
  private func show(_ progress: String) {
    guard !quiet.isQuiet, Terminal.isTerminal(.error) else { return }
    Console.draw("\r\u{1B}[2K\(progress)")
  }

  private func page(
    _ found: BuildComparison.Report, _ rules: ComparisonRules
  ) -> ComparisonMarkdown {
    let machine = Machine.current()
    let outcome = found.outcome
    return ComparisonMarkdown(
      heading: ComparisonHeading(
        base: base, head: head, blocks: outcome.blocks, planned: outcome.planned,
        warmUps: outcome.warmUps, level: outcome.level,
        machine: "\(machine.processor), \(machine.processorCount) processors, \(machine.system)",
        exactFigures: found.exactFigures),
      rules: rules, comparisons: outcome.comparisons, shown: outcome.shown,
      aaCheck: outcome.aaCheck,
      exactChanges: found.exactDifferences)
  }
}

extension ExitCode {
  static let worse = ExitCode(1)
  static let better = ExitCode(3)
  static let environmentInvalid = ExitCode(5)
}
