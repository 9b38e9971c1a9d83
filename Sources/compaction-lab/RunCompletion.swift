// The end of a run whose cells have ended, for `run`, `record`, `replay` and `merge`: writes its files, prints the summary,
// and decides the exit code.
import Analysis
import ArgumentParser
import Experiments
import RecordModel
import ReportRendering
import ScenarioModel
import SystemIO

struct RunCompletion {
  let folder: OutputFolder
  /// Whether the report is written; if not, `report` can render it later.
  var writesReport = true
  /// Whether the repetitions of a cell must give the same bytes.
  var comparesTwice = false
  /// Whether only failures, the verdict and the paths of the files are printed.
  var isQuiet = false
  /// Whether the results are in a journal, or in those of shards.
  var hasJournal = true
  /// The folder in which the database files were left; nil where none were.
  var keptFiles: FilePath?

  /// Writes the record and its report, prints the summary, and returns the exit code.
  ///
  /// - Parameter whenWritten: called when the record is written.
  func complete(
    _ record: RunRecord, _ outcome: RunOutcome, whenWritten: () -> Void = {}
  ) throws -> ExitCode {
    let files = ReportFiles(record: record, samples: outcome.samples)
    do {
      try folder.whileLocked { try write(files, outcome) }
    } catch let code as ExitCode { throw code } catch { throw couldNotRun("\(error)") }
    whenWritten()
    let code = try printSummary(files.analysis, outcome)
    guard comparesTwice, code == .success || code == .expectationFailed else { return code }
    return Self.printDeterminism(files.analysis.determinism, record.provenance) ? code : .differs
  }

  private func write(_ files: ReportFiles, _ outcome: RunOutcome) throws {
    do {
      try files.writeData(timings: outcome.timings, to: folder)
    } catch {
      let loss =
        hasJournal
        ? "the results are in the journal; \(Self.remedy(error)), and the same command writes the record"
        : "nothing of the run was kept; \(Self.remedy(error)) and run it again"
      throw couldNotRun("\(error)\n\(loss)")
    }
    do {
      try InterleavingFiles.write(
        outcome.interleavings, of: files.record.scenario, seed: files.record.provenance.seed,
        to: folder)
      if writesReport { try files.writeReport(to: folder) }
    } catch {
      throw couldNotRun(
        "\(error)\nthe record of the run is complete; \(Self.remedy(error)), and `compaction-lab report \(folder.path)` "
          + "writes its report")
    }
  }

  static func remedy(_ error: any Error) -> String {
    (error as? SystemError)?.isOutOfSpace == true ? "free space on the disk" : "correct that"
  }

  /// Prints whether the second runs gave the same bytes, and with which versions; returns false where they did not.
  private static func printDeterminism(_ determinism: Determinism, _ provenance: Provenance) -> Bool
  {
    let versions = provenance.engineVersions.sorted { $0.key < $1.key }
      .map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
    let key = "for \(versions) · pages of \(Machine.pageBytes) B · \(Machine.byteOrder)"
    switch determinism.finding {
    case .exact, .nothing:
      Console.print("  twice: \(determinism.sentence)\n         \(key)\n")
      return true
    case .unchecked, .differs, .threads:
      Console.error("twice: \(determinism.sentence)\n       \(key)")
      return false
    }
  }

  /// Prints the summary and returns the exit code.
  private func printSummary(_ analysis: ScenarioAnalysis, _ outcome: RunOutcome) throws -> ExitCode
  {
    let report = folder.path.appending(ReportMarkdown.fileName)
    Console.print(
      TerminalSummary.text(
        analysis, reportPath: writesReport ? report.string : nil, width: Terminal.width(),
        isBrief: isQuiet))
    if !writesReport { Console.print("  record: \(folder.path.appending(RunRecord.fileName))\n") }
    if let kept = keptFiles, FileSystem.exists(kept) {
      Console.print("  database files: \(kept)\n")
    }
    if outcome.interrupted {
      Console.error(
        "interrupted: the report covers the repetitions that had ended"
          + (hasJournal ? "; the same command runs the rest" : ""))
      return .interrupted
    }
    let hasFailedCell = outcome.cells.contains {
      if case .failed = $0.status { true } else { false }
    }
    if hasFailedCell { return .couldNotRun }
    let hasFailedExpectation = analysis.expectations.contains {
      if case .failed = $0.result { true } else { false }
    }
    return hasFailedExpectation ? .expectationFailed : .success
  }
}
