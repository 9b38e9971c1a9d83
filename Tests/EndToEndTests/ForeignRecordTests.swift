// Foreign records, baselines and traces: no name in one leads out of the folder that a command writes to.
import SystemIO
import Testing

@Suite("Names in foreign files")
struct ForeignRecordTests {
  /// A run of the small scenario on one engine, in `Reports/small` of a folder within another one.
  static func withRun(_ body: (_ folder: FilePath) async throws -> Void) async throws {
    try await BuiltCommand.withFolder { outer in
      let folder = outer.appending("inner")
      try FileSystem.makeFolders(folder)
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      let run = try await BuiltCommand.run(
        [
          "run", "small.yml", "--repetitions", "1", "--policy", "never", "--engine", "native",
        ], in: folder)
      #expect(run.code == 0, "\(run.errors)")
      try await body(folder)
    }
  }

  static let record = FilePath("Reports/small/record.json")

  /// Every file and link below a folder, as paths from there.
  private static func tree(_ folder: FilePath, _ prefix: String = "") throws -> [String] {
    try FileSystem.list(folder).flatMap { name in
      let path = folder.appending(name)
      return [prefix + name]
        + (FileSystem.isFolder(path) && !FileSystem.isLink(path)
          ? try tree(path, "\(prefix)\(name)/") : [])
    }
  }

