// Whether two threads of the harness do twice the work of one, beside a loop that shares nothing: on two processors that
// are hyperthreads of one core, or that others use too, not even that one doubles.
import ArgumentParser
import BenchSupport
import Foundation

@main
struct HarnessBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "harness-bench",
    abstract:
      "Compares how the harness and a bare loop scale from one thread to two, and what a lookup costs it."
  )

  @Option(help: "The built compaction-lab.")
  var program = "../.build/release/compaction-lab"

  @Option(help: "The scenario with the arms `one` and `two`.")
  var scenario = "harness-threads.yml"

  @Option(help: "The scenario of a writer, whose operations lookups are compared with.")
  var cost = "harness-cost.yml"

  @Option(
    help: "The scenario of lookups, with the arms `operations`, `transactions` and `two-threads`.")
  var lookups = "harness-lookups.yml"

  @Option(help: "Rounds; in each, both are run with one thread and with two.")
  var rounds = 5

  @Option(
    help: """
      Repetitions within a round, of which the fastest counts: processors that a virtual machine shares with others are \
      slower for seconds at a time.
      """)
  var repetitions = 5

  func run() throws {
    print(machineLine() + "\n")
    var table = PairedRatios()
    var costs = LookupCosts()
    for round in 0...rounds {
      let bare = fastestLoop()
      let harness = try harness()
      let next = try lookupCosts(bare: bare)
      // The first round pays for what is cold.
      if round > 0 {
        table.add(bare: bare, harness: harness)
        costs.add(next)
      }
    }
    print(table.markdown + "\n")
    print(costs.markdown)
  }

  /// How much sooner two threads end with the same work.
  private func harness() throws -> Double {
    let record = try record(of: scenario, schedule: "threads")
    return try record.least("one", \.wall) / record.least("two", \.wall)
  }

  /// How much sooner two threads of the loop end, each at its fastest.
  private func fastestLoop() -> Double {
    var (one, two) = (Double.infinity, Double.infinity)
    for _ in 0..<repetitions {
      one = min(one, loop(threads: 1))
      two = min(two, loop(threads: 2))
    }
    return one / two
  }

  /// What an operation of a writer and of lookups costs, in nanoseconds, and by how much two threads do more than one.
  private func lookupCosts(bare: Double) throws -> LookupCosts.Round {
    let writer = try record(of: self.cost, schedule: "threads")
    let lookups = try record(of: self.lookups, schedule: "threads")
    func cost(_ arm: String) throws -> Double { try lookups.least(arm, \.lookup) }
    let transactions = try cost("transactions")
    return LookupCosts.Round(
      writer: try writer.least("default", \.operation),
      operation: try cost("operations"), transaction: transactions,
      twoThreads: try transactions / cost("two-threads"), bare: bare)
  }

  private func record(of scenario: String, schedule: String) throws -> Record {
    let output = NSTemporaryDirectory() + "harness-bench-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "run", scenario, "--schedule", schedule, "--jobs", "1", "--repetitions",
      "\(repetitions)", "--output", output,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ValidationError("\(program) ended with \(process.terminationStatus).")
    }
    let name = URL(fileURLWithPath: scenario).deletingPathExtension().lastPathComponent
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(output)/\(name)/record.json"))
    return try JSONDecoder().decode(Record.self, from: data)
  }

  /// Nanoseconds for the same work, divided among threads: as for lookups, a random number and a power of it for each of 100
  /// reads, then a look at the clock and a count. A loop of integers alone would leave idle what the threads of one core
  /// share, and scale better than any harness could.
  private func loop(threads: Int) -> Double {
    let start = nanoseconds()
    DispatchQueue.concurrentPerform(iterations: threads) { index in
      var random = KeyStream(seed: UInt64(index) + 1)
      var counts = [Double](repeating: 0, count: 64)
      var last = nanoseconds()
      for _ in 0..<(200_000 / threads) {
        var sum = 0.0
        for _ in 0..<100 { sum += pow(Double(random.next() >> 11) * 0x1p-53, 1.01) }
        let now = nanoseconds()
        counts[Int(truncatingIfNeeded: now &- last) & 63] += sum
        last = now
      }
      precondition(counts.reduce(0, +) > 0)
    }
    return Double(nanoseconds() - start)
  }
}

