// Carries out a calibration: checks the disk, measures, fits, writes the files and prints the table.
import ArgumentParser
import Calibration
import Experiments
import MetricModel
import RecordModel
import ReportRendering
import SystemIO

struct CalibrationExecution {
  let design: CalibrationDesign
  /// Without measurements; those that cannot compact have the reason.
  let engines: [EngineCosts]
  let output: FilePath
  let workFolder: String?
  /// The median error at held-out sizes above which the exit code is 1; nil for none.
  let maxError: Double?
  let isQuiet: Bool

  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    let measured = engines.filter { $0.absence == nil }.map(\.engine)
    let absences = engines.compactMap { costs in
      costs.absence.map { "\n  \(costs.engine): \($0)" }
    }
    guard !measured.isEmpty else {
      throw couldNotRun("there is no engine to measure" + absences.joined())
    }
    try requireDisk()
    let existed = FileSystem.exists(output)
    let folder = try makeFolder()
    let startedAt = Clock.wallTimeText()
    announce(measured, absences)
    let outcome = try measure(measured, cancellation)
    if outcome.isInterrupted {
      if !existed { try? FileSystem.removeTree(output) }
      Console.error("interrupted: nothing was written; all database files were removed")
      return .interrupted
    }
    return try write(record(outcome, startedAt), outcome, to: folder)
  }

  private var databaseFolder: FilePath {
    workFolder.map { FilePath($0) } ?? FileSystem.temporaryFolder
  }

  /// Throws where the disk has too little space for the largest file, its copy, and what compacting that one writes.
  private func requireDisk() throws {
    guard let free = try? FileSystem.freeBytes(at: databaseFolder),
      design.diskNeeded > ByteCount(free)
    else { return }
    throw couldNotRun(
      "files up to \(design.maxFile) need \(design.diskNeeded) of disk space, and the disk of \(databaseFolder) has "
        + "\(ByteCount(free)) of free space; give a smaller --max-size, or a folder on another disk with --work-folder"
    )
  }

  private func makeFolder() throws -> OutputFolder {
    do {
      let folder = try OutputFolder(checking: output)
      try folder.make()
      return folder
    } catch { throw couldNotRun("\(error)") }
  }

  private func announce(_ measured: [String], _ absences: [String]) {
    guard !isQuiet else { return }
    Console.print(
      "calibration of \(measured.inWords) · files of \(design.minFile) to \(design.maxFile), seed \(design.seed)"
    )
    if !absences.isEmpty { Console.print("  left out:" + absences.joined()) }
    Console.print("")
  }

  private func measure(
    _ measured: [String], _ cancellation: Cancellation
  ) throws -> CalibrationRun.Outcome {
    let work: WorkFolder
    do { work = try PlanExecution.makeWorkFolder(in: workFolder) } catch {
      throw couldNotRun("\(error)")
    }
    defer { work.remove() }
    let display = CalibrationDisplay(isQuiet: isQuiet)
    defer { display.finish() }
    let run = CalibrationRun(
      design, engines: measured, executable: try ProcessMetrics.executablePath(),
      workFolder: work.path)
    return run.run(cancellation: cancellation) { display.show($0) }
  }

  private func record(_ outcome: CalibrationRun.Outcome, _ startedAt: String) -> CalibrationRecord {
    let machine = Machine.current()
    let mount = MountTable.current()?.mount(of: databaseFolder)?.text
    let origin = CalibrationOrigin(
      toolVersion: CompactionLab.version, command: PlanExecution.command, startedAt: startedAt,
      seed: design.seed, maxFile: design.maxFile, operatingSystem: machine.system,
      processor: machine.processor, cores: machine.processorCount,
      memory: ByteCount(machine.memoryBytes),
      fileSystem: mount ?? (try? FileSystem.typeName(at: databaseFolder)) ?? "unknown",
      conditions: outcome.conditions)
    let costs = engines.map { one in
      one.absence != nil
        ? one
        : EngineCosts(
          engine: one.engine, version: one.version, points: outcome.points[one.engine] ?? [],
          failures: outcome.failures[one.engine] ?? [])
    }
    return CalibrationRecord(origin: origin, device: outcome.device, engines: costs)
  }

  private func write(
    _ record: CalibrationRecord, _ outcome: CalibrationRun.Outcome, to folder: OutputFolder
  ) throws -> ExitCode {
    let files = CalibrationFiles(record: record)
    do { try folder.whileLocked { try files.write(to: folder) } } catch {
      throw couldNotRun("\(error)")
    }
    Console.print(CalibrationText.text(record, isBrief: isQuiet))
    for failure in outcome.failures[""] ?? [] { Console.error("compaction-lab: \(failure)") }
    Console.print("\n  report: \(folder.path.appending(CalibrationMarkdown.fileName))\n")
    return exitCode(record, outcome)
  }

  private func exitCode(
    _ record: CalibrationRecord, _ outcome: CalibrationRun.Outcome
  ) -> ExitCode {
    let costs = record.engines.filter { $0.absence == nil }
    let hasModels = costs.allSatisfy { $0.model(.compaction, .warm) != nil }
    guard outcome.failures.isEmpty, hasModels else { return .couldNotRun }
    guard let maxError else { return .success }
    let models = costs.flatMap { costs in
      costs.models.filter { $0.kind == .compaction }.map { (costs.engine, $0) }
    }
    let exceeding = models.filter { $0.1.heldOut?.median ?? .infinity > maxError }
    for (engine, model) in exceeding {
      Console.error(
        "\(engine), compaction, \(model.cache.rawValue): the median error at held-out sizes is "
          + "\(model.heldOut.map { percent($0.median) } ?? "unknown"), above \(percent(maxError))")
    }
    return exceeding.isEmpty ? .success : .differs
  }
}

/// The progress of a calibration: in a terminal one line that is overwritten, with the time left; else a line for each
/// measurement.
private final class CalibrationDisplay {
  private let isQuiet: Bool
  private let isTerminal = Terminal.isTerminal(.error)
  private let start = Clock.monotonicNanoseconds()

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  func show(_ progress: CalibrationRun.Progress) {
    guard !isQuiet else { return }
    let count = "\(progress.jobs)/\(progress.jobCount)"
    let left = timeLeft(progress)
    if isTerminal {
      let text = [count, left, progress.title, progress.stage].compactMap { $0 }
        .joined(separator: "  ")
      Console.draw("\r\u{1B}[K\(String(text.prefix(Terminal.width(of: .error) - 1)))")
    } else if progress.stage == nil {
      Console.error("[\(count)] \(progress.title): done, \(left)")
    }
  }

  func finish() {
    if isTerminal, !isQuiet { Console.draw("\r\u{1B}[K") }
  }

  /// An estimate from the time that the measurements took so far by their sizes.
  private func timeLeft(_ progress: CalibrationRun.Progress) -> String {
    guard progress.done > 0 else { return "…  left" }
    let elapsed = Double(Clock.monotonicNanoseconds() - start) / 1e9
    let rest = Double(progress.total - progress.done) / Double(progress.done)
    let (minutes, seconds) = Int(elapsed * rest).quotientAndRemainder(dividingBy: 60)
    return "\(minutes):\(seconds < 10 ? "0" : "")\(seconds) left"
  }
}
