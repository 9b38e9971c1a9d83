// Options of every command that runs cells: where, how many at a time, and what of an earlier run.
import ArgumentParser
import RecordModel

struct RunningOptions: ParsableArguments {
  @Option(
    name: .long,
    help: """
      The number of cells that run at a time, as far as memory and disk space allow: more are faster, and make times \
      noisier. (default: the number of processors for stepped runs, whose bytes are exact in any case; 1 for runs on threads)
      """)
  var jobs: Int?

  @Option(
    name: .long,
    help:
      "The folder for database files (default: the system's folder for temporary files)."
  )
  var workFolder: String?

  @OptionGroup var part: ShardOption

  @OptionGroup var resumption: ResumeOption

  @OptionGroup var quiet: QuietOption

  var shard: Shard? { part.shard }
  var resume: Bool? { resumption.resume }
  var isQuiet: Bool { quiet.isQuiet }

  func validate() throws {
    guard 1...64 ~= jobs ?? 1 else { throw ValidationError("--jobs must be from 1 to 64") }
  }
}

/// The options of commands whose cells run under the stepped schedule only.
struct SteppedOptions: ParsableArguments {
  @Option(name: .long, help: "The number of runs of each cell.")
  var repetitions: Int = 1

  @Option(
    help: """
      The folder for reports; this one is in a subfolder. Overwrites only folders with a record.
      """)
  var output: String = "Reports"

  @OptionGroup var running: RunningOptions

  func validate() throws { try Self.check(repetitions: repetitions) }

  static func check(repetitions: Int) throws {
    guard 1...1000 ~= repetitions else {
      throw ValidationError("--repetitions must be from 1 to 1000")
    }
  }
}
