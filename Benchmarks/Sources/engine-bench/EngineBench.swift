// The command: one part of the comparison at a time, so that each can be run alone; a Markdown table on standard output.
import ArgumentParser
import BenchSupport
import StorageEngine

enum Part: String, CaseIterable, ExpressibleByArgument {
  case commits, reads, load, open, compaction
  /// What `open` starts as a second process.
  case crash
}

@main
struct EngineBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engine-bench",
    abstract: "The storage engine beside LMDB and SQLite: the same work, in turns, in one process.")

  @Option(help: "commits, reads, load, open or compaction.") var part = Part.commits
  @Option(help: "Of the files: fresh, churned, fragmented or cold; for reads the first two.")
  var state = FileState.fresh
  @Option(help: "Rows in the table.") var rows = 20_000
  @Option(help: "Bytes of each value.") var value = 256
  @Option(help: "Pairs; ratios are taken within each.") var pairs = 15
  @Option(help: "Updates in each commit, at random keys.") var updates = 10
  @Option(help: "Durable commits in a pair.") var durable = 300
  @Option(help: "Commits without sync in a pair.") var unsynced = 3_000
  @Option(help: "Point reads in a pair.") var reads = 300_000
  @Option(help: "Seed of keys and of turns.") var seed: UInt64 = 1
  @Option(help: "Folder for the files, on the file system to be measured.") var folder = "."
  @Option(help: "The native engine's allocation.") var allocation = "clustered"
  @Option(help: "Run this engine alone (native, LMDB, SQLite).") var only: String?

  func validate() throws {
    guard part != .reads || state == .fresh || state == .churned else {
      throw ValidationError("Reads are measured on fresh or churned files, not on \(state) ones.")
    }
    guard Allocation(rawValue: allocation) != nil else {
      throw ValidationError("There is no allocation \(allocation).")
    }
    guard rows > 0, value > 0, updates > 0, durable > 0, unsynced > 0, reads > 0, pairs > 0 else {
      throw ValidationError("Every size is at least 1.")
    }
  }

  func run() throws {
    if part == .compaction {
      // One compaction needs a file of some size; a pair is a round with new files.
      let latency = CompactionLatency(
        rows: max(rows, 200_000), value: value, updates: updates, rounds: pairs, seed: seed,
        folder: folder)
      return try latency.run()
    }
    if part == .crash { try OpenPart.crash(folder, only, rows: rows) }
    let bench = try Bench(
      rows: rows, value: value, pairs: pairs, updates: updates, folder: folder, seed: seed,
      allocation: Allocation(rawValue: allocation)!, only: only)
    let table =
      switch part {
      case .commits:
        try CommitsPart(bench: bench, state: state, durable: durable, unsynced: unsynced).run()
      case .reads: try ReadsPart(bench: bench, state: state, reads: reads).run()
      case .load: try LoadPart(bench: bench).run()
      case .open, .crash, .compaction: try OpenPart(bench: bench).run()
      }
    print("\(machineLine())\n")
    print(
      "\(part.rawValue), \(state.rawValue): \(rows) rows × \(value) B, \(updates) updates a commit, \(pairs) pairs. "
        + "Medians; ratios are medians of the ratios within pairs [least–greatest].\n")
    print(table)
  }
}
