// A command that is killed at random moments and given again until it ends.
import Foundation
import SystemIO
import TestSupport
import Testing

struct KilledCommand {
  /// A line of bash with `"$lab"`, which is repeated as it is.
  let command: String
  let folder: FilePath
  /// The milliseconds before which each attempt is killed.
  let limit: (_ attempt: Int) -> Int

  struct Outcome {
    var kills = 0
    /// The attempts that continued an earlier one.
    var resumptions = 0
    /// What the last attempt printed as errors.
    var errors = ""
  }

  /// Gives the command until it ends by itself, and kills at most so many attempts with SIGKILL. It must end with success.
  func run(maxKills: Int, _ random: inout SeededRandom) async throws -> Outcome {
    var outcome = Outcome()
    for attempt in 0...maxKills {
      let script =
        attempt == maxKills
        ? "exec \(command)"
        : """
        \(command) & run=$!
        { sleep \(Double(random.below(limit(attempt))) / 1000); kill -KILL $run; } 2> /dev/null &
        wait $run
        """
      let ended = try await BuiltCommand.script(script, in: folder)
      outcome.errors = ended.errorText
      if ended.errorText.contains(" that was begun at ") { outcome.resumptions += 1 }
      if ended.ending == .exited(0) { return outcome }
      try #require(
        ended.ending == .exited(128 + 9), "seed \(random.seed): \(ended.errorText)")
      outcome.kills += 1
    }
    Issue.record("seed \(random.seed): it did not end with success: \(outcome.errors)")
    return outcome
  }
}
