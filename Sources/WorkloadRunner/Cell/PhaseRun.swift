// One phase of a launch: first what is done without clients (deletions, idle time, shortening, another key), then the
// clients under their schedule.
import EngineInterface
import MetricModel
import RecordModel
import ScenarioModel

struct PhaseRun {
  let setup: CellSetup
  let keys: EncryptionKeys
  let turns: TurnLog
  let context: ClientContext
  let spec: PhaseSpec
  let launch: Int

  private var session: any EngineSession { context.session }
  private var recorder: Recorder { setup.recorder }

  func run() throws {
    recorder.beginPhase(spec.name)
    let first = recorder.position.commits
    try changeRows()
    if spec.idle > .zero { recorder.passIdleTime(spec.idle) }
    if spec.checksReaders {
      _ = try session.capability((any DeadReaderFreeing).self)?.freeDeadReaders()
    }
    if let limit = spec.shortens { try shorten(limit) }
    if let migration = spec.migration {
      try TableMigration(setup: setup, session: session).carryOut(migration)
    }
    if let change = spec.newKey { try keys.change(change, session) }
    try runClients()
    try recorder.endPhase(first: first, session)
  }

  private func changeRows() throws {
    let changes = BulkChanges(recorder: recorder, session: session, phase: spec)
    for table in setup.tables {
      if spec.refill {
        var values = setup.values(table, "refill", spec.name, launch)
        var parts = setup.parts(table, [table.spec.name, "refill", spec.name, launch])
        try changes.refill(table, &values, &parts)
      }
      if spec.deleteShare > 0 {
        var stream = setup.stream("deleted", spec.name, launch, table.spec.name)
        try changes.delete(from: table, setup.arm.deletedRows, &stream)
      }
    }
  }

  /// Makes the engine shorten the file, if the engine can. Readers and writers may prevent it, which is recorded as an
  /// event.
  private func shorten(_ limit: ShortenSpec) throws {
    do throws(EngineError) {
      guard
        let done = try session.capability((any Shortenable).self)?.shorten(by: limit.bytes)
      else { return }
      recorder.record(
        event: CompactionEvent(
          kind: .automatic, outcome: .finished, reason: "the program had the file shortened",
          before: done.before, after: done.after, rewritten: done.rewritten))
    } catch  where error.code == .busy {
      let size = try session.spaceUsage().file
      recorder.record(
        event: CompactionEvent(
          kind: .automatic, outcome: .skipped, reason: error.message, before: size, after: size,
          rewritten: .zero))
    }
  }

  private func runClients() throws {
    let counter = CommitCounter(
      start: recorder.position.commits, limit: setup.arm.commits(in: spec))
    turns.beginPhase(launch: launch, name: spec.name)
    var factory = PhaseClientFactory(
      setup: setup, phase: spec.name, launch: launch, context: context, counter: counter)
    let clients = try factory.clients(of: spec)
    switch setup.job.schedule {
    case .stepped:
      var order = setup.stream("order", spec.name, launch)
      let recorded = setup.job.interleaving?.turns(launch: launch, phase: spec.name)
      try SteppedSchedule(clients, counter, recorder, turns, spec.lookupExtent)
        .run(&order, after: recorded ?? [])
      // The database is idle after a phase. A thread would notice that after some time, which the virtual clock lacks.
      if setup.policy.preset == .idle {
        try session.capability((any IdleCompacting).self)?.compactWhileIdle()
      }
    case .threads:
      try ThreadsSchedule(clients, counter, recorder, turns, spec.lookupExtent).run()
    }
  }
}

extension ShortenSpec {
  fileprivate var bytes: ByteCount? {
    switch self {
    case .all: nil
    case .atMost(let most): ByteCount(most)
    }
  }
}
