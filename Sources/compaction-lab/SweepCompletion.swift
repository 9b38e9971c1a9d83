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
    do {
      try folder.whileLocked { try SweepFiles(analysis, metric).write(to: folder) }
    } catch {
      throw couldNotRun(
        "\(error)\nthe results are in the journal; \(RunCompletion.remedy(error)), and the same command writes the files"
      )
    }
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

/// The files of a sweep.
struct SweepFiles {
  private static let pictureFolder = "plots"

  private let analysis: SweepAnalysis
  private let metric: SummaryMetric

  init(_ analysis: SweepAnalysis, _ metric: SummaryMetric) {
    self.analysis = analysis
    self.metric = metric
  }

  /// Writes all files; the record last, so that a folder with a record is complete.
  func write(to folder: OutputFolder) throws {
    let record = try analysis.record.json()
    try folder.prepare(removing: [SweepRecord.fileName] + rendered(in: folder))
    try writeRendered(to: folder)
    try folder.write(record, to: SweepRecord.fileName)
  }

  /// Writes the files that are made of the record.
  func render(to folder: OutputFolder) throws {
    try folder.prepare(removing: rendered(in: folder))
    try writeRendered(to: folder)
  }

  private func rendered(in folder: OutputFolder) -> [String] {
    [SweepCSV.fileName, SweepCSV.timesFileName, SweepMarkdown.fileName]
      + earlierPictures(in: folder)
  }

  private func writeRendered(to folder: OutputFolder) throws {
    let pictures = SweepPictures.all(analysis, metric)
    for picture in pictures {
      try folder.write(Array(picture.svg.utf8), to: "\(Self.pictureFolder)/\(picture.file)")
    }
    try folder.write(SweepCSV.text(analysis), to: SweepCSV.fileName)
    try folder.write(SweepCSV.times(analysis), to: SweepCSV.timesFileName)
    let page = SweepMarkdown.text(
      analysis, metric, pictures: pictures, folder: Self.pictureFolder)
    try folder.write(Array(page.utf8), to: SweepMarkdown.fileName)
  }

  /// The pictures of an earlier sweep, whose names depend on what it varied.
  private func earlierPictures(in folder: OutputFolder) -> [String] {
    let names = (try? FileSystem.list(folder.path.appending(Self.pictureFolder))) ?? []
    return names.filter {
      $0.hasSuffix(".svg") && ($0.hasPrefix("lines-") || $0.hasPrefix("heat-map"))
    }.map { "\(Self.pictureFolder)/\($0)" }
  }
}
