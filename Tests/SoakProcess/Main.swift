// Soaks of engines by several processes, and the program that each of these processes is.
//
//     soak-process run [--engine ID]… (--seconds N | --steps N) [--pace MILLISECONDS] [--lull SECONDS]
//       [--threads N] [--folder FOLDER] [--samples FILE] [--seed N]
//     soak-process work ENGINE FOLDER SEED PROCESS (seconds|steps) N PACE LULL THREADS
//
// `run` soaks the engines all at once, prints a table, and fails where anything was wrong or memory grew. --lull is the time
// in seconds from one period without a reader to the next, by default 60, 0 for none. --samples writes the samples of the
// memory as CSV. --threads is the number of threads of each process, of which each opens the database for itself: for engines
// that a process may open more than once.
import SoakModel
import Statistics
import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
enum SoakProcess {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "work": try work(Array(arguments.dropFirst()))
      case "run":
        var command = try SoakCommand(arguments.dropFirst())
        if try await !command.run() { exit(1) }
      default: throw SoakError("soak-process run …, or soak-process work …")
      }
    } catch {
      Terminal.write("\(error)\n", to: .error)
      exit(3)
    }
  }

  private static func work(_ words: [String]) throws {
    guard words.count == 9, let seed = UInt64(words[2]), let process = Int(words[3]),
      let length = Int(words[5]), let pace = Int(words[6]),
      let lull = Int(words[7]), let threads = Int(words[8]), threads > 0
    else { throw SoakError("work ENGINE FOLDER SEED PROCESS (seconds|steps) N PACE LULL THREADS") }
    let tally = try SoakThreads.run(threads) { thread in
      var worker = try SoakWorker(
        engineID: words[0], folder: FilePath(words[1]), seed: seed,
        worker: process * threads + thread)
      try worker.run(
        until: words[4] == "seconds" ? .seconds(length) : .steps(length), paceMilliseconds: pace,
        lull: Lull(everySeconds: lull))
      return worker.tally
    }
    Terminal.write(tally.line + "\n", to: .output)
  }
}
