// What the adapters cost: each engine's commits and reads through the harness's interface, and beside them, in turns, the
// same ones by loops in C over the library's own interface, on a file of the same rows. A table of ratios.
//
//     adapter-bench [--engine NAME]… [--operation durableCommits|unsyncedCommits|reads|shortSnapshots]…
//       [--folder FOLDER] [--pairs N] [--rows N] [--seed N]
//
// It is part of this package and not of Benchmarks, since no product of this package exports the adapters.
import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
struct AdapterBench {
  var names: [String] = []
  var operations: [Operation] = []
  var folder: FilePath?
  var pairs = 41
  var rows = 20_000
  var seed: UInt64 = 1

  static func main() throws {
    do {
      try AdapterBench(CommandLine.arguments.dropFirst()).run()
    } catch let error as BenchError {
      Terminal.write("adapter-bench: \(error.description)\n", to: .error)
      exit(64)
    }
  }

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let word = rest.popFirst() {
      guard let value = rest.popFirst() else {
        throw BenchError(description: "\(word) wants a value")
      }
      switch word {
      case "--engine": names.append(value)
      case "--operation":
        guard let operation = Operation(rawValue: value) else {
          throw BenchError(description: "there is no operation \(value)")
        }
        operations.append(operation)
      case "--folder": folder = FilePath(value)
      case "--pairs": pairs = Int(value) ?? pairs
      case "--rows": rows = Int(value) ?? rows
      case "--seed": seed = UInt64(value) ?? seed
      default: throw BenchError(description: "\(word) is no option")
      }
    }
    if names.isEmpty { names = Subject.all }
    if operations.isEmpty { operations = Operation.allCases }
    guard pairs > 0, rows > 0 else { throw BenchError(description: "every size is at least 1") }
  }

  private func run() throws {
    let machine = Machine.current()
    Self.say("\(machine.processorCount) × \(machine.processor), \(machine.system)\n")
    Self.say(
      "\(rows) rows of \(Comparison.valueBytes) bytes, \(pairs) pairs; adapter ÷ direct: median, its 95 % interval, "
        + "[least–greatest]. A bar is for the median.\n")
    Self.say(
      "| engine | operation | direct, µs | adapter, µs | time | processor time | bar | |")
    Self.say("|---|---|---:|---:|---:|---:|---:|---|")
    for name in names {
      do {
        let subject = try Subject.named(name)
        var comparison = Comparison(subject, self)
        try comparison.run()
      } catch let absence as LibraryAbsence {
        Self.say("| \(name) | left out: \(absence) | | | | | | |")
      }
    }
  }

  /// At once, so that an engine which fails takes no row of another with it.
  static func say(_ line: String) { Terminal.write(line + "\n", to: .output) }
}
