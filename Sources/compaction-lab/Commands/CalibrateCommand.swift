// Measures what compactions, launches and commits cost on this machine, and fits models to the times.
import ArgumentParser
import Calibration
import Engines
import Experiments
import MetricModel
import SystemIO

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measures what a compaction, a launch and a commit cost on this machine.",
    discussion: """
      Measures bandwidth and sync latency of the disk, and on each engine the times of compactions, launches and commits over \
      a range of sizes, in an order drawn from the seed. Fits models to two thirds of the sizes and checks them with the \
      rest. The output folder receives calibration.json, calibration.md, calibration.csv and a picture. Ctrl-C ends it with \
      exit code 130 and leaves no files.

      Exit codes: 0 done, 1 an error above that of --check, 2 could not run, 64 usage, 130 interrupted.
      """)

  @Option(
    name: .long,
    help: "An engine to measure, in place of native, lmdb and sqlite; may be repeated.")
  var engine: [String] = []

  @OptionGroup var libraries: EngineLibraries

  @Option(help: "The size of the largest file. It takes four times as much disk space.")
  var maxSize: String = "512 MB"

  @Option(help: "Seeds sizes, rows and order.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      """
      Exit code 1 if the median error of compaction times at held-out sizes is above so many percent on an engine.
      """, valueName: "percent"))
  var check: Double?

  @Option(
    help: "The folder for the results. Overwrites only folders with a record.")
  var output: String = "Reports/calibration"

  @Option(
    help:
      "The folder for database files, on the disk to be measured (default: the system's folder for temporary files)."
  )
  var workFolder: String?

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    try Choice.check(engines: engine)
    guard try largest() >= CalibrationDesign.minMaxFile else {
      throw ValidationError(
        "--max-size must be at least \(CalibrationDesign.minMaxFile); smaller files show no cost")
    }
    guard (check ?? 1) > 0 else { throw ValidationError("--check must be above 0, as in 20") }
  }

  private func largest() throws -> ByteCount { try SizeText.bytes(maxSize, of: "--max-size") }

  func run() throws {
    let design = CalibrationDesign(maxFile: try largest(), seed: seed)
    let engines = engine.isEmpty ? ["native", "lmdb", "sqlite"] : engine
    let execution = CalibrationExecution(
      design: design, engines: engines.map(Self.chosen), output: FilePath(output),
      workFolder: workFolder, maxError: check.map { $0 / 100 }, isQuiet: quiet.isQuiet)
    let code = try execution.carryOut(try Cancellation.onSignals())
    if code != .success { throw code }
  }

  /// Returns the engine without measurements, and why it is left out if it cannot compact at a launch.
  private static func chosen(_ id: String) -> EngineCosts {
    switch EngineCatalog.named(id) {
    case .available(let engine):
      let capabilities = engine.capabilities
      if case .notApplicable(let reason) = capabilities.onLaunch {
        return EngineCosts(
          engine: id, version: capabilities.version, absence: "it cannot compact: \(reason)")
      }
      return EngineCosts(engine: id, version: capabilities.version, points: [])
    case .unavailable(_, let reason): return EngineCosts(engine: id, absence: reason)
    case nil: return EngineCosts(engine: id, absence: "there is no such engine")
    }
  }
}

/// Runs one measurement, in a process that `calibrate` starts. Hidden: its input is a job as JSON.
struct CalibrationJobCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibration-job", abstract: "Runs one measurement; used by calibrate.",
    shouldDisplay: false)

  /// The process that started this one; when it ends, this one ends too.
  @Option(help: .hidden) var parent: Int32?

  func run() throws {
    do {
      if let parent { ChildProcess.endWithParent(parent) }
      try CalibrationJob.serve(
        try Terminal.readInput(), engine: EngineCatalog.available,
        write: { Terminal.write($0 + "\n", to: .output) })
    } catch {
      Console.error("\(error)")
      throw ExitCode.couldNotRun
    }
  }
}
