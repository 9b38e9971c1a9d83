// The consent to start the programs of `exec:` policies.
import ArgumentParser
import Policies

struct ExecOption: ParsableArguments {
  @Flag(help: "Starts the programs of exec: policies, as you, at every launch of their cells.")
  var allowExec = false

  /// Throws where a policy is a program, and that was not allowed.
  func check(_ policies: [Policy]) throws {
    guard !allowExec, let policy = policies.first(where: { $0.program != nil }) else { return }
    throw couldNotRun(
      "the policy \"\(policy.name)\" is a program (\(policy.rule)); --allow-exec starts it")
  }
}
