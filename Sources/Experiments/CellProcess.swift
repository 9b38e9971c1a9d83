// Runs one repetition in a process of its own: the same executable, called with `cell`, reads the job as JSON and writes
// the result to a file; its standard output has progress lines. Memory and bytes written then belong to that cell alone,
// and an engine that crashes costs one cell.
package import EngineInterface
import MetricModel
package import RecordModel
package import SystemIO
package import WorkloadRunner

import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

/// The result of one repetition, and the JSON that it was read from.
package struct CellOutput: Sendable {
  package let result: RepetitionResult
  package let json: [UInt8]
}

extension CellOutput {
  /// The result, and JSON made of it.
  init(_ result: RepetitionResult) throws {
    self.init(result: result, json: Array(try JSONEncoder().encode(result)))
  }
}

/// Both sides of a cell's process.
package enum CellProcess {
  /// The name of the result's file, which lies beside the database's folder and not in it: that one belongs to the engine.
  package static let resultFile = "result.json"
  package static let databaseFolder = "database"
  /// Where temporary files lie if the database's own disk is of limited size, and its use is measured.
  private static let temporaryFolder = "temporary"

  /// Runs the job in a new process of `executable`. The folder `work` is created, used and removed.
  package static func run(
    _ job: CellJob, executable: FilePath, work: FilePath, on disk: LimitedDisk.Wrapping? = nil,
    cancellation: Cancellation?, progress: @escaping (ProgressLine) -> Void
  ) throws -> RepetitionResult {
    try output(
      of: job, executable: executable, work: work, on: disk, cancellation: cancellation,
      progress: progress
    ).result
  }

  /// Does as `run`, and returns the JSON of the result too.
  static func output(
    of job: CellJob, executable: FilePath, work: FilePath, on disk: LimitedDisk.Wrapping?,
    cancellation: Cancellation?, progress: @escaping (ProgressLine) -> Void
  ) throws -> CellOutput {
    var job = job
    try FileSystem.makeFolders(work.appending(databaseFolder))
    defer { try? FileSystem.removeTree(work) }
    job.folder = work.string
    if disk == nil { job.measuredDisk = nil }
    // A crash is reported in one line; its backtrace would be of the harness, not of the engine.
    var environment = ["SWIFT_BACKTRACE": "enable=no"]
    let arguments = ["cell", "--parent", "\(ProcessFacts.currentID)"]
    let isLimited = job.scenario.arms.contains {
      $0.name == job.key.arm && $0.limits?.disk != nil
    }
    if job.measuredDisk != nil {
      // SQLite's temporary files, which it removes as soon as it has opened them.
      let folder = isLimited ? temporaryFolder : databaseFolder
      try FileSystem.makeFolders(work.appending(folder))
      environment["SQLITE_TMPDIR"] = work.appending(folder).string
    }
    let child =
      if isLimited || job.measuredDisk != nil, let disk {
        disk.child(executable, arguments, environment: environment)
      } else {
        ChildProcess(executable, arguments: arguments, environment: environment)
      }
    let outcome = try child.run(
      input: Array(try JSONEncoder().encode(job)), cancellation: cancellation,
      onOutput: { bytes in
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        if let line = lines.last.flatMap({ ProgressLine(String($0)) }) { progress(line) }
      })
    guard outcome.ending.isSuccess else {
      // A signal to all processes of a job, as schedulers send it, may end a cell before this process has received it.
      if case .signalled = outcome.ending { _ = cancellation?.isRequested(withinMilliseconds: 500) }
      throw RunnerError(failure(outcome))
    }
    let bytes = try FileSystem.read(work.appending(resultFile))
    return CellOutput(
      result: try JSONDecoder().decode(RepetitionResult.self, from: Data(bytes)), json: bytes)
  }

  /// The arguments with which the program tries to mount a disk; it exits with success if it can.
  package static let diskTrial = ["cell", "--try-disk"]

  /// Mounts a small disk: the program's side of `diskTrial`.
  package static func tryDisk() throws(SystemError) {
    let folder = try FileSystem.makeTemporaryFolder(prefix: "disk")
    defer { try? FileSystem.removeTree(folder) }
    try LimitedDisk.mount(at: folder, bytes: 1 << 20)
    // A folder that has a disk on it cannot be removed.
    try LimitedDisk.unmount(at: folder)
  }

  private static func failure(_ outcome: ChildProcess.Outcome) -> String {
    let lines = outcome.errorText.split(separator: "\n").map(String.init)
    // The first lines have the error; a crash prints a long backtrace after them.
    let message = lines.filter { !$0.isEmpty }.prefix(3).joined(separator: " ")
    return message.isEmpty ? "the cell's process ended with \(outcome.ending)" : message
  }

  /// Runs the job that `input` contains and writes its result: the cell's side.
  package static func serve(
    _ input: [UInt8], engine: (String) throws -> any Engine,
    progress: @escaping @Sendable (Sample) -> Int
  ) throws {
    var job = try JSONDecoder().decode(CellJob.self, from: Data(input))
    let work = FilePath(job.folder)
    job.folder = work.appending(databaseFolder).string
    let engine = try engine(job.key.engine)
    if let disk = job.measuredDisk, try !measure(disk, job, engine, in: work) {
      job.measuredDisk = nil
    }
    TaskRuntime.start()
    var result: RepetitionResult
    var key: [UInt8]?
    if case .replay(let file, let speed) = job.trace {
      result = try TraceReplay(
        job, on: engine, trace: FilePath(file), speed: speed, progress: progress
      ).run()
    } else {
      let run = try CellRun(
        job, on: engine, program: ClientProcess.program(try ProcessMetrics.executablePath()),
        progress: progress
      )
      result = try run.run()
      key = run.currentKey
    }
    if job.measuredDisk != nil {
      result.record.exact.peakDisk = ByteCount(DiskWatch.peakBytes)
    }
    if let kept = job.keptFiles {
      try KeptFiles.keep(FilePath(job.folder), key: key, in: FilePath(kept))
    }
    try FileSystem.write(
      Array(try JSONEncoder().encode(result)), to: work.appending(resultFile))
  }
}

