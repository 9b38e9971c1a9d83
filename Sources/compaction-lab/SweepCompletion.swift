// The end of a sweep whose cells have ended, for `sweep` and `merge`: writes its files, prints the best policies, and decides
// the exit code.
import Analysis
import ArgumentParser
import Experiments
import RecordModel
import ReportRendering
import SystemIO

struct SweepCompletion {
  let folder: OutputFolder
  /// The figure of the pictures.
  let metric: SummaryMetric

  /// - Parameter whenWritten: called when the record is written.
  func complete(_ record: SweepRecord, whenWritten: () -> Void = {}) throws -> ExitCode {
    let analysis = SweepAnalysis(record)
    try SweepFiles(analysis, metric).writeResults(to: folder)
    whenWritten()
    Console.print(SweepText.best(analysis))
    Console.print("  report: \(folder.path.appending(SweepMarkdown.fileName))\n")
    if record.provenance.interrupted {
      Console.error("interrupted: the same command runs the rest")
      return .interrupted
    }
    let hasFailed = record.groups.flatMap(\.cells).contains {
      if case .failed = $0.status { true } else { false }
    }
    return hasFailed ? .couldNotRun : .success
  }
}
