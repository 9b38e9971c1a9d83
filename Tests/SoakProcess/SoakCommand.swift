// `soak-process run`: all engines at once, and what came of them as a table.
import SoakModel
import Statistics
import SystemIO

struct SoakCommand {
  private var engines: [String] = []
  private var end = SoakWorker.End.seconds(1800)
  private var pace = 100
  private var lull: Int?
  private var folder: FilePath?
  private var samples: FilePath?
  private var seed: UInt64 = 1
  private var threads = 1

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let word = rest.popFirst() {
      guard let value = rest.popFirst() else { throw SoakError("\(word) needs a value") }
      func number() throws -> Int {
        guard let number = Int(value), number >= 0 else {
          throw SoakError("\(word) needs a number")
        }
        return number
      }
      switch word {
      case "--engine": engines.append(value)
      case "--seconds": end = .seconds(try number())
      case "--steps": end = .steps(try number())
      case "--pace": pace = try number()
      case "--lull": lull = try number()
      case "--folder": folder = FilePath(value)
      case "--samples": samples = FilePath(value)
      case "--seed": seed = UInt64(try number())
      case "--threads": threads = max(1, try number())
      default: throw SoakError("unknown option \(word)")
      }
    }
  }

  /// A soak of some steps is too short for lulls.
  private var lullSeconds: Int {
    if let lull { return lull }
    return if case .seconds = end { 60 } else { 0 }
  }

  /// False where anything was wrong.
  mutating func run() async throws -> Bool {
    let runFolder = try FileSystem.makeTemporaryFolder(prefix: "soak", in: folder)
    defer { try? FileSystem.removeTree(runFolder) }
    let program = try ProcessMetrics.executablePath()
    var runs: [SoakRun] = []
    for id in engines.isEmpty ? SoakEngine.all : engines {
      do { _ = try SoakEngine.named(id) } catch let absence as LibraryAbsence {
        Self.printLine("| \(id) | left out: \(absence) |")
        continue
      }
      runs.append(
        SoakRun(
          engineID: id, program: program, folder: runFolder.appending(id), end: end,
          paceMilliseconds: pace, lullSeconds: lullSeconds, seed: seed,
          threads: threads))
    }
    let outcomes = await soak(runs)
    Self.printLine(Self.header)
    var isSound = true
    for run in runs {
      switch outcomes[run.engineID] {
      case .success(let report)?:
        isSound = printRow(run.engineID, report) && isSound
      case .failure(let error)?:
        isSound = false
        Self.printLine("| \(run.engineID) | WRONG: \(error) |")
      case nil: isSound = false
      }
    }
    if let samples { try write(outcomes, to: samples) }
    return isSound
  }

  /// Soaks all engines at once; returns what came of each, by its identifier.
  private func soak(_ runs: [SoakRun]) async -> [String: Result<SoakRun.Report, any Error>] {
    // Tasks of their own, not a group: optimized by Swift 6.3, a group of such results is empty.
    let tasks = runs.map { run in (run.engineID, Task { try await run.run() }) }
    var outcomes: [String: Result<SoakRun.Report, any Error>] = [:]
    for (id, task) in tasks { outcomes[id] = await task.result }
    return outcomes
  }

  private static let header = """
    | engine | commits | reads | openings | busy | checkpoints | files, MB \
    | anonymous memory, MiB: median, most | its slope, MiB an hour | \
    slope of all resident but the database's pages | of their proportional set | mappings more an hour | |
    |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|
    """

  /// Prints an engine's row, of its process with the highest upper bound; false where that passes the bar.
  private func printRow(_ id: String, _ report: SoakRun.Report) -> Bool {
    let length = if case .seconds(let seconds) = end { Double(seconds) } else { 0.0 }
    let warmUp = MemoryTrend.warmUp(ofSeconds: length)
    func worst(_ trend: (MemoryLog.Track) -> MemoryTrend) -> SlopeEstimate? {
      report.memory.compactMap { trend($0).slope(afterSeconds: warmUp) }
        .max { $0.interval.high < $1.interval.high }
    }
    let levels = report.memory.compactMap { $0.anonymous.level(afterSeconds: warmUp) }
    let level = levels.max { $0.most < $1.most }
    let slopes = [worst(\.anonymous), worst(\.resident), worst(\.proportional)]
    let mappings = worst(\.mappings)
    let highest = slopes.compactMap { $0?.interval.high }.max()
    let isFlat = highest.map {
      $0 < MemoryTrend.bar && mappings?.interval.high ?? 0 < MemoryTrend.mappingsBar
    }
    let cells: [String] = [
      id, "\(report.tally.commits)", "\(report.tally.reads)", "\(report.tally.openings)",
      "\(report.tally.refusals)", "\(report.tally.checkpoints)",
      Self.digits(Double(report.files.bytes) / 1e6),
      level.map { "\(Self.digits($0.median)), \(Self.digits($0.most))" } ?? "",
      slopes[0].map(Self.text) ?? "too short", slopes[1].map(Self.text) ?? "",
      slopes[2].map(Self.text) ?? "", mappings.map(Self.text) ?? "",
      isFlat.map { $0 ? "holds" : "MISSED" } ?? "sound",
    ]
    Self.printLine("| " + cells.joined(separator: " | ") + " |")
    return isFlat ?? true
  }

  private static func text(_ slope: SlopeEstimate) -> String {
    "\(digits(slope.slope)) [\(digits(slope.interval.low)), \(digits(slope.interval.high))]"
  }

  private static func digits(_ value: Double) -> String {
    let hundredths = Int((value.magnitude * 100).rounded())
    let sign = value < 0 && hundredths > 0 ? "−" : ""
    return "\(sign)\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }

  private func write(
    _ outcomes: [String: Result<SoakRun.Report, any Error>], to path: FilePath
  ) throws {
    var text =
      "engine,process,seconds,resident_bytes,proportional_bytes,anonymous_bytes,database_bytes,mappings\n"
    for (id, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
      guard case .success(let report) = outcome else { continue }
      for (process, track) in report.memory.enumerated() {
        for (seconds, memory) in track.samples {
          let sizes = [
            memory.resident, memory.proportional, memory.anonymous, memory.database,
            memory.mappings,
          ]
          text += "\(id),\(process),\(Int(seconds)),"
          text += sizes.map(String.init).joined(separator: ",") + "\n"
        }
      }
    }
    try FileSystem.write(text: text, to: path)
  }

  /// Writes without buffering: a soak is long, and its output may be a file that a user is watching.
  private static func printLine(_ line: String) { Terminal.write(line + "\n", to: .output) }
}
