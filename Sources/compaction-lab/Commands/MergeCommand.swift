// Makes the record and the report of a run from the journals of its shards.
import Analysis
import ArgumentParser
import Experiments
import MetricModel
import RecordModel
import ReportRendering
import RunJournal
import SystemIO

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Makes the report of a run from its shards.",
    discussion: """
      Reads the journals that run, replay, sweep, agreement and fleet measure leave with --shard, from any number of \
      machines; needs no engine. Every exact figure is that of a run on one machine. Nothing is merged, and the \
      exit code is 2, unless all shards are there once, have ended, \
      are of one plan and one version of each engine, page size and byte order, every \
      line of them is as it was written, and the cells that two of them ran have the same bytes. Otherwise the exit code \
      is that of the whole run.
      """)

  @Argument(help: "Folders with the journals of shards, or folders of those.")
  var folders: [String]

  @Option(help: "The folder for reports, as in the commands that ran the shards.")
  var output: String = "Reports"

  @OptionGroup var quiet: QuietOption

  func run() throws {
    let merged = try merges()
    var worst = ExitCode.success
    var agreements: [(ShardContent.Agreement, ScenarioAnalysis)] = []
    for merge in merged {
      let content = merge.content
      let folder: OutputFolder
      do {
        folder = try OutputFolder(below: output, content.folder, nil)
        try folder.make()
      } catch { throw couldNotRun("\(error)") }
      let code: ExitCode
      if let sweep = content.sweep {
        code = try write(sweep, merge, to: folder)
      } else if let fleet = content.fleet {
        code = try write(fleet, merge, to: folder)
      } else {
        code = try writeRun(merge, to: folder)
      }
      worst = ExitCode(max(worst.rawValue, code.rawValue))
      if let agreement = content.agreement {
        agreements.append((agreement, try RecordFolder.load(folder.path.string).analysis))
      }
    }
    if let options = agreements.first?.0 {
      try AgreementPages(options, agreements.map(\.1)).write(to: output)
    }
    if worst != .success { throw worst }
  }

  /// Reads and checks the shards of all plans before anything is written; prints every problem.
  private func merges() throws -> [ShardMerge] {
    var problems: [String] = []
    var journals: [ShardJournal] = []
    for path in try paths() {
      do { journals.append(try ShardJournal(path)) } catch { problems.append("\(error)") }
    }
    // Names of folders tell the plans of one command apart, so that a shard of another plan does not pass for one of its own.
    let plans = Dictionary(grouping: journals) { $0.content.folder }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    var merges: [ShardMerge] = []
    for (folder, journals) in plans {
      do { merges.append(try ShardMerge(journals)) } catch {
        problems += error.problems.map { "\(folder.joined(separator: "/")): \($0)" }
      }
    }
    guard problems.isEmpty else {
      for problem in problems { Console.error(problem) }
      throw couldNotRun("nothing was merged: \(counted(problems.count, "problem"))")
    }
    return merges
  }

  /// The journals in and below the folders, each once.
  private func paths() throws -> [FilePath] {
    var found: [FilePath] = []
    for folder in folders.map({ FilePath($0) }) {
      guard FileSystem.isFolder(folder) else { throw couldNotRun("\(folder): no such folder") }
      let journals: [FilePath]
      do { journals = try FileSystem.files(named: Journal.fileName, below: folder) } catch {
        throw couldNotRun("\(error)")
      }
      guard !journals.isEmpty else {
        throw couldNotRun("\(folder): contains no \(Journal.fileName); run shards first")
      }
      found += journals
    }
    var seen: Set<FilePath> = []
    return found.filter { seen.insert($0.lexicallyNormalized()).inserted }
  }

  /// Prints the reasons of cells that failed, as the commands that ran them did.
  private func printFailures(_ cells: [CellRecord]) {
    for cell in cells {
      guard case .failed(let reason) = cell.status else { continue }
      Console.error("\(cell.key.engine) · \(cell.key.policy) · \(cell.key.arm): failed: \(reason)")
    }
  }

  private func writeRun(_ merge: ShardMerge, to folder: OutputFolder) throws -> ExitCode {
    let outcome = merge.outcome
    printFailures(outcome.cells)
    var completion = RunCompletion(folder: folder)
    completion.writesReport = merge.content.writesReport
    completion.comparesTwice = merge.content.comparesTwice
    completion.isQuiet = quiet.isQuiet
    let record = RunRecord(
      scenario: merge.content.groups[0].scenario, provenance: merge.provenance,
      cells: outcome.cells)
    return try completion.complete(record, outcome)
  }

  private func write(
    _ fleet: ShardContent.Fleet, _ merge: ShardMerge, to folder: OutputFolder
  ) throws -> ExitCode {
    let measurement = FleetMeasurement(FleetPlan(fleet), merge.measurement)
    guard measurement.failures.isEmpty else { throw FleetCurveFiles.failed(measurement) }
    return try FleetCurveFiles.write(
      measurement, merge.provenance, to: folder, isQuiet: quiet.isQuiet)
  }

  private func write(
    _ sweep: ShardContent.Sweep, _ merge: ShardMerge, to folder: OutputFolder
  ) throws -> ExitCode {
    let groups = merge.groups
    printFailures(groups.flatMap(\.cells))
    let record = SweepRecord(
      name: groups[0].scenario.name, provenance: merge.provenance, axes: sweep.axes,
      points: sweep.points, groups: groups)
    let metric = SummaryMetric.allCases.first { $0.column == sweep.figure }
    return try SweepCompletion(folder: folder, metric: metric ?? .timeWeighted).complete(record)
  }
}
