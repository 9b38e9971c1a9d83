// Asks a program for the decision at a launch: one process for each, without a shell, within limits of time and output.
import MetricModel
import Policies
import SystemIO

struct DecisionProgram {
  /// The most that the program may take and write. The time is a guard against a program that hangs: one that starts
  /// an interpreter may take seconds on a busy machine.
  static let limit = ChildProcess.Limit(milliseconds: 60_000, outputBytes: 64 << 10)

  let rule: ProgramRule
  var limit = Self.limit

  /// Returns the program's decision; an error where it gives none.
  func decide(_ observation: Observation) throws(RunnerError) -> LaunchDecision {
    let program = try executable()
    let outcome: ChildProcess.Outcome
    do throws(SystemError) {
      outcome = try ChildProcess(program, arguments: Array(rule.words.dropFirst()))
        .run(input: Array((ProgramRule.request(observation) + "\n").utf8), limit: limit)
    } catch {
      if error.isTimeout { throw failure("took longer than \(limit.milliseconds / 1000) s") }
      if error.isExcess { throw failure("wrote more than \(limit.outputBytes / 1024) KiB") }
      throw failure("could not run: \(error)")
    }
    guard outcome.ending.isSuccess else {
      throw failure("ended with \(outcome.ending)" + lastLine(of: outcome.errorText))
    }
    guard let text = String(validating: outcome.output, as: UTF8.self),
      let decision = ProgramRule.decision(from: text)
    else {
      throw failure(
        "replied \"\(visible(outcome.outputText))\", and yes or no is needed"
          + lastLine(of: outcome.errorText))
    }
    return decision
  }

  /// A name with a slash is a path; any other is searched for in the folders of `$PATH`.
  private func executable() throws(RunnerError) -> FilePath {
    let name = rule.words[0]
    if name.contains("/") { return FilePath(name) }
    guard let found = ChildProcess.findExecutable(name) else {
      throw failure("could not run: no folder of $PATH has it; write ./\(name) for one beside you")
    }
    return found
  }

  private func failure(_ words: String) -> RunnerError {
    RunnerError("exec: \(rule.text) \(words)")
  }

  private func lastLine(of text: String) -> String {
    text.split(whereSeparator: \.isNewline).last.map { ": \(visible($0))" } ?? ""
  }

  private func visible(_ text: some StringProtocol) -> String {
    String(text.prefix(200)).onOneLine
  }
}
