import MetricModel
import SystemIO
import Testing

@Suite("The command line")
struct CommandLineTests {
  @Test(
    "help is as the golden file shows",
    arguments: [
      "", "new", "run", "sweep", "optimum", "tune", "fleet", "fleet measure",
      "fleet fit", "fleet simulate", "fleet tune", "fleet agreement", "calibrate", "merge",
      "validate", "explain",
      "record",
      "replay",
      "trace", "scenario-from",
      "engines", "scenarios",
      "policies", "variables",
      "report", "compare-builds", "compare-curves", "agreement", "gallery", "inspect",
      "watch", "verify",
      "compact", "baseline", "baseline save", "baseline list", "baseline show", "baseline compare",
      "gate",
      "history", "history add", "history detect", "history upgrade",
    ])
  func help(_ command: String) async throws {
    let words = command.split(separator: " ").map(String.init) + ["--help"]
    let outcome = try await BuiltCommand.run(words)
    #expect(outcome.code == 0)
    let golden = try Golden.compare(
      outcome.output,
      with: "help\(command.isEmpty ? "" : "-\(command.replacing(" ", with: "-"))").txt")
    #expect(golden.same, "differs from \(golden.path); UPDATE_GOLDEN=1 writes it anew")
  }

  @Test("wrong usage exits with 64 and a message")
  func usage() async throws {
    for words in [
      ["run"], ["run", "x.yml", "--engine", "nosuch"], ["run", "x.yml", "--repetitions", "0"],
      ["run", "x.yml", "--repetitions", "9223372036854775807"],
      ["run", "x.yml", "--jobs", "100000"],
      ["nonsense"], ["run", "x.yml", "--schedule", "sometimes"],
      ["compare-builds", "--base", "true"],
      ["compare-builds", "--base", "true", "--head", "true", "--tolerance", "0"],
    ] {
      let outcome = try await BuiltCommand.run(words)
      #expect(outcome.code == 64, "\(words): \(outcome.code)")
      #expect(outcome.errors.contains("Error: ") || outcome.errors.contains("Usage: "))
    }
  }

  @Test("every mistake of a file is reported with file, line and column, and the code is 2")
  func brokenScenario() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("broken.yml")
      let text = try FileSystem.readText(
        BuiltCommand.root.appending("Scenarios/long-reader.yml"))
      let broken =
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
          line.hasPrefix("launches:") ? "launchez: 3" : line
        }.joined(separator: "\n") + "\nnonsense: 1\n"
      try FileSystem.write(text: broken, to: file)
      for command in ["validate", "run"] {
        let outcome = try await BuiltCommand.run(
          [command, file.string] + (command == "run" ? ["--output", folder.string] : []))
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("\(file):"))
        #expect(outcome.errors.contains("launchez"))
        #expect(outcome.errors.contains("nonsense"))
      }
      #expect(try FileSystem.list(folder) == ["broken.yml"])
    }
  }

  @Test("validate requires that a scenario is named like its file; run does not")
  func misnamed() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("other.yml")
      try FileSystem.write(text: RunTests.small, to: file)
      let outcome = try await BuiltCommand.run(["validate", file.string])
      #expect(outcome.code == 2)
      #expect(
        outcome.errors.contains(
          "\(file):1:11: scenario: the scenario \"small\" is in a file called \"other\""))
      let run = try await BuiltCommand.run([
        "run", file.string, "--engine", "native", "--repetitions", "1", "--output",
        folder.appending("out").string,
      ])
      #expect(run.code == 0, "\(run.errors)")
      try FileSystem.rename(file, to: folder.appending("small.yml"))
      let renamed = try await BuiltCommand.run(["validate", folder.string])
      #expect(renamed.code == 0, "\(renamed.errors)")
    }
  }

  @Test("malformed YAML, a missing file and a folder without scenarios are errors, not crashes")
  func unreadable() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("malformed.yml")
      try FileSystem.write(text: "scenario: [unclosed\n  data: {", to: file)
      let malformed = try await BuiltCommand.run(["validate", file.string])
      #expect(malformed.code == 2)
      #expect(malformed.errors.contains("malformed.yml:"))
      let noRecord = try await BuiltCommand.run(["report", folder.appending("no").string])
      #expect(noRecord.code == 2)
      #expect(noRecord.errors.contains("\(folder)/no: no such file"))
      let missing = try await BuiltCommand.run(["validate", folder.appending("no.yml").string])
      #expect(missing.code == 2)
      #expect(missing.errors.contains("no such file"))
      let empty = folder.appending("empty")
      try FileSystem.makeFolders(empty)
      let none = try await BuiltCommand.run(["validate", empty.string])
      #expect(none.code == 2)
    }
  }

  @Test("an invalid policy is rejected with the column of the mistake, and nothing runs")
  func brokenPolicy() async throws {
    try await BuiltCommand.withFolder { folder in
      let outcome = try await BuiltCommand.run([
        "run", "Scenarios/long-reader.yml", "--policy", "on-launch: totalBytes > 20 MB && usedByte",
        "--output", folder.string,
      ])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("did you mean \"usedBytes\"?"))
      #expect(outcome.errors.contains("^"))
      #expect(try FileSystem.list(folder).isEmpty)
    }
  }

  @Test(
    "a new scenario is valid, runs with all expectations met, and is never overwritten")
  func newScenario() async throws {
    try await BuiltCommand.withFolder { folder in
      let made = try await BuiltCommand.run(["new", "my-first"], in: folder)
      #expect(made.code == 0, "\(made.errors)")
      let file = folder.appending("my-first.yml")
      let text = try FileSystem.readText(file)
      #expect(try await BuiltCommand.run(["validate", file.string]).code == 0)
      let run = try await BuiltCommand.run([
        "run", file.string, "--repetitions", "1", "--output", folder.appending("out").string,
      ])
      #expect(run.code == 0, "\(run.errors)\n\(run.output)")
      let again = try await BuiltCommand.run(["new", "my-first"], in: folder)
      #expect(again.code == 2 && again.errors.contains("exists already"))
      #expect(try FileSystem.readText(file) == text)
      let strange = try await BuiltCommand.run(["new", "My_First"], in: folder)
      #expect(strange.code == 2 && strange.errors.contains("is not a valid scenario name"))
      let svg = folder.appending("plan.svg")
      let explained = try await BuiltCommand.run(["explain", file.string, "--svg", svg.string])
      #expect(explained.code == 0)
      #expect(explained.output.contains("launch 2, at about 8 h"))
      #expect(try FileSystem.readText(svg).hasSuffix("</svg>\n"))
    }
  }

  @Test("the shipped scenarios are valid, and are listed with their questions")
  func shipped() async throws {
    #expect(try await BuiltCommand.run(["validate", "Scenarios"]).code == 0)
    let listed = try await BuiltCommand.run(["scenarios"])
    #expect(listed.code == 0)
    for name in ["long-reader", "dispatch-queue-pinning", "frozen-objects"] {
      #expect(listed.output.contains("\(name)\n"))
    }
  }

  @Test("engines lists all engines with their versions")
  func engines() async throws {
    let outcome = try await BuiltCommand.run(["engines"])
    #expect(outcome.code == 0)
    for id in EngineIdentifier.allCases.map(\.rawValue) {
      #expect(outcome.output.contains("\n\(id): ") || outcome.output.hasPrefix("\(id): "))
    }
  }
}
