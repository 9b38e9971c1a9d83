// The history of a branch: the figures of its commits in a file, and the commits at which they changed.
import ArgumentParser
import Regression
import ScenarioModel
import SystemIO

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Stores figures commit by commit, and finds the commits that changed them.",
    subcommands: [Add.self, Detect.self, Upgrade.self])

  struct File: ParsableArguments {
    @Option(name: .long, help: "The branch: one file each.")
    var branch: String = "main"

    @Option(name: .long, help: "The folder of the histories.")
    var history: String = HistoryFile.folder

    var path: FilePath { FilePath(history).appending(HistoryFile.name(branch: branch)) }

    func validate() throws {
      guard Label.isValid(branch) else {
        throw ValidationError("--branch is the name of a branch: \(Label.rule)")
      }
    }

    func read() throws -> String? {
      FileSystem.exists(path) ? try FileSystem.readText(path) : nil
    }

    /// Replaces the file's text by what `change` returns, atomically and durably, and under a lock, so that no other
    /// process's addition is lost.
    func update(_ change: (String?) throws -> String) throws {
      let folder = path.removingLastComponent()
      try FileSystem.makeFolders(folder)
      let lock = try FolderLock(folder)
      defer { lock.release() }
      let before = try read()
      let after = try change(before)
      if after != before { try FileSystem.write(text: after, to: path) }
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Appends the figures of runs and optima to the history of a branch.",
      discussion: """
        Concurrent additions wait for each other. A truncated or edited history is rejected and stays as it is.
        """)

    @Argument(help: "Folders with the records of runs.")
    var records: [String] = ["Reports"]

    @Option(
      name: .long,
      help: "The commit that was measured (default: the one checked out in the current folder).")
    var commit: String?

    @OptionGroup var file: File

    func validate() throws {
      if let commit, !Label.isValid(commit) {
        throw ValidationError("--commit is the name of a commit: \(Label.rule)")
      }
    }

    func run() throws {
      let commit = try measuredCommit()
      let entries = HistoryFile.entries(try MeasuredRuns.load(records), commit: commit)
      do {
        try file.update { before in
          let before = before ?? HistoryFile.header
          // Read first: nothing is appended to a damaged history.
          _ = try HistoryFile.read(before, name: file.path.string)
          return before + HistoryFile.lines(entries)
        }
      } catch { throw couldNotRun("\(error)") }
      Console.print("\(file.path): \(entries.count) figures of \(commit) added")
    }

    private func measuredCommit() throws -> String {
      if let commit { return commit }
      guard let commit = GitRepository.currentCommit() else {
        throw ValidationError(
          "give --commit: the current folder is in no git repository with a commit")
      }
      if GitRepository.hasChanges() {
        Console.error(
          "note: the folder has uncommitted changes; what was measured may not be commit \(commit)"
        )
      }
      return commit
    }
  }

  struct Upgrade: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds checksums to the lines of a history that an earlier version wrote.")

    @OptionGroup var file: File

    func run() throws {
      guard FileSystem.exists(file.path) else {
        throw couldNotRun("\(file.path): no such history")
      }
      do {
        var word = "has checksums already"
        try file.update { before in
          let before = before ?? HistoryFile.header
          guard HistoryFile.hasNoChecks(before) else {
            _ = try HistoryFile.read(before, name: file.path.string)
            return before
          }
          word = "every line has a checksum now"
          return try HistoryFile.upgraded(before, name: file.path.string)
        }
        Console.print("\(file.path): \(word)")
      } catch { throw couldNotRun("\(error)") }
    }
  }

  struct Detect: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Finds the commits at which a figure changed, and draws its curve.",
      discussion: """
        Exact figures: every commit with a different value. Noisy figures, for each machine: E-divisive with a \
        permutation test, without changes below --min-change. Exit codes: 0 done, whatever was found, 2 could not run, \
        64 usage.
        """)

    @Option(
      name: .long,
      help:
        "Changes of fewer percent are left out (default: 0 for exact figures, 1 for noisy ones).")
    var minChange: Double?

    @Option(name: .long, help: "A figure to analyze, in place of all; may be repeated.")
    var metric: [String] = []

    @Option(name: .long, help: "Seeds the permutations.")
    var seed: UInt64 = 1

    @OptionGroup var file: File

    func validate() throws {
      guard minChange ?? 0 >= 0 else {
        throw ValidationError("--min-change must be at least 0 percent")
      }
    }

    func run() throws {
      do {
        guard let text = try file.read() else {
          throw RegressionError(
            .malformed, "\(file.path): no such history; begin it with history add")
        }
        var entries = try HistoryFile.read(text, name: file.path.string)
        if !metric.isEmpty { entries = entries.filter { metric.contains($0.series.figure) } }
        let changes = HistoryDetection(minShare: minChange.map { $0 / 100 }, seed: seed).changes(
          entries)
        Console.print(
          HistoryText.text(
            changes, series: Set(entries.map(\.series)).count,
            commits: Set(entries.map(\.commit)).count))
      } catch { throw couldNotRun("\(error)") }
    }
  }
}
