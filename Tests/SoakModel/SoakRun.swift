// A soak of one engine: several processes on one file, their memory looked at from outside, and the file afterwards.
import EngineInterface
package import MetricModel
package import SystemIO

package struct SoakRun: Sendable {
  package var engineID: String
  /// The program that works (`soak-process work …`).
  package var program: FilePath
  /// Where the database is made.
  package var folder: FilePath
  package var end: SoakWorker.End
  package var paceMilliseconds: Int
  /// Seconds from one period without a reader to the next; 0 for none.
  package var lullSeconds: Int
  package var seed: UInt64
  /// Of each process.
  package var threads: Int

  /// Fewer on an engine whose database one process has at a time.
  private static let maxProcesses = 4
  /// Seconds between two samples of the memory.
  private static let interval = 5

  package init(
    engineID: String, program: FilePath, folder: FilePath, end: SoakWorker.End,
    paceMilliseconds: Int, lullSeconds: Int, seed: UInt64, threads: Int
  ) {
    self.engineID = engineID
    self.program = program
    self.folder = folder
    self.end = end
    self.paceMilliseconds = paceMilliseconds
    self.lullSeconds = lullSeconds
    self.seed = seed
    self.threads = threads
  }

  package struct Report: Sendable {
    package var tally: SoakWorker.Tally
    package var files: ByteCount
    /// By process, as its worker is numbered.
    package var memory: [MemoryLog.Track]
  }

  /// Errors: a process that did not end well, and whatever is wrong with the file.
  package func run() async throws -> Report {
    try FileSystem.makeFolders(folder)
    // The file is there before all come at once.
    let engine = try SoakEngine.named(engineID)
    let processes = engine.capabilities.otherProcesses.isSupported ? Self.maxProcesses : 1
    let first = try prepare(engine)
    let log = MemoryLog(processes: processes, databaseIn: folder)
    let watcher = try SystemThread.start(name: "memory") {
      log.watch(everySeconds: Self.interval)
    }
    let outcomes: Result<SoakWorker.Tally, any Error>
    do { outcomes = .success(try await work(processes, log)) } catch { outcomes = .failure(error) }
    log.end()
    watcher.join()
    var tally = try outcomes.get()
    tally.commits += first
    let files = try SoakAudit.run(
      engineID: engineID, folder: folder, seed: seed, commits: tally.commits,
      beside: isLong ? LastingFile.rows(seed) : [:])
    return Report(tally: tally, files: files, memory: log.tracks)
  }

  /// Makes the database; returns how many commits that took.
  private func prepare(_ engine: any Engine) throws -> Int {
    let session = try SoakEngine.open(engine, folder)
    let commits = isLong ? try LastingFile.make(in: session, seed: seed) : 0
    try session.close()
    return commits
  }

  /// Memory is judged then.
  private var isLong: Bool { if case .seconds = end { true } else { false } }

  private func work(_ processes: Int, _ log: MemoryLog) async throws -> SoakWorker.Tally {
    let environment = HeapSettings.environment(inherited: HeapSettings.inherited)
    return try await withThrowingTaskGroup(of: SoakWorker.Tally.self) { group in
      for process in 0..<processes {
        group.addTask {
          let child = ChildProcess(
            program, arguments: arguments(process), environment: environment)
          let outcome = try await child.run(onStart: { log.started(process, as: $0) })
          guard outcome.ending.isSuccess,
            let tally = outcome.outputText.split(separator: "\n").last.flatMap({
              SoakWorker.Tally($0)
            })
          else {
            throw SoakError(
              "\(engineID), process \(process): \(outcome.ending): \(outcome.outputText)\(outcome.errorText)"
            )
          }
          return tally
        }
      }
      var sum = SoakWorker.Tally()
      for try await tally in group { sum += tally }
      return sum
    }
  }

  private func arguments(_ process: Int) -> [String] {
    let length: [String] =
      switch end {
      case .steps(let steps): ["steps", String(steps)]
      case .seconds(let seconds): ["seconds", String(seconds)]
      }
    return ["work", engineID, folder.string, String(seed), String(process)]
      + length + [String(paceMilliseconds), String(lullSeconds), String(threads)]
  }
}
