// The history of a branch: figures of commits in a file, and the commits at which they changed.
import ArgumentParser
import Regression
import ScenarioModel
import SystemIO

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keeps figures commit by commit, and names the commits that changed them.",
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

    /// Replaces the file by what `change` makes of its text, in one step, and durably. One process at a time: what
    /// another one added meanwhile would be lost.
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
      abstract: "Appends the figures of runs to the history of a branch.",
      discussion: """
        Several at once wait for each other. A history that was cut off or changed is refused, and stays as it is.
        """)

    @Argument(help: "Folders below which runs left their records.")
    var records: [String] = ["Reports"]

    @Option(
      name: .long,
      help: "The commit that was measured (default: the one that is checked out in this folder).")
    var commit: String?

    @OptionGroup var file: File

    func validate() throws {
      if let commit, !Label.isValid(commit) {
        throw ValidationError("--commit is the name of a commit: \(Label.rule)")
      }
    }

    func run() throws {
      let commit = try measuredCommit()
      let runs = try MeasuredRuns.load(records).flatMap(\.runs)
      let entries = HistoryFile.entries(runs, commit: commit)
      do {
        try file.update { before in
          let before = before ?? HistoryFile.header
          // What is there is read first: nothing is appended to a file that is not a whole history.
          _ = try HistoryFile.read(before, name: file.path.string)
          return before + HistoryFile.lines(entries)
        }
      } catch { throw couldNotRun("\(error)") }
      Console.print("\(file.path): \(entries.count) figures of \(commit) added")
    }

    private func measuredCommit() throws -> String {
      if let commit { return commit }
      guard let commit = GitRepository.currentCommit() else {
        throw ValidationError("give --commit: git knows of no commit in this folder")
      }
      if GitRepository.hasChanges() {
        Console.error(
          "note: the folder has changes that commit \(commit) has not; what was measured may not be that commit"
        )
      }
      return commit
    }
  }

  struct Upgrade: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds checks to the lines of a history that an earlier version wrote.")

    @OptionGroup var file: File

    func run() throws {
      guard FileSystem.exists(file.path) else {
        throw couldNotRun("\(file.path): there is no such history")
      }
      do {
        var word = "has checks already"
        try file.update { before in
          let before = before ?? HistoryFile.header
          guard HistoryFile.hasNoChecks(before) else {
            _ = try HistoryFile.read(before, name: file.path.string)
            return before
          }
          word = "every line has a check now"
          return try HistoryFile.upgraded(before, name: file.path.string)
        }
        Console.print("\(file.path): \(word)")
      } catch { throw couldNotRun("\(error)") }
    }
  }

  struct Detect: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Names the commits from which on a figure is another, with its curve.",
      discussion: """
        Exact figures: every commit with another value. Noisy ones, each machine for itself: E-divisive with a \
        permutation test, less what is too small to matter. Exit codes: 0 done, whatever was found, 2 could not run, \
        64 usage.
        """)

    @Option(
      name: .long,
      help: "Changes of less than this many percent are left out (default: 1 of noisy figures).")
    var least: Double?

    @Option(name: .long, help: "A figure to look at, in place of all; may be repeated.")
    var metric: [String] = []

    @Option(name: .long, help: "Seeds the permutations.")
    var seed: UInt64 = 1

    @OptionGroup var file: File

    func validate() throws {
      guard least ?? 0 >= 0 else { throw ValidationError("--least is at least 0 percent") }
    }

    func run() throws {
      do {
        guard let text = try file.read() else {
          throw RegressionError(
            .malformed, "\(file.path): there is no such history; begin it with history add")
        }
        var entries = try HistoryFile.read(text, name: file.path.string)
        if !metric.isEmpty { entries = entries.filter { metric.contains($0.series.figure) } }
        let changes = HistoryDetection(leastShare: least.map { $0 / 100 }, seed: seed).changes(
          entries)
        Console.print(
          HistoryText.text(
            changes, series: Set(entries.map(\.series)).count,
            commits: Set(entries.map(\.commit)).count))
      } catch { throw couldNotRun("\(error)") }
    }
  }
}
