// What the report recommends, and what it must not: the verdict of real runs.
import SystemIO
import Testing

@Suite("Verdicts of reports")
struct VerdictTests {
  private struct Result {
    var outcome: BuiltCommand.Outcome
    /// The paragraphs of the quotation that the report opens with.
    var verdict: [String]
    var report: String
  }

  /// Runs the small scenario once, with these options and changes of its text.
  private func run(
    _ options: [String], changing change: (String) -> String = { $0 }, limit: Int? = nil
  ) async throws -> Result {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small.yml")
      try FileSystem.write(text: change(RunTests.small), to: file)
      let output = folder.appending("out")
      let words =
        ["run", file.string, "--repetitions", "1", "--output", output.string] + options
      let outcome: BuiltCommand.Outcome
      if let limit {
        // The shell's file size limit, in blocks of 512 bytes, stands for a full disk.
        let limited = try await ChildProcess(
          FilePath("/bin/sh"),
          arguments: [
            "-c", "ulimit -f \(limit); exec \"$0\" \"$@\"", BuiltCommand.executable.string,
          ]
            + words
        ).run()
        guard case .exited(let code) = limited.ending else { throw CancellationError() }
        outcome = BuiltCommand.Outcome(
          code: code, output: limited.outputText, errors: limited.errorText)
      } else {
        outcome = try await BuiltCommand.run(words)
      }
      let report = try FileSystem.readText(output.appending("small/report.md"))
      // The verdict itself, and below the picture a sentence for each engine.
      let verdict = report.prefix(
        upTo: report.firstRange(of: "\n## ")?.lowerBound ?? report.endIndex
      )
      .split(separator: "\n").filter { $0.hasPrefix("> ") || $0.hasPrefix("- On ") }
      .map { String($0.dropFirst(2)) }
      return Result(outcome: outcome, verdict: verdict, report: report)
    }
  }

  @Test("never is run beside a single policy, as both the plan and the report state")
  func comparator() async throws {
    let result = try await run(["--engine", "native", "--policy", "every-launch"])
    #expect(result.outcome.code == 0, "\(result.outcome.errors)")
    #expect(result.outcome.output.contains("small · 1 engine × 2 policies · "))
    #expect(
      result.outcome.output.contains(
        "never is run too, to compare with; --comparator none leaves it out"))
    #expect(result.report.contains("`never` was added as the comparator"))
    // The files stay below a megabyte: the policy compacts, and cannot save enough.
    #expect(try #require(result.verdict.first).contains("do not compact"))
  }

  @Test(
    "without never nothing is recommended, whether an option or the scenario leaves it out",
    arguments: [true, false])
  func noComparator(_ isOption: Bool) async throws {
    let result =
      isOption
      ? try await run([
        "--engine", "native", "--policy", "every-launch", "--comparator", "none",
      ])
      : try await run(["--engine", "native"]) {
        $0.replacing("  - never\n", with: "").replacing(
          "sample:", with: "comparator: none\nsample:")
      }
    #expect(result.outcome.code == 0, "\(result.outcome.errors)")
    #expect(result.outcome.output.contains("small · 1 engine × 1 policy · "))
    let first = try #require(result.verdict.first)
    #expect(first.hasPrefix("**No recommendation: on native `never` was not run"))
    #expect(first.contains("the time-weighted file size is"))
    #expect(!result.report.contains("compact at every launch"))
  }

  @Test("a condition that cannot hold is reported as never fired, and is not recommended")
  func neverFired() async throws {
    let condition = "on-launch: totalBytes > 1000 * 1 GB"
    let result = try await run(["--engine", "native", "--engine", "lmdb", "--policy", condition])
    #expect(result.outcome.code == 0, "\(result.outcome.errors)")
    #expect(result.verdict.first == "**On this workload, do not compact.**")
    for engine in ["native", "lmdb"] {
      #expect(
        result.verdict.contains { $0.hasPrefix("On \(engine) no policy triggered a compaction: ") })
    }
    #expect(result.report.contains("- `\(condition)` never triggered on native ("))
  }

  @Test("where all cells of real engines failed, that is the first line, and null has no verdict")
  func failed() async throws {
    let result = try await run(["--engine", "native", "--engine", "null"], limit: 800)
    #expect(result.outcome.code == 2)
    let first = try #require(result.verdict.first)
    #expect(first.hasPrefix("**2 of 3 cells failed (native, never, default; "))
    #expect(first.contains("No recommendation: on native nothing was measured"))
    #expect(!result.verdict.joined().contains("null"))
    #expect(!result.verdict.joined().contains("do not compact"))
  }

  @Test("the scenario's objective decides, and report applies another one to the same record")
  func objective() async throws {
    try await BuiltCommand.withFolder { folder in
      let text = RunTests.small.replacing("rows: 2_000", with: "rows: 20_000")
      // A limit of its own for launches, since a machine under load exceeds the one of a second that holds by itself.
      let objective = "objective: { space: 3, rewritten: 0.01, max-launch: 1 h }\n"
      try FileSystem.write(text: text + objective, to: folder.appending("small.yml"))
      let run = try await BuiltCommand.run(
        [
          "run", "small.yml", "--engine", "native", "--repetitions", "1", "--schedule", "stepped",
          "--output", "out",
        ], in: folder)
      #expect(run.code == 0, "\(run.errors)")
      func report() throws -> String {
        try FileSystem.readText(folder.appending("out/small/report.md"))
      }
      let cheap = try report()
      #expect(cheap.contains("compact at every launch.**"), "\(cheap.prefix(600))")
      #expect(cheap.contains("Objective: 3 per GB·day above a freshly compacted file, 0.01 per GB"))
      #expect(cheap.contains("; by the objective it costs "))
      let dear = try await BuiltCommand.run(
        ["report", "out", "--objective", "space: 1, rewritten: 1000"], in: folder)
      #expect(dear.code == 0, "\(dear.errors)")
      #expect(try report().contains("**On this workload, do not compact.**"))
      let limited = try await BuiltCommand.run(
        ["report", "out", "--objective", "max-size: 1 kB"], in: folder)
      #expect(limited.code == 0, "\(limited.errors)")
      #expect(try report().contains("every policy exceeds a limit of the objective"))
    }
  }

  @Test("run and replay take an objective, which decides, also when report renders again")
  func givenObjective() async throws {
    try await BuiltCommand.withFolder { folder in
      let text = RunTests.small.replacing("rows: 2_000", with: "rows: 20_000")
      // The given one replaces that of the scenario.
      let own = "objective: { space: 1, rewritten: 1000 }\n"
      try FileSystem.write(text: text + own, to: folder.appending("small.yml"))
      let given = ["--objective", "space: 3, rewritten: 0.01, max-launch: 1 h"]
      let run = try await BuiltCommand.run(
        [
          "run", "small.yml", "--engine", "native", "--repetitions", "1", "--schedule", "stepped",
          "--output", "out",
        ] + given, in: folder)
      #expect(run.code == 0, "\(run.errors)")
      let recorded = try await BuiltCommand.run(
        ["record", "small.yml", "small.trace", "--engine", "native", "--policy", "never"],
        in: folder)
      #expect(recorded.code == 0, "\(recorded.errors)")
      let replayed = try await BuiltCommand.run(
        [
          "replay", "small.trace", "--policy", "every-launch", "--output", "out",
        ] + given, in: folder)
      #expect(replayed.code == 0, "\(replayed.errors)")
      for name in ["small", "small-replayed"] {
        let page = folder.appending("out/\(name)/report.md")
        let first = try FileSystem.readText(page)
        #expect(first.contains("compact at every launch.**"), "\(name): \(first.prefix(600))")
        #expect(first.contains("Objective: 3 per GB·day above a freshly compacted file, 0.01 per"))
        try FileSystem.removeFile(page)
        let again = try await BuiltCommand.run(["report", "out/\(name)"], in: folder)
        #expect(again.code == 0, "\(again.errors)")
        #expect(try FileSystem.readText(page) == first, "\(name)")
      }
      let refused = try await BuiltCommand.run(
        ["run", "small.yml", "--objective", "rewriten: 1"], in: folder)
      #expect(refused.code == 64 && refused.errors.contains("did you mean \"rewritten\"?"))
    }
  }

  @Test("each engine has a sentence, and a policy that one does not have is n/a by name")
  func engines() async throws {
    let result = try await run(["--policy", "automatic", "--policy", "every-launch"]) {
      // So many changes that a compaction rewrites less than they, and so many rows that it saves much.
      $0.replacing("rows: 2_000", with: "rows: 20_000").replacing("update: 5", with: "update: 100")
    }
    #expect(result.outcome.code == 0, "\(result.outcome.errors)")
    let first = try #require(result.verdict.first)
    #expect(first.contains("on native") || first.contains("On this workload, "))
    for engine in ["native", "lmdb", "sqlite"] {
      let sentence = try #require(result.verdict.first { $0.hasPrefix("On \(engine) ") })
      if sentence.contains(" keeps the files at ") {
        #expect(sentence.contains(" rewritten; launches take "))
      } else {
        // On a busy machine a launch may take more than a second: then that is told.
        #expect(result.report.contains("- Excluded on \(engine): "), "\(sentence)")
      }
    }
    let isAutomatic = result.verdict.contains { $0.contains(" `automatic` keeps the files at ") }
    #expect(result.report.contains("- `automatic` is n/a on lmdb: ") == isAutomatic)
  }
}
