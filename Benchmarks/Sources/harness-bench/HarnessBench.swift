// Whether two threads of the harness do twice the work of one, beside a loop that shares nothing: on two processors that
// are hyperthreads of one core, or that others use too, not even that one doubles.
import ArgumentParser
import BenchSupport
import Foundation

@main
struct HarnessBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "harness-bench",
    abstract: "Compares how the harness and a bare loop scale from one thread to two.")

  @Option(help: "The built compaction-lab.")
  var program = "../.build/release/compaction-lab"

  @Option(help: "The scenario with the arms `one` and `two`.")
  var scenario = "harness-threads.yml"

  @Option(help: "Rounds; in each, both are run with one thread and with two.")
  var rounds = 5

  func run() throws {
    print(machineLine() + "\n")
    var table = PairedRatios()
    for round in 0...rounds {
      let bare = loop(threads: 1) / loop(threads: 2)
      let harness = try harness()
      // The first round pays for what is cold.
      if round > 0 { table.add(bare: bare, harness: harness) }
    }
    print(table.markdown)
  }

  /// How much sooner two threads end with the same work.
  private func harness() throws -> Double {
    let output = NSTemporaryDirectory() + "harness-bench-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "run", scenario, "--schedule", "threads", "--jobs", "1", "--repetitions", "1", "--output",
      output,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ValidationError("\(program) ended with \(process.terminationStatus).")
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: output + "/harness-threads/record.json"))
    let record = try JSONDecoder().decode(Record.self, from: data)
    func wall(_ arm: String) throws -> Double {
      guard let cell = record.cells.first(where: { $0.key.arm == arm }),
        let repetition = cell.repetitions.first
      else { throw ValidationError("The record has no arm \(arm).") }
      return Double(repetition.timing.wall)
    }
    return try wall("one") / wall("two")
  }

  /// Nanoseconds for the same work, divided among threads: a random number, a look at the clock, a count.
  private func loop(threads: Int) -> Double {
    let start = nanoseconds()
    DispatchQueue.concurrentPerform(iterations: threads) { index in
      var random = KeyStream(seed: UInt64(index) + 1)
      var counts = [UInt64](repeating: 0, count: 64)
      var last = nanoseconds()
      for _ in 0..<(40_000_000 / threads) {
        let now = nanoseconds()
        counts[Int(truncatingIfNeeded: (now &- last) &+ random.next()) & 63] &+= 1
        last = now
      }
      precondition(counts.reduce(0, +) == UInt64(40_000_000 / threads))
    }
    return Double(nanoseconds() - start)
  }
}

/// As much of record.json as is asked for.
private struct Record: Decodable {
  struct Cell: Decodable {
    struct Key: Decodable { var arm: String }
    struct Repetition: Decodable {
      struct Timing: Decodable { var wall: UInt64 }
      var timing: Timing
    }
    var key: Key
    var repetitions: [Repetition]
  }
  var cells: [Cell]
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
