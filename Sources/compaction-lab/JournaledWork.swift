// What carrying out a sweep and an optimum have in common: the journal, the folders, and the progress line.
import Experiments
import MetricModel
import RecordModel
import RunJournal
import ScenarioModel
import SystemIO

struct JournaledWork {
  /// What it is, for messages: `sweep`.
  let noun: String
  let scenario: Scenario
  let folder: OutputFolder
  let workFolder: String?
  let resume: Bool?
  let isQuiet: Bool

  func openJournal(_ identity: PlanIdentity, shard: ShardContent? = nil) throws -> Journal {
    if resume == true, !Journal.isUnfinished(in: folder.path, of: identity, shard: shard?.shard) {
      throw couldNotRun(
        "--resume: no unfinished \(noun) of this plan in \(folder.path); leave --resume out to begin it"
      )
    }
    do {
      try folder.make()
      return try Journal(
        in: folder.path, of: identity, shard: shard, command: PlanExecution.command,
        startedAt: Clock.wallTimeText(), anew: resume == false)
    } catch { throw couldNotRun("\(error)") }
  }

  /// Prints what is to be done, and how many runs an earlier process did.
  ///
  /// - Parameter total: nil where later runs depend on the results of earlier ones.
  func announce(_ lines: String, _ journal: Journal, total: Int? = nil) {
    if !isQuiet { Console.print(lines) }
    guard journal.count > 0 else { return }
    let done =
      total.map { "\(journal.count) of \($0) runs" } ?? counted(journal.count, "run")
    Console.error(
      "\(scenario.name): resumes the \(noun) that was begun at \(journal.startedAt): \(done) are in \(journal.path)"
    )
  }

  /// Calls `body` with a folder for database files, which is removed afterwards, and the display of its progress.
  func run<Outcome>(
    _ body: (_ work: FilePath, _ display: ProgressDisplay) throws -> Outcome
  ) throws -> Outcome {
    let work: WorkFolder
    do { work = try PlanExecution.makeWorkFolder(in: workFolder) } catch {
      throw couldNotRun("\(error)")
    }
    defer { work.remove() }
    let display = ProgressDisplay(
      totalCommits: scenario.plannedCommits, launches: scenario.launches, isQuiet: isQuiet)
    defer { display.finish() }
    return try body(work.path, display)
  }
}

extension RecordFiles {
  /// Writes the files of cells that have ended.
  func writeResults(to folder: OutputFolder) throws {
    do { try folder.whileLocked { try write(to: folder) } } catch {
      throw couldNotRun(
        "\(error)\nthe results are in the journal; \(RunCompletion.remedy(error)), and the same command writes the files"
      )
    }
  }
}

extension Journal {
  /// Ends the journal of runs whose record is written. One with failed cells stays, so that the same command runs those
  /// again.
  func end(hasFailed: Bool) {
    do throws(SystemError) {
      if hasFailed { try appendEnd() } else { try remove() }
    } catch {
      Console.error("note: \(error); the journal stays beside the record, which is complete")
    }
  }
}
