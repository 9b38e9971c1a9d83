// Reads database files again and again while programs use them.
import ArgumentParser
import MetricModel
import Policies
import PredicateLanguage
import RecordModel
import SystemIO

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Shows how database files grow while programs use them.",
    discussion: """
      Reads each file's state every so often, as inspect does: no library of its engine is needed, and an app that has \
      a file open is not disturbed. A file that is replaced, removed or unreadable is a row with the reason, and not an end.

      Exit codes: 0 the time is up, 1 a limit was passed, 2 could not run, 64 usage, 130 interrupted.
      """)

  @Argument(help: "Database files: of the native engine, SQLite, LMDB, libmdbx or Realm.")
  var files: [String]

  @Option(help: "The time from one reading to the next.")
  var every = "5 s"

  @Option(
    name: .customLong("for"),
    help: "The time after which the command ends; without it, at Ctrl-C.")
  var duration: String?

  @Option(
    help: """
      A condition that ends the command with exit code 1 as soon as it holds for a file, such as "totalBytes > 500 MB"; \
      may be repeated.
      """)
  var limit: [String] = []

  @Flag(help: "Prints the rows of samples.csv: the file is the arm.")
  var csv = false

  func run() throws {
    let interval = try DurationText.nanoseconds(every, of: "--every", min: 0.01)
    let end = try duration.map { try DurationText.nanoseconds($0, of: "--for", min: 0) }
    let limits = try limit.map { text in
      do throws(PredicateError) { return try Predicate(observed: text) } catch {
        throw ValidationError("--limit: \(error.report)")
      }
    }
    let cancellation = try Cancellation.onSignals()
    var display = WatchDisplay(isCSV: csv)
    var watched = files.map { WatchedFile(FilePath($0)) }
    let start = Clock.monotonicNanoseconds()
    var due: UInt64 = 0
    while true {
      let time = VirtualTime(microseconds: Int((Clock.monotonicNanoseconds() - start) / 1000))
      for index in watched.indices { watched[index].read(at: time) }
      display.show(watched, at: time)
      if let passed = Self.passed(watched, limits) {
        Console.error("limit passed: \(passed)")
        throw ExitCode.limitPassed
      }
      // A reading that took longer than the interval is followed by one at the next moment that is due.
      let elapsed = Clock.monotonicNanoseconds() - start
      due = max(due + interval, elapsed / interval * interval)
      guard due <= end ?? .max else { return }
      let wait = Int32(clamping: (due - min(due, elapsed)) / 1_000_000)
      if cancellation.isRequested(withinMilliseconds: wait) { throw ExitCode.interrupted }
    }
  }

  /// Returns the first file for which a limit holds, and why; nil without one.
  private static func passed(_ files: [WatchedFile], _ limits: [Predicate]) -> String? {
    for file in files where file.state != nil {
      guard let observation = file.samples.last?.observation else { continue }
      for limit in limits {
        let decision = Policy.onLaunch(limit).decideAtLaunch(observation)
        if decision.compact { return "\(file.path): \(decision.reason)" }
      }
    }
    return nil
  }
}

extension ExitCode {
  static let limitPassed = ExitCode(1)
}