  @Test(
    "a record whose scenario has a path for a name is refused by every command, and none writes a file",
    arguments: ["../../../esc", "/tmp/esc", "..", ".", "", "a/b", "Small", "sm all", "a\\u0000b"])
  func scenarioName(_ name: String) async throws {
    try await Self.withRun { folder in
      let file = folder.pushing(Self.record)
      let text = try FileSystem.readText(file)
      let changed = text.replacing("\"name\" : \"small\"", with: "\"name\" : \"\(name)\"")
      #expect(changed != text)
      try FileSystem.write(text: changed, to: file)
      let before = try Self.tree(folder.removingLastComponent())
      for arguments in [
        ["baseline", "save"], ["gallery", "Reports", "--output", "Gallery"],
        ["report", "Reports/small"], ["gate"], ["history", "add", "--commit", "abc"],
        ["compare-curves", "Reports/small", "Reports/small"],
      ] {
        let outcome = try await BuiltCommand.run(arguments, in: folder)
        #expect(outcome.code == 2, "\(arguments): \(outcome.output)")
        #expect(
          outcome.errors.contains("record.json: ")
            && outcome.errors.contains("cannot be the name of the run's scenario"),
          "\(arguments): \(outcome.errors)")
      }
      #expect(try Self.tree(folder.removingLastComponent()) == before)
    }
  }

  @Test("an engine, policy or arm with a line end in its name is refused too")
  func labels() async throws {
    try await Self.withRun { folder in
      let file = folder.pushing(Self.record)
      let text = try FileSystem.readText(file)
      for (kind, name) in [("engine", "native"), ("policy", "never"), ("arm", "default")] {
        let changed = text.replacing(
          "\"\(kind)\" : \"\(name)\"", with: "\"\(kind)\" : \"\(name)\\nmore\"")
        #expect(changed != text)
        try FileSystem.write(text: changed, to: file)
        let outcome = try await BuiltCommand.run(["report", "Reports/small"], in: folder)
        #expect(outcome.code == 2)
        #expect(
          outcome.errors.contains("\"\(name)\\nmore\" cannot be the name of the run's \(kind)"),
          "\(outcome.errors)")
      }
    }
  }

  @Test("a trace whose scenario has a path for a name is refused before a folder is made")
  func trace() async throws {
    try await BuiltCommand.withFolder { outer in
      let folder = outer.appending("inner")
      try FileSystem.makeFolders(folder)
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      func lab(_ arguments: String...) async throws -> BuiltCommand.Outcome {
        try await BuiltCommand.run(arguments, in: folder)
      }
      #expect(try await lab("record", "small.yml", "t.trace").code == 0)
      #expect(try await lab("trace", "t.trace", "--to", "t.jsonl").code == 0)
      let lines = try FileSystem.readText(folder.appending("t.jsonl"))
      let changed = lines.replacing(
        "\"scenario\":\"small\"", with: "\"scenario\":\"../../../esc\"")
      #expect(changed != lines)
      try FileSystem.write(text: changed, to: folder.appending("esc.jsonl"))
      #expect(try await lab("trace", "esc.jsonl", "--to", "esc.trace").code == 0)
      let before = try Self.tree(outer)
      let replayed = try await lab("replay", "esc.trace")
      #expect(replayed.code == 2)
      #expect(replayed.errors.contains("\"../../../esc\" cannot be the name of its scenario"))
      let summary = try await lab("trace", "esc.trace")
      #expect(
        summary.code == 1 && summary.errors.contains("cannot be the name"), "\(summary.errors)")
      #expect(try Self.tree(outer) == before)
    }
  }

  @Test("a baseline of another scenario, or with an invalid name, is rejected with that name")
  func baseline() async throws {
    try await Self.withRun { folder in
      #expect(try await BuiltCommand.run(["baseline", "save"], in: folder).code == 0)
      let shown = try await BuiltCommand.run(["baseline", "show", "../small"], in: folder)
      #expect(shown.code == 64 && shown.errors.contains("is not a valid scenario name"))
      let saved = folder.appending(".compaction-lab/baselines/small.csv")
      let other = folder.appending(".compaction-lab/baselines/other.csv")
      try FileSystem.rename(saved, to: other)
      let listed = try await BuiltCommand.run(["baseline", "list"], in: folder)
      #expect(listed.code == 2 && listed.errors.contains("holds the baseline of small"))
    }
  }

  @Test("links below the output folder are not followed, by a run or a report")
  func links() async throws {
    try await Self.withRun { folder in
      let outside = folder.removingLastComponent().appending("outside")
      try FileSystem.makeFolders(outside)
      let mine = outside.appending("growth.svg")
      try FileSystem.write(text: "mine", to: mine)
      let plots = folder.appending("Reports/small/plots")
      try FileSystem.removeTree(plots)
      try await link(plots, to: outside)
      for arguments in [
        ["report", "Reports/small"],
        ["run", "small.yml", "--repetitions", "1", "--policy", "never"],
      ] {
        let outcome = try await BuiltCommand.run(arguments, in: folder)
        #expect(outcome.code == 2 && outcome.errors.contains("plots: is a symbolic link"))
        #expect(try FileSystem.readText(mine) == "mine")
      }
      try FileSystem.removeFile(plots)
      try FileSystem.rename(folder.appending("Reports/small"), to: outside.appending("small"))
      try await link(folder.appending("Reports/small"), to: outside.appending("small"))
      let before = try FileSystem.read(outside.appending("small/samples.csv"))
      let outcome = try await BuiltCommand.run(
        ["run", "small.yml", "--repetitions", "1", "--seed", "9"], in: folder)
      #expect(outcome.code == 2 && outcome.errors.contains("small: is a symbolic link"))
      #expect(try FileSystem.read(outside.appending("small/samples.csv")) == before)
    }
  }

  private func link(_ path: FilePath, to target: FilePath) async throws {
    let made = try await ChildProcess(
      "/bin/ln", arguments: ["-s", target.string, path.string], environment: [:], folder: "/"
    ).run()
    #expect(made.errorText.isEmpty)
  }

  @Test("interleavings under policies whose names differ only in signs have different files")
  func interleavings() async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      let run = try await BuiltCommand.run(
        [
          "run", "small.yml", "--repetitions", "1", "--engine", "native", "--policy",
          "on-launch: totalBytes > 20 MB", "--policy", "on-launch: totalBytes < 20 MB",
          "--comparator", "none", "--schedule", "stepped", "--record-interleavings",
        ], in: folder)
      #expect(run.code == 0, "\(run.errors)")
      let names = try FileSystem.list(folder.appending("Reports/small/interleavings"))
      #expect(names.count == 2, "\(names)")
    }
  }
}
