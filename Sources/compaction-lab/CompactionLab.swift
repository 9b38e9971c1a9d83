// The command line: composes the rooms below, decides nothing.
import ArgumentParser

@main
struct CompactionLab: AsyncParsableCommand {
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
      RunCommand.self, NewCommand.self, ValidateCommand.self, ExplainCommand.self,
      EnginesCommand.self, ScenariosCommand.self, PoliciesCommand.self, VariablesCommand.self,
      ReportCommand.self, RecordCommand.self, ReplayCommand.self, TraceCommand.self,
      CompareBuildsCommand.self, CompareCurvesCommand.self, AgreementCommand.self,
      GalleryCommand.self,
      BaselineCommand.self, GateCommand.self, HistoryCommand.self,
      InspectCommand.self, VerifyCommand.self,
      CompactCommand.self, CellCommand.self, ClientCommand.self, DrawingLoadCommand.self,
    ])

  /// As ArgumentParser runs a command, with a check of the arguments before and suggestions afterwards.
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try ArgumentCheck.check(arguments)
      var command = try await asyncParseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      guard let message = Suggestions.message(for: error, arguments) else { exit(withError: error) }
      Console.error(message)
      exit(withError: ExitCode.validationFailure)
    }
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

/// Says on standard error why nothing could be done, and ends with the code for it.
func couldNotRun(_ reason: String) -> ExitCode {
  Console.error("compaction-lab: \(reason)")
  return .couldNotRun
}