/// As much of record.json as is asked for.
private struct Record: Decodable {
  struct Cell: Decodable {
    struct Key: Decodable { var arm: String }
    var key: Key
    var repetitions: [Repetition]
  }
  struct Repetition: Decodable {
    struct Exact: Decodable { var operations: Int }
    struct Timing: Decodable {
      var wall: UInt64
      var lookups: Lookups?
    }
    struct Lookups: Decodable {
      var operations: Int
      var nanoseconds: Int
    }
    var exact: Exact
    var timing: Timing

    /// Nanoseconds in all, for an operation, and for a read of lookups.
    var wall: Double? { Double(timing.wall) }
    var operation: Double? { Double(timing.wall) / Double(exact.operations) }
    var lookup: Double? { timing.lookups.map { Double($0.nanoseconds) / Double($0.operations) } }
  }
  var cells: [Cell]

  /// The least figure among the repetitions of the cell with that arm.
  func least(_ arm: String, _ figure: (Repetition) -> Double?) throws -> Double {
    let cell = cells.first { $0.key.arm == arm }
    guard let least = cell?.repetitions.compactMap(figure).min() else {
      throw ValidationError("The record has no such figure of arm \(arm).")
    }
    return least
  }
}

/// What lookups cost the harness, beside a writer and a loop that shares nothing, measured in the same rounds.
private struct LookupCosts {
  struct Round {
    /// Nanoseconds for an operation: of a writer; of lookups that time each; of lookups that time each transaction.
    var writer: Double
    var operation: Double
    var transaction: Double
    /// By how much two threads do more than one, of the harness and of the loop.
    var twoThreads: Double
    var bare: Double
  }

  private var rounds: [Round] = []

  mutating func add(_ round: Round) { rounds.append(round) }

  var markdown: String {
    """
    | | median [range] | aim |
    |---|---:|---:|
    | a writer's operation, ns | \(words(rounds.map(\.writer))) | |
    | a read of a lookup, each timed, ns | \(words(rounds.map(\.operation))) | |
    | the same ÷ the writer's | \(words(rounds.map { $0.operation / $0.writer })) | at most 1.15 |
    | a read of a lookup, each 100 timed, ns | \(words(rounds.map(\.transaction))) | |
    | the same ÷ the writer's | \(words(rounds.map { $0.transaction / $0.writer })) | at most 0.8 |
    | two threads of lookups beside one ÷ the loop's | \(words(rounds.map { $0.twoThreads / $0.bare })) | at least 0.95 |
    """
  }

  private func words(_ values: [Double]) -> String {
    let sorted = values.sorted()
    return String(
      format: "%.2f [%.2f–%.2f]", sorted[sorted.count / 2], sorted[0], sorted[sorted.count - 1])
  }
}

private struct PairedRatios {
  private var bare: [Double] = []
  private var harness: [Double] = []

  mutating func add(bare: Double, harness: Double) {
    self.bare.append(bare)
    self.harness.append(harness)
  }

  var markdown: String {
    let ratios = zip(harness, bare).map { $0 / $1 }
    return """
      | | one thread's time ÷ two threads' |
      |---|---:|
      | a bare loop | \(words(bare)) |
      | the harness | \(words(harness)) |
      | the harness ÷ the loop | \(words(ratios)) |
      """
  }

  private func words(_ values: [Double]) -> String {
    let sorted = values.sorted()
    return String(
      format: "%.2f [%.2f–%.2f]", sorted[sorted.count / 2], sorted[0], sorted[sorted.count - 1])
  }
}
