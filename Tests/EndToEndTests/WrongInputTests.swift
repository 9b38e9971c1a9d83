// Invalid input is rejected with what is wrong, where, and what to do.
import SystemIO
import Testing

@Suite("Wrong input")
struct WrongInputTests {
  static let dimensions = """
    1:1: bytes cannot be compared with a share; did you mean "usedBytes / totalBytes < 50 %"?
    usedBytes < 50 %
    ^^^^^^^^^^^^^^^^
    """

  @Test("bytes compared with a share are refused wherever a condition is given, and nothing runs")
  func dimensions() async throws {
    try await BuiltCommand.withFolder { folder in
      let output = folder.appending("out")
      let run = try await BuiltCommand.run([
        "run", "Scenarios/long-reader.yml", "--policy", "on-launch: usedBytes < 50 %", "--output",
        output.string,
      ])
      #expect(run.code == 2)
      #expect(run.errors.contains("1:12: bytes cannot be compared with a share; did you mean"))
      #expect(!FileSystem.exists(output))
      let inspect = try await BuiltCommand.run([
        "inspect", folder.appending("none.db").string, "--predicate", "usedBytes < 50 %",
      ])
      #expect(inspect.code == 2)
      #expect(inspect.errors.contains(Self.dimensions))
      let file = folder.appending("small.yml")
      let expectation = "expect: [ { at: end, that: pinAge > 3 MB } ]\n"
      try FileSystem.write(text: RunTests.small + "\n" + expectation, to: file)
      let validate = try await BuiltCommand.run(["validate", file.string])
      #expect(validate.code == 2)
      #expect(validate.errors.contains("expect[0].that: a time cannot be compared with bytes"))
      #expect(validate.errors.contains("^^^^^^^^^^^^^"))
      let quota = try await BuiltCommand.run(["report", folder.string, "--quota", "2 h"])
      #expect(quota.code == 64)
      #expect(quota.errors.contains("\"2 h\" is no size"))
    }
  }

  /// Every command that help lists, with those that baseline and history have.
  private static func commands() async throws -> [String] {
    func names(_ words: [String]) async throws -> [String] {
      let help = try await BuiltCommand.run(words + ["--help"]).output
      guard let part = help.split(separator: "SUBCOMMANDS:").dropFirst().first else { return [] }
      return part.split(separator: "\n")
        .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        .compactMap { $0.split(separator: " ").first.map(String.init) }
        .filter { $0 != "help" && $0 != "See" }
    }
    var all: [String] = []
    for name in try await names([]) {
      let parts = try await names([name])
      all += parts.isEmpty ? [name] : parts.map { "\(name) \($0)" }
    }
    return all
  }

  @Test("an empty value is wrong usage for every option of every command, as for every argument")
  func empty() async throws {
    var options = 0
    for command in try await Self.commands() {
      let words = command.split(separator: " ").map(String.init)
      let help = try await BuiltCommand.run(words + ["--help"]).output
      #expect(try await BuiltCommand.run(words + [""]).code == 64, "\(command)")
      for match in help.matches(of: #/\n  (--[a-z-]+) </#) {
        options += 1
        let option = String(match.1)
        let outcome = try await BuiltCommand.run(words + [option, ""])
        #expect(outcome.code == 64, "\(command) \(option)")
        #expect(outcome.errors.contains("the argument after \(option) is empty"))
      }
    }
    #expect(options > 60)
  }

  @Test("blank commands and names of several lines are wrong usage, and nothing is written")
  func blank() async throws {
    try await BuiltCommand.withFolder { folder in
      for words in [
        ["compare-builds", "--base", "", "--head", "true"],
        ["compare-builds", "--base= ", "--head", "true"],
        ["run", "Scenarios/long-reader.yml", "--output", "a\nb"],
        ["run", "Scenarios/long-reader.yml", "--output=a\u{1B}[31m"],
        ["new", "a\tb"], ["baseline", "show", "a\u{202E}b"], ["new", "a\u{2028}b"],
      ] {
        let outcome = try await BuiltCommand.run(words, in: folder)
        #expect(outcome.code == 64, "\(words)")
        #expect(outcome.errors.hasPrefix("Error: "))
        #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("\u{202E}"))
      }
      #expect(try FileSystem.list(folder).isEmpty)
    }
  }

