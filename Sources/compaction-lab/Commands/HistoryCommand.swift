// The history of a branch: figures of commits in a file, and the commits at which they changed.
import ArgumentParser
import Regression
import SystemIO

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keeps figures commit by commit, and names the commits that changed them.",
    subcommands: [Add.self, Detect.self])

  struct File: ParsableArguments {
    @Option(name: .long, help: "The branch: one file each.")
    var branch: String = "main"

    @Option(name: .long, help: "The folder of the histories.")
    var history: String = HistoryFile.folder

    var path: FilePath { FilePath(history).appending(HistoryFile.name(branch: branch)) }

    func read() throws -> String? {
      FileSystem.exists(path) ? try FileSystem.readText(path) : nil
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Appends the figures of runs to the history of a branch.")

    @Argument(help: "Folders below which runs left their records.")
    var records: [String] = ["Reports"]

    @Option(name: .long, help: "The commit that was measured.")
    var commit: String

    @OptionGroup var file: File

    func run() throws {
      let runs = try MeasuredRuns.load(records).flatMap(\.runs)
      do {
        let before = try file.read() ?? HistoryFile.header
        // What is there is read first: nothing is appended to a file that is not a history.
        _ = try HistoryFile.read(before, name: file.path.string)
        let lines = HistoryFile.lines(runs, commit: commit)
        try FileSystem.makeFolders(file.path.removingLastComponent())
        try FileSystem.write(text: before + lines, to: file.path)
        Console.print(
          "\(file.path): \(lines.utf8.count { $0 == UInt8(ascii: "\n") }) figures of \(commit) added"
        )
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
