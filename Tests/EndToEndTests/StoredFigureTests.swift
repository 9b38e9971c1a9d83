// Histories and baselines as files that several processes write, and that are cut off, edited and merged.
import SystemIO
import Testing

@Suite("Histories and baselines as files")
struct StoredFigureTests {
  private static let history = FilePath(".compaction-lab/history/main.csv")
  private static let baseline = FilePath(".compaction-lab/baselines/small.csv")

  private static func add(_ commit: String, _ folder: FilePath) async throws -> BuiltCommand.Outcome
  {
    try await BuiltCommand.run(["history", "add", "--commit", commit], in: folder)
  }

  @Test("six processes that add to a history at once leave the figures of all six, each once")
  func parallel() async throws {
    try await ForeignRecordTests.withRun { folder in
      let commits = (1...6).map { "c\($0)" }
      let outcomes = try await withThrowingTaskGroup(of: BuiltCommand.Outcome.self) { group in
        for commit in commits { group.addTask { try await Self.add(commit, folder) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.allSatisfy { $0.code == 0 }, "\(outcomes.map(\.errors))")
      let lines = try FileSystem.readText(folder.pushing(Self.history)).split(separator: "\r\n")
      let counts = Dictionary(
        grouping: lines.dropFirst().compactMap { $0.split(separator: ",").first.map(String.init) }
      ) { $0 }.mapValues(\.count)
      #expect(counts.keys.sorted() == commits)
      #expect(Set(counts.values).count == 1)
      let found = try await BuiltCommand.run(["history", "detect"], in: folder)
      #expect(found.code == 0 && found.output.contains("over 6 commits"), "\(found.errors)")
    }
  }

  @Test("six processes that save baselines at once leave a complete one")
  func parallelBaselines() async throws {
    try await ForeignRecordTests.withRun { folder in
      let outcomes = try await withThrowingTaskGroup(of: BuiltCommand.Outcome.self) { group in
        for _ in 1...6 {
          group.addTask { try await BuiltCommand.run(["baseline", "save"], in: folder) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.allSatisfy { $0.code == 0 }, "\(outcomes.map(\.errors))")
      #expect(outcomes.count { $0.output.contains(": saved,") } == 1)
      #expect(outcomes.count { $0.output.contains(": unchanged,") } == 5)
      #expect(try await BuiltCommand.run(["gate"], in: folder).code == 0)
      #expect(try FileSystem.list(folder.appending(".compaction-lab/baselines")) == ["small.csv"])
    }
  }

  @Test("of several runs at once in one folder one goes on, and all its files are of one run")
  func parallelRuns() async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      let outcomes = try await withThrowingTaskGroup(of: BuiltCommand.Outcome.self) { group in
        for seed in 1...6 {
          group.addTask {
            try await BuiltCommand.run(
              [
                "run", "small.yml", "--repetitions", "1", "--policy", "never", "--engine", "null",
                "--seed", "\(seed)",
              ], in: folder)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.contains { $0.code == 0 }, "\(outcomes.map(\.errors))")
      for refused in outcomes where refused.code != 0 {
        #expect(refused.code == 2)
        #expect(refused.errors.contains("another process is running the cells of this folder"))
      }
      let report = folder.appending("Reports/small/report.md")
      let left = try FileSystem.readText(report)
      let rendered = try await BuiltCommand.run(["report", "Reports"], in: folder)
      #expect(rendered.code == 0, "\(rendered.errors)")
      #expect(try FileSystem.readText(report) == left)
    }
  }

  @Test("a truncated history is rejected by detect and add, and stays as it is")
  func truncated() async throws {
    try await ForeignRecordTests.withRun { folder in
      for commit in ["c1", "c2"] { #expect(try await Self.add(commit, folder).code == 0) }
      let file = folder.pushing(Self.history)
      let whole = try FileSystem.read(file)
      let lastLine = whole.split(separator: UInt8(ascii: "\n")).last?.count ?? 0
      for (missing, what) in [
        (1, "has no line end"), (7, "has no line end"), (lastLine + 1, "the last line is part"),
      ] {
        let cut = Array(whole.dropLast(missing))
        try FileSystem.write(cut, to: file)
        for outcome in [
          try await BuiltCommand.run(["history", "detect"], in: folder),
          try await Self.add("c3", folder),
        ] {
          #expect(outcome.code == 2, "\(outcome.output)")
          #expect(outcome.errors.contains("main.csv:") && outcome.errors.contains(what))
          #expect(outcome.errors.contains("restore the file from version control"))
        }
        #expect(try FileSystem.read(file) == cut)
      }
    }
  }

  @Test("a history of an earlier version is rejected until history upgrade has added its checksums")
  func upgrade() async throws {
    try await ForeignRecordTests.withRun { folder in
      #expect(try await Self.add("c1", folder).code == 0)
      let file = folder.pushing(Self.history)
      let new = try FileSystem.readText(file)
      let old = new.split(separator: "\r\n").map { line in
        line.split(separator: ",", omittingEmptySubsequences: false).dropLast(2)
          .joined(separator: ",") + "\r\n"
      }.joined()
      try FileSystem.write(text: old, to: file)
      let refused = try await Self.add("c2", folder)
      #expect(refused.code == 2 && refused.errors.contains("compaction-lab history upgrade"))
      let upgraded = try await BuiltCommand.run(["history", "upgrade"], in: folder)
      #expect(upgraded.code == 0, "\(upgraded.errors)")
      #expect(try FileSystem.readText(file) == new)
      #expect(try await Self.add("c2", folder).code == 0)
    }
  }

  @Test("the gate rejects a truncated or edited baseline, and prints what to do")
  func baselines() async throws {
    try await ForeignRecordTests.withRun { folder in
      #expect(try await BuiltCommand.run(["baseline", "save"], in: folder).code == 0)
      let file = folder.pushing(Self.baseline)
      let text = try FileSystem.readText(file)
      let lines = text.split(separator: "\r\n")
      let edited = text.replacing(",final_bytes,", with: ",final_bytes,1")
      #expect(edited != text)
      for (damaged, what) in [
        (lines.dropLast().joined(separator: "\r\n") + "\r\n", "is cut off"),
        (String(decoding: text.utf8.dropLast(9), as: UTF8.self), "was changed since it was saved"),
        (edited, "was changed since it was saved"),
      ] {
        try FileSystem.write(text: damaged, to: file)
        for arguments in [["gate"], ["baseline", "compare"], ["baseline", "show", "small"]] {
          let outcome = try await BuiltCommand.run(arguments, in: folder)
          #expect(outcome.code == 2, "\(arguments): \(outcome.output)")
          #expect(
            outcome.errors.contains("small.csv") && outcome.errors.contains(what)
              && outcome.errors.contains("save the baseline again"), "\(outcome.errors)")
        }
      }
      #expect(try await BuiltCommand.run(["baseline", "save"], in: folder).code == 0)
      #expect(try FileSystem.readText(file) == text)
    }
  }

  @Test("history add takes the commit from git, and prints a note about uncommitted changes")
  func fromGit() async throws {
    try await ForeignRecordTests.withRun { folder in
      let none = try await BuiltCommand.run(
        ["history", "add"], environment: ["GIT_CEILING_DIRECTORIES": folder.string], in: folder)
      #expect(none.code == 64 && none.errors.contains("give --commit"), "\(none.errors)")
      func git(_ arguments: String...) async throws -> String {
        let git = try #require(ChildProcess.findExecutable("git"))
        return try await ChildProcess(
          git, arguments: ["-c", "user.name=t", "-c", "user.email=t@t"] + arguments, folder: folder
        ).run().outputText
      }
      _ = try await git("init", "-q")
      _ = try await git("add", "small.yml")
      _ = try await git("commit", "-qm", "one")
      let hash = try await git("rev-parse", "HEAD").prefix { $0 != "\n" }
      #expect(hash.count == 40)
      let added = try await BuiltCommand.run(["history", "add"], in: folder)
      #expect(added.code == 0 && added.output.contains("figures of \(hash) added"))
      #expect(added.errors.isEmpty, "\(added.errors)")
      try FileSystem.write(text: "#\n" + RunTests.small, to: folder.appending("small.yml"))
      let changed = try await BuiltCommand.run(["history", "add"], in: folder)
      #expect(changed.code == 0 && changed.errors.contains("may not be commit \(hash)"))
      let named = try await BuiltCommand.run(["history", "add", "--commit", "v1.0"], in: folder)
      #expect(named.output.contains("figures of v1.0 added") && named.errors.isEmpty)
    }
  }

  @Test(
    "an empty commit or branch, or one with a line end or another control character, is wrong usage",
    arguments: ["", "a\nb", "a\r", "a\u{7}b", "\u{2028}"])
  func names(_ name: String) async throws {
    try await BuiltCommand.withFolder { folder in
      for arguments in [
        ["history", "add", "--commit", name],
        ["history", "add", "--commit", "a", "--branch", name],
        ["history", "detect", "--branch", name],
      ] {
        let outcome = try await BuiltCommand.run(arguments, in: folder)
        #expect(outcome.code == 64, "\(arguments): \(outcome.errors)")
      }
      #expect(try FileSystem.list(folder) == [])
    }
  }
}
