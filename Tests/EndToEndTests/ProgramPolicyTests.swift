// Policies that are programs, as a user runs them: only where that is allowed, and a bad one costs its own cell.
import SystemIO
import TestSupport
import Testing

@Suite("Programs as policies")
struct ProgramPolicyTests {
  private struct Result {
    var outcome: BuiltCommand.Outcome
    var events: String
    /// What the program wrote beside its decision; nil where it was never started.
    var trail: String?
  }

  /// Runs the small scenario on the native engine, beside `never`, with a policy that is this script of the shell.
  private func run(
    _ script: String, command: [String] = ["run"], options: [String] = ["--allow-exec"]
  ) async throws -> Result {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small.yml")
      let program = folder.appending("decide.sh")
      let trail = folder.appending("trail")
      try FileSystem.write(text: script, to: program)
      try FileSystem.write(
        text: RunTests.small.replacing(
          "- every-launch", with: "- own = exec: sh \(program) \(trail)"
        ).replacing("[native, lmdb, sqlite]", with: "[native]"), to: file)
      let runs = command == ["run"]
      let output = folder.appending("out")
      let outcome = try await BuiltCommand.run(
        command + [file.string]
          + (runs
            ? ["--schedule", "stepped", "--repetitions", "1", "--output", output.string] + options
            : []))
      return Result(
        outcome: outcome,
        events: (try? FileSystem.readText(output.appending("small/events.csv"))) ?? "",
        trail: try? FileSystem.readText(trail))
    }
  }

  /// Writes a line to the trail, and what follows.
  private static func script(_ body: String) -> String {
    """
    read -r line
    printf '%s\\n' "$line" >> "$1"
    \(body)

    """
  }

  @Test("the program decides once at each launch that finds a database, with the values of it")
  func decides() async throws {
    let result = try await run(
      Self.script(#"case "$line" in *'"launch":3'*) echo yes: always ;; *) echo no ;; esac"#))
    #expect(result.outcome.code == 0, "\(result.outcome.errors)")
    let lines = try #require(result.trail).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("\"launch\":2,") && lines[1].contains("\"launch\":3,"))
    #expect(
      lines[0].contains("\"totalBytes\":") && lines[0].contains("\"launchesSinceCompaction\":2,"))
    #expect(result.events.contains("declined") && result.events.contains("the program decided no"))
    #expect(result.events.contains("finished") && result.events.contains("always"))
  }

  @Test("without --allow-exec nothing runs, and the option is named")
  func refused() async throws {
    let result = try await run(Self.script("echo yes"), options: [])
    #expect(result.outcome.code != 0)
    #expect(result.outcome.errors.contains("--allow-exec starts it"))
    #expect(result.trail == nil)
  }

  @Test("validate and explain never start it", arguments: ["validate", "explain"])
  func notStarted(command: String) async throws {
    let result = try await run(Self.script("echo yes"), command: [command])
    #expect(result.outcome.code == 0, "\(result.outcome.errors)")
    #expect(result.trail == nil)
  }

  @Test(
    "a program that fails costs its cell, with the reason, and the others go on",
    arguments: [
      ("echo no database today >&2; exit 1", "ended with exit status 1: no database today"),
      ("kill -9 $$", "ended with signal 9"),
      ("echo perhaps", #"replied "perhaps", and yes or no is needed"#),
      (":", #"replied "", and yes or no is needed"#),
      ("echo yes; echo no", #"replied "yes no", and yes or no is needed"#),
      ("head -c 70000 /dev/zero | tr '\\0' x", "wrote more than 64 KiB"),
      ("head -c 70000 /dev/zero | tr '\\0' x >&2; echo yes", "wrote more than 64 KiB"),
    ])
  func fails(body: String, reason: String) async throws {
    let result = try await run(Self.script(body))
    #expect(result.outcome.code != 0)
    let text = result.outcome.output + result.outcome.errors
    #expect(text.contains(reason), "\(text)")
    #expect(text.contains("exec: sh "))
    // The report has the cell that did not fail.
    #expect(text.contains("report: "))
  }

  @Test("a program that is not there is an error with its name")
  func absent() async throws {
    try await BuiltCommand.withFolder { folder in
      for (name, reason) in [
        ("no-such-program-here", "no folder of $PATH has it"), ("./no-such-file", "No such file"),
      ] {
        let file = folder.appending("small.yml")
        try FileSystem.write(
          text: RunTests.small.replacing("- every-launch", with: "- exec: \(name)"), to: file)
        let outcome = try await BuiltCommand.run([
          "run", file.string, "--engine", "native", "--schedule", "stepped", "--allow-exec",
          "--repetitions", "1", "--output", folder.appending("out").string,
        ])
        #expect(outcome.code != 0)
        #expect((outcome.output + outcome.errors).contains(reason), "\(outcome.errors)")
      }
    }
  }

  @Test(
    "the examples in Python and Swift decide alike",
    .enabled(if: Capabilities.hasPython()))
  func examples() async throws {
    try await BuiltCommand.withFolder { folder in
      let examples = Repository.root.appending("Tests/Policies")
      let built = folder.appending("half-free")
      let compiler = try #require(ChildProcess.findExecutable("swiftc"))
      let compiled = try await ChildProcess(
        compiler, arguments: [examples.appending("HalfFree.swift").string, "-o", built.string]
      ).run()
      #expect(compiled.ending.isSuccess, "\(compiled.errorText)")
      let python = try #require(ChildProcess.findExecutable("python3"))
      for (values, word) in [
        ("\"totalBytes\":2000000,\"usedBytes\":900000", "yes"),
        ("\"totalBytes\":2000000,\"usedBytes\":1000000", "no"),
        ("\"totalBytes\":999999,\"usedBytes\":1", "no"),
        ("\"totalBytes\":2000000,\"usedBytes\":null", "no"),
      ] {
        for program in [
          ChildProcess(python, arguments: [examples.appending("half_free.py").string]),
          ChildProcess(built),
        ] {
          let outcome = try await program.run(input: Array("{\(values)}\n".utf8))
          #expect(outcome.outputText.hasPrefix("\(word): "), "\(outcome.outputText)")
        }
      }
    }
  }
}
