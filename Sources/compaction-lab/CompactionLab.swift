// The command line: composes the modules below, decides nothing.
import ArgumentParser
import SystemIO

import func Foundation.exit

@main
struct CompactionLab: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "compaction-lab",
    abstract:
      "Shows how an embedded database file grows, and what each compaction policy saves and costs.",
    discussion: """
      Replays scenario files against real storage engines, samples how the file grows, and writes a report.

      Exit codes: 0 done, 1 an expectation failed, 2 could not run, 64 usage, 130 interrupted.
      """,
    version: version,
    subcommands: [
      RunCommand.self, SweepCommand.self, OptimumCommand.self, TuneCommand.self,
      FleetCommand.self, CalibrateCommand.self, MergeCommand.self,
      NewCommand.self, ValidateCommand.self, ExplainCommand.self,
      EnginesCommand.self, ScenariosCommand.self, PoliciesCommand.self, VariablesCommand.self,
      ReportCommand.self, RecordCommand.self, ReplayCommand.self, TraceCommand.self,
      ScenarioFromCommand.self,
      CompareBuildsCommand.self, CompareCurvesCommand.self, AgreementCommand.self,
      GalleryCommand.self,
      BaselineCommand.self, GateCommand.self, HistoryCommand.self,
      InspectCommand.self, WatchCommand.self, VerifyCommand.self,
      CompactCommand.self, CellCommand.self, ClientCommand.self, CalibrationJobCommand.self,
      DrawingLoadCommand.self,
    ])

  /// Runs the command as ArgumentParser would, after checking the arguments and the process's limits; adds suggestions to
  /// usage errors, and returns an exit code of its own where the output was lost.
  static func main() {
    Terminal.prepareStreams()
    let arguments = Array(CommandLine.arguments.dropFirst())
    var code = ExitCode.success
    do {
      try ArgumentCheck.check(arguments)
      var command = try parseAsRoot(arguments)
      try ResourceNeeds.requireForAny()
      try command.run()
    } catch {
      // ArgumentParser throws help and the version as errors with the code of success: they are results.
      code = exitCode(for: error)
      var text = Suggestions.message(for: error, arguments) ?? fullMessage(for: error)
      // The commit is looked up only when it is printed.
      if code == .success, text == version { text = BuildVersion.text }
      if !text.isEmpty { code == .success ? Console.print(text) : Console.error(text) }
    }
    Foundation.exit(Console.finish(code).rawValue)
  }
}

/// The exit codes that scripts and CI rely on.
extension ExitCode {
  static let expectationFailed = ExitCode(1)
  static let damaged = ExitCode(1)
  static let differs = ExitCode(1)
  static let couldNotRun = ExitCode(2)
  static let interrupted = ExitCode(130)
}

/// Prints on standard error why nothing could be done, and returns the exit code for it.
func couldNotRun(_ reason: String) -> ExitCode {
  Console.error("compaction-lab: \(reason)")
  return .couldNotRun
}