extension CellProcess {
  /// Puts the database on a disk of its own, and begins to watch it. A limited disk is mounted, and watched, later. Returns
  /// false where the system cannot watch it.
  private static func measure(
    _ disk: MeasuredDisk, _ job: CellJob, _ engine: any Engine, in work: FilePath
  ) throws(SystemError) -> Bool {
    let refuses = engine.capabilities.canDoWithoutReservations
    do throws(SystemError) { try DiskWatch.begin(refusesReservations: refuses) } catch {
      return false
    }
    let limits = job.scenario.arms.first { $0.name == job.key.arm }?.limits
    let folder =
      limits?.disk == nil ? FilePath(job.folder) : work.appending(temporaryFolder)
    try LimitedDisk.mount(at: folder, bytes: disk.bytes)
    try DiskWatch.add(folder)
    return true
  }
}

/// The progress of a cell in one line: launch, phase, commits and total bytes, as in `2 pinned 7350 22100000`.
package struct ProgressLine: Sendable, Equatable {
  package var launch: Int
  package var phase: String
  package var commits: Int
  package var totalBytes: Int

  package init(_ sample: Sample) {
    launch = sample.observation.launch
    phase = sample.phase
    commits = sample.observation.commits
    totalBytes = sample.observation.space.total.bytes
  }

  package init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 4, let launch = Int(parts[0]), let commits = Int(parts[2]),
      let totalBytes = Int(parts[3])
    else { return nil }
    self.launch = launch
    phase = String(parts[1])
    self.commits = commits
    self.totalBytes = totalBytes
  }

  package var text: String { "\(launch) \(phase) \(commits) \(totalBytes)" }
}
