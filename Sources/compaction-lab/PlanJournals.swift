// The journals of a command's plans: begun for all of them before the first cell, so that the same command goes on where it
// was stopped, also between two scenarios.
import Experiments
import RecordModel
import RunJournal
import SystemIO

import struct Foundation.Data

struct PlanJournals {
  private let plans: [(execution: PlanExecution, identity: PlanIdentity)]
  private let resume: Bool?
  /// Whether the command continues an earlier one.
  let isResuming: Bool

  /// - Parameters:
  ///   - resume: as the user gave it; nil continues wherever there is an unfinished journal of the same plan.
  ///   - isPartOfMore: whether the command has other plans, in which there may be something to resume.
  init(_ executions: [PlanExecution], resume: Bool?, isPartOfMore: Bool = false) throws {
    do { plans = try executions.map { ($0, try $0.identity()) } } catch {
      throw couldNotRun("\(error)")
    }
    self.resume = resume
    let isUnfinished = plans.contains {
      Journal.isUnfinished(
        in: $0.execution.folder.path, of: $0.identity, shard: $0.execution.plan.share?.shard)
    }
    // A shard has no report for whose sake it would be run again.
    let isFinishedShard = plans.contains {
      $0.execution.plan.share != nil && Self.isFinished($0.execution, $0.identity)
    }
    isResuming = resume ?? (isUnfinished || isFinishedShard)
    guard resume == true, !isPartOfMore, !isUnfinished, !plans.contains(where: Self.isFinished)
    else { return }
    let folders = plans.map(\.execution.folder.path.string)
    throw couldNotRun(
      "--resume: no unfinished run of this plan in \(folders.prefix(3).joined(separator: ", "))"
        + (folders.count > 3 ? ", …" : "") + "; leave --resume out to begin it")
  }

  /// Begins the journals, and returns the plans that are left to run: those that an earlier command finished are not.
  func begin() throws -> [PlanExecution] {
    var left: [PlanExecution] = []
    for (execution, identity) in plans {
      if isResuming, Self.isFinished(execution, identity) {
        Console.error("\(execution.folder.path): finished already, and not run again")
        continue
      }
      if execution.usesJournal { _ = try execution.openJournal(identity, anew: resume == false) }
      left.append(execution)
    }
    return left
  }

  /// Whether the folder has the whole record of the plan, and no journal; or that of a shard which has ended.
  private static func isFinished(_ execution: PlanExecution, _ identity: PlanIdentity) -> Bool {
    let folder = execution.folder.path
    if let share = execution.plan.share {
      return Journal.isFinished(in: folder, of: identity, share.shard)
    }
    guard !FileSystem.exists(folder.appending(Journal.fileName)),
      let bytes = try? FileSystem.read(folder.appending(RunRecord.fileName)),
      let record = try? RunRecord(json: Data(bytes))
    else { return false }
    return record.provenance.plan == identity.digest && !record.provenance.interrupted
  }
}

extension PlanExecution {
  /// The facts that the results of the plan depend on.
  func identity() throws -> PlanIdentity {
    try PlanIdentity(
      of: plan, program: CompactionLab.version, provenance(startedAt: ""),
      executable: try ProcessMetrics.executablePath())
  }

  /// Opens the journal of the plan in its folder, or begins it.
  func openJournal(_ identity: PlanIdentity, anew: Bool = false) throws -> Journal {
    do {
      return try Journal(
        in: folder.path, of: identity, shard: shardContent, command: Self.command,
        startedAt: Clock.wallTimeText(), anew: anew)
    } catch { throw couldNotRun("\(error)") }
  }
}

extension PlanExecution {
  /// Prints how much of the run an earlier process has done.
  func announce(_ journal: Journal) {
    guard journal.count > 0 else { return }
    let total = plan.parts.reduce(0) { $0 + $1.runs.count }
    Console.error(
      "\(plan.scenario.name): resumes the run that was begun at \(journal.startedAt): \(journal.count) of "
        + "\(total) repetitions are in \(journal.path)")
  }

  /// Returns the error of a run that ended because its journal could not be written.
  func stopped(_ journal: Journal, _ failure: SystemError) -> any Error {
    couldNotRun(
      "\(failure)\nthe run was stopped; \(journal.count) repetitions are in the journal. "
        + "\(RunCompletion.remedy(failure).capitalizedFirst), and the same command runs the rest")
  }

  /// Ends the journal of a run whose record is written; an interrupted one is continued.
  func finish(_ journal: Journal?, _ outcome: RunOutcome) {
    guard let journal, !outcome.interrupted else { return }
    journal.end(hasFailed: outcome.cells.contains(where: \.hasFailed))
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
