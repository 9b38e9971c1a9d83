// The time of a compaction compared with its lower bound, copying the live bytes and syncing them. The two alternate,
// and the compaction runs in a process of its own, so that its memory is measured alone.
import ArgumentParser
import BenchSupport
import StorageEngine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
struct CompactionBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compaction-bench",
    abstract: "Compaction of a half-empty file beside `cp` and `sync` of its live bytes, in turns.",
    subcommands: [Compare.self, CompactOnce.self], defaultSubcommand: Compare.self)
}

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes the file, and compares in rounds.")

  @Option(help: "MiB that the file has before half of its rows are deleted.") var size = 1024
  @Option(help: "Bytes of each value.") var value = 256
  @Option(help: "How rows lie in the file: in-order, or scattered by random insertion.")
  var layout: RowLayout = .inOrder
  @Option(help: "Rounds; ratios are taken within each.") var rounds = 7
  @Option(help: "Seed of keys and values.") var seed: UInt64 = 1
  @Option(help: "Folder for the files, on the file system to be measured.") var folder = "."
  @Flag(help: "Drop the sources from the page cache before each turn.") var cold = false

  func validate() throws {
    guard size > 0, value > 0, rounds > 0 else {
      throw ValidationError("Every size is at least 1.")
    }
  }

  func run() throws {
    try inNewFolder { folder in
      let template = folder + "/template.db"
      let live = try HalfEmptyFile(
        path: template, bytes: size << 20, valueBytes: value, layout: layout, seed: seed
      ).make()
      say("\(lengthOfFile(template)) bytes, \(live) of them live\n")
      var turns: [Turn] = []
      for number in 0...rounds {
        let turn = try self.turn(folder, compactsFirst: number % 2 == 0)
        // The first warms up disk and caches, and makes the file that `cp` copies.
        if number > 0 { turns.append(turn) }
        say("round \(number) of \(rounds): \(turn.line)\n")
      }
      print(Turn.table(turns, file: lengthOfFile(template), live: live))
    }
  }

  /// One compaction of a fresh copy of the file, and one copy of the file that a compaction left.
  private func turn(_ folder: String, compactsFirst: Bool) throws -> Turn {
    var turn = Turn()
    let work = folder + "/work.db"
    let compacted = folder + "/compacted.db"
    let copy = folder + "/copy.db"
    unlink(work)
    try runTool(["cp", "--reflink=never", folder + "/template.db", work])
    try runTool(["sync", work])
    if !compactsFirst, lengthOfFile(compacted) > 0 { try self.copy(compacted, copy, &turn) }
    if cold { try dropFromCache(work) }
    try warmMemory(size << 20)
    let report = try runSelf(["compact-once", work])
    guard report.count == 5 else { throw BenchError(description: "compact-once said \(report)") }
    turn.compaction = report[0]
    turn.memoryBefore = report[1]
    turn.peakMemory = report[2]
    turn.result = report[3]
    turn.compactionProcessor = report[4]
    rename(work, compacted)
    if turn.copy == 0 { try self.copy(compacted, copy, &turn) }
    return turn
  }

  private func copy(_ source: String, _ target: String, _ turn: inout Turn) throws {
    unlink(target)
    if cold { try dropFromCache(source) }
    try warmMemory(size << 20)
    let before = processorTime(of: RUSAGE_CHILDREN)
    let start = ContinuousClock.now
    try runTool(["cp", "--reflink=never", source, target])
    try runTool(["sync", target])
    turn.copy = (ContinuousClock.now - start).nanoseconds
    turn.copyProcessor = processorTime(of: RUSAGE_CHILDREN) - before
    unlink(target)
  }

  private func inNewFolder(_ body: (String) throws -> Void) throws {
    var template = Array((folder + "/compaction-bench-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchError.system(folder) }
    let made = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer {
      for name in ["template.db", "work.db", "compacted.db", "copy.db"] {
        unlink(made + "/" + name)
        unlink(made + "/" + name + ".lock")
      }
      rmdir(made)
    }
    try body(made)
  }
}

/// What one round took.
struct Turn {
  var compaction = 0
  var copy = 0
  /// Processor time of both, user's and kernel's.
  var compactionProcessor = 0
  var copyProcessor = 0
  var memoryBefore = 0
  var peakMemory = 0
  var result = 0

  var ratio: Double { Double(compaction) / Double(copy) }
  var extraMemory: Int { peakMemory - memoryBefore }
  var line: String {
    "compaction \(compaction / 1_000_000) ms (processor \(compactionProcessor / 1_000_000)), cp and "
      + "sync \(copy / 1_000_000) ms (processor \(copyProcessor / 1_000_000)), ratio "
      + "\(rounded(ratio)), \(extraMemory >> 20) MiB more memory"
  }

  static func table(_ turns: [Turn], file: Int, live: Int) -> String {
    func spread(_ values: [Double]) -> String {
      let spread = Spread(values)
      return "\(rounded(spread.median)) [\(rounded(spread.low))–\(rounded(spread.high))]"
    }
    return """
      | file, live, result (bytes) | compaction, ms | cp and sync, ms | ratio | ratio of processor time \
      | extra memory, MiB |
      |---|---:|---:|---:|---:|---:|
      | \(file), \(live), \(turns[0].result) \
      | \(spread(turns.map { Double($0.compaction) / 1e6 })) \
      | \(spread(turns.map { Double($0.copy) / 1e6 })) \
      | \(spread(turns.map(\.ratio))) \
      | \(spread(turns.map { Double($0.compactionProcessor) / Double($0.copyProcessor) })) \
      | \(spread(turns.map { Double($0.extraMemory) / 1_048_576 })) |
      """
  }
}

/// One compaction, for `Compare`: prints nanoseconds, resident bytes before, the most there were, the
/// file's size, and nanoseconds of processor time.
struct CompactOnce: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact-once", abstract: "Compacts one file and prints what it took.")

  @Argument var path: String

  func run() throws {
    let options = DatabaseOptions(automaticCompaction: nil)
    let database = try Database.open(path: .init(path), options: options)
    let before = residentBytes("VmRSS:")
    let processor = processorTime(of: RUSAGE_SELF)
    let start = ContinuousClock.now
    let outcome = try database.compact()
    let elapsed = (ContinuousClock.now - start).nanoseconds
    let peak = residentBytes("VmHWM:")
    guard case .compacted(_, let after, _) = outcome else {
      throw BenchError(description: "\(outcome)")
    }
    let spent = processorTime(of: RUSAGE_SELF) - processor
    try database.close()
    print(elapsed, before, peak, after.file, spent)
  }
}
