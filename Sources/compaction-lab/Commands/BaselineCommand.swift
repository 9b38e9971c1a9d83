// Baselines: the exact figures of scenarios in files beside the code, so that a change of one byte shows in a review.
import ArgumentParser
import MetricModel
import RecordModel
import Regression
import ScenarioModel
import SystemIO

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract:
      "Saves the exact figures of runs in files for version control, and compares runs with them.",
    subcommands: [Save.self, List.self, Show.self, Compare.self])

  struct Folder: ParsableArguments {
    @Option(name: .long, help: "The folder of the baselines.")
    var baselines: String = BaselineFile.folder

    var path: FilePath { FilePath(baselines) }
  }

  struct Save: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Saves the exact figures of runs and optima as baselines, one file per scenario.",
      discussion: """
        Replaces the scenario's earlier baseline. Runs of one scenario with several seeds form one baseline; the regrets \
        of optima form one of their own.
        """)

    @Argument(help: "Folders with the records of runs.")
    var records: [String] = ["Reports"]

    @OptionGroup var folder: Folder

    func run() throws {
      for measured in try MeasuredRuns.load(records) {
        do {
          try save(
            try measured.baseline(),
            FilePath(BaselineFile.name(of: measured.name, measured.kind)))
        } catch { throw couldNotRun("\(error)") }
      }
    }

    /// Saves under a lock, so that concurrent commands replace one baseline after the other.
    private func save(_ baseline: Baseline, _ name: FilePath) throws {
      let file = folder.path.pushing(name)
      let text = BaselineFile.text(baseline)
      try FileSystem.makeFolders(folder.path)
      let lock = try FolderLock(folder.path)
      defer { lock.release() }
      let before = FileSystem.exists(file) ? try FileSystem.readText(file) : nil
      if before != text { try FileSystem.write(text: text, to: file) }
      let cells = baseline.cells.count
      let word = before == nil ? "saved" : before == text ? "unchanged" : "replaced"
      Console.print("\(file): \(word), \(cells) \(cells == 1 ? "cell" : "cells")")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the scenarios that have a baseline.")

    @OptionGroup var folder: Folder

    func run() throws {
      for name in try MeasuredRuns.baselines(in: folder.path) {
        let (scenario, kind) = BaselineFile.parts(of: name)
        guard let baseline = try MeasuredRuns.baseline(of: scenario, kind, in: folder.path) else {
          continue
        }
        let engines = Set(baseline.cells.map(\.key.cell.engine)).sorted()
        Console.print(
          "\(name): \(counted(baseline.cells.count, "cell")), engines \(engines.joined(separator: ", ")), "
            + "\(baseline.seeds.count == 1 ? "seed" : "seeds") "
            + baseline.seeds.map(String.init).joined(separator: ", "))
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows the figures of a baseline, and its seeds and fingerprint.")

    @Argument(help: "The scenario, or SCENARIO.optimum for its regrets.")
    var scenario: String

    @OptionGroup var folder: Folder

    func validate() throws {
      guard ScenarioName.isValidInRecord(BaselineFile.parts(of: scenario).scenario) else {
        throw ValidationError("\"\(scenario)\" is not a valid scenario name: \(ScenarioName.rule)")
      }
    }

    func run() throws {
      let (name, kind) = BaselineFile.parts(of: scenario)
      guard let baseline = try MeasuredRuns.baseline(of: name, kind, in: folder.path) else {
        let names = try MeasuredRuns.baselines(in: folder.path).joined(separator: ", ")
        throw couldNotRun("there is no baseline of \"\(scenario)\"; there are: \(names)")
      }
      Console.print(BaselineText.text(baseline))
    }
  }

  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows how runs differ from their baselines, to the byte.",
      discussion: """
        Times are never compared with stored ones. Exit codes: 0 as in the baseline, 1 a figure is worse, or differs \
        where no direction is better, 2 could not run, 3 a figure is better and none worse, 4 a baseline is missing, \
        64 usage.
        """)

    @Argument(help: "Folders with the records of runs.")
    var records: [String] = ["Reports"]

    @Option(
      name: .long, help: "Compares with these records in place of baselines; may be repeated.")
    var with: [String] = []

    @OptionGroup var folder: Folder

    func run() throws {
      let comparison = BaselineComparison()
      var findings = ExactFindings()
      let bases = try with.isEmpty ? nil : MeasuredRuns.load(with)
      do {
        for measured in try MeasuredRuns.load(records) {
          let base =
            try bases.map { all in
              try all.first { $0.name == measured.name && $0.kind == measured.kind }?.baseline()
            } ?? MeasuredRuns.baseline(of: measured.name, measured.kind, in: folder.path)
          try comparison.compare(measured, with: base, into: &findings)
          let head = try measured.baseline().fingerprint
          let refused = base.map { $0.fingerprint.differences(from: head) }
          if let refused, !refused.isEmpty {
            Console.print(
              "\(measured.name): the fingerprints of baseline and run differ, so their times must not be "
                + "compared: " + refused.joined(separator: "; "))
          }
        }
      } catch let code as ExitCode { throw code } catch { throw couldNotRun("\(error)") }
      var outcome = GateOutcome(exact: findings)
      outcome.allowsPartial = true
      Console.print(outcome.terminalText(maxFindings: .max))
      if outcome.result != .pass { throw ExitCode(outcome.result.rawValue) }
    }
  }
}
