// A command that is killed, first when its journal has a result and then at random moments, and given again until it ends.
import Foundation
import SystemIO
import TestSupport
import Testing

struct KilledCommand {
  /// A line of bash with `"$lab"`, which is repeated as it is.
  let command: String
  let folder: FilePath
  /// The path of its journal in the folder.
  let journal: String
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
        switch attempt {
        case maxKills: "exec \(command)"
        case 0: killedWithResult
        default:
          """
          \(command) & run=$!
          { sleep \(Double(random.below(limit(attempt))) / 1000); kill -KILL $run; } 2> /dev/null &
          wait $run
          """
        }
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

  /// Kills the command when its journal has a result, however long that takes: so that a later attempt continues it.
  private var killedWithResult: String {
    """
    \(command) & run=$!
    { await $run '[ $(wc -l < "\(journal)") -ge 2 ]'; kill -KILL $run; } 2> /dev/null &
    wait $run
    """
  }
}
