// The command: rounds of the same work on three engines side by side, and a table of medians and of ratios within
// rounds.
import ArgumentParser

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
struct EngineBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engine-bench",
    abstract: "The storage engine beside LMDB and SQLite: the same rows, in turns, in one process.")

  @Option(help: "Rows in the table.") var rows = 20_000
  @Option(help: "Bytes of each value.") var value = 256
  @Option(help: "Updates in each commit, at random keys.") var updates = 10
  @Option(help: "Durable commits in a round.") var durable = 1_000
  @Option(help: "Commits without sync in a round.") var unsynced = 10_000
  @Option(help: "Point reads in a round.") var reads = 1_000_000
  @Option(help: "Rounds; ratios are taken within each.") var rounds = 7
  @Option(help: "Seed of keys and of turns.") var seed: UInt64 = 1
  @Option(help: "Folder for the files, on the file system to be measured.") var folder = "."
  @Option(help: "Run this engine alone (native, LMDB, SQLite), for a profiler.") var only: String?

  func validate() throws {
    guard rows > 0, value > 0, updates > 0, durable >= 10, unsynced >= 10, reads >= 10, rounds > 0
    else { throw ValidationError("Every size is at least 1, commits and reads at least 10.") }
  }

  func run() throws {
    let work = Work(
      rows: rows, valueBytes: value, updatesPerCommit: updates, durableCommits: durable,
      unsyncedCommits: unsynced, reads: reads)
    var rounds: [[String: [Measure: Double]]] = []
    for number in 0..<self.rounds {
      var round = Round(work: work, seed: seed &+ UInt64(number) &* 7919)
      rounds.append(try inNewFolder { folder in try round.run(engines(in: folder)) })
      say("round \(number + 1) of \(self.rounds) done\n")
    }
    print(ResultTable(work: work, rounds: rounds).markdown)
  }

  private func engines(in folder: String) throws -> [any BenchEngine] {
    var engines: [any BenchEngine] = []
    if only == nil || only == "native" { engines.append(try NativeBench(folder: folder)) }
    if only == nil || only == "LMDB" { engines.append(try LMDBBench(folder: folder)) }
    if only == nil || only == "SQLite" { engines.append(try SQLiteBench(folder: folder)) }
    return engines
  }

  private func inNewFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    var template = Array((folder + "/engine-bench-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw BenchError(description: "\(folder): \(String(cString: strerror(errno)))")
    }
    let made = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer {
      for name in ["native.db", "lmdb.db", "lmdb.db-lock", "sqlite.db", "sqlite.db-wal"] {
        unlink(made + "/" + name)
      }
      unlink(made + "/sqlite.db-shm")
      rmdir(made)
    }
    return try body(made)
  }

  /// To standard error, so that the table alone is on standard output.
  private func say(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