  @Test("runs without a cell in common are no comparison")
  func nothingInCommon() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small.yml")
      try FileSystem.write(text: RunTests.small, to: file)
      for engine in ["native", "sqlite"] {
        let run = try await BuiltCommand.run([
          "run", file.string, "--engine", engine, "--policy", "never", "--repetitions", "1",
          "--record-only", "--output", folder.appending(engine).string,
        ])
        #expect(run.code == 0, "\(run.errors)")
      }
      let outcome = try await BuiltCommand.run([
        "compare-curves", folder.appending("native/small").string,
        folder.appending("sqlite/small").string,
      ])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("have no cell in common: nothing was compared"))
    }
  }

  @Test(
    "a misspelled name is reported with the nearest one",
    arguments: [
      (["rnu", "x.yml"], "There is no command 'rnu'. Did you mean 'run'?"),
      (["--hlep"], "Unknown option '--hlep'. Did you mean '--help'?"),
      (["run", "--hlep"], "Unknown option '--hlep'. Did you mean '--help'?"),
      (["run", "x.yml", "--polcy", "never"], "Unknown option '--polcy'. Did you mean '--policy'?"),
      (["baseline", "sav"], "There is no command 'sav'. Did you mean 'save'?"),
      (["run", "x.yml", "--engine", "lmbd"], "no engine \"lmbd\"; did you mean \"lmdb\"?"),
    ])
  func suggestions(words: [String], message: String) async throws {
    let outcome = try await BuiltCommand.run(words)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("a policy or an arm that a scenario nearly has is suggested")
  func scenarioNames() async throws {
    for (option, name, message) in [
      ("--policy", "documents-20-MB", "has a policy \"documents-20-MiB\"; did you mean that?"),
      ("--arm", "late-drian", "did you mean \"late-drain\"?"),
    ] {
      let outcome = try await BuiltCommand.run([
        "run", "Scenarios/dispatch-queue-pinning.yml", option, name,
      ])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
  }

  @Test("on-launch: always is a policy on the command line as in a scenario")
  func always() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small.yml")
      let text = RunTests.small.replacing("- every-launch", with: "- automatic + on-launch: always")
      try FileSystem.write(text: text, to: file)
      let outcome = try await BuiltCommand.run([
        "run", file.string, "--engine", "native", "--repetitions", "1", "--output",
        folder.appending("out").string, "--policy", "on-launch: always", "--policy",
        "automatic + on-launch: always",
      ])
      #expect(outcome.code == 0, "\(outcome.errors)")
      let events = try FileSystem.readText(folder.appending("out/small/events.csv"))
      #expect(events.contains("\r\nnative,every-launch,"))
      #expect(events.contains("\r\nnative,automatic + every-launch,"))
    }
  }

  @Test(
    "a scenario with bytes that are no UTF-8, or a line of 100,000 characters, gets a short error")
  func characters() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("a.yml")
      try FileSystem.write(Array("scenario: a\nquestion: ".utf8) + [0xFF, 0x0A], to: file)
      let invalid = try await BuiltCommand.run(["validate", file.string])
      #expect(invalid.code == 2)
      #expect(invalid.errors.contains("a.yml:2:11: the byte 0xFF is no UTF-8"))
      let long = "scenario: " + String(repeating: "x", count: 100_000) + "!\n"
      try FileSystem.write(text: long, to: file)
      let clipped = try await BuiltCommand.run(["validate", file.string])
      #expect(clipped.code == 2)
      #expect(clipped.errors.contains("…") && clipped.errors.utf8.count < 4000)
      let predicate = String(repeating: "1 + ", count: 30) + String(repeating: "x", count: 90_000)
      let inspect = try await BuiltCommand.run(["inspect", "x.db", "--predicate", predicate])
      #expect(inspect.code == 2)
      #expect(inspect.errors.utf8.count < 1500)
    }
  }

  @Test("scenarios lists those of the repository from any folder")
  func elsewhere() async throws {
    try await BuiltCommand.withFolder { folder in
      let outcome = try await BuiltCommand.run(["scenarios"], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("dispatch-queue-pinning"))
      #expect(outcome.output.contains("/Scenarios/long-reader.yml"))
    }
  }
}
