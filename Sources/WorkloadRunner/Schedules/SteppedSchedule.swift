// Runs all clients of a phase on one thread, in an order drawn from the seed: each step chooses one of the clients that have
// something to do, which then does one thing. The same seed gives the same bytes. A recorded order is repeated first.
import Generators
import RecordModel
import ScenarioModel

struct SteppedSchedule {
  private let clients: PhaseClients
  private let counter: CommitCounter
  private let recorder: Recorder
  private let log: TurnLog
  private let extent: LookupExtent?

  /// `extent` is how long lookups go on in a phase without commits.
  init(
    _ clients: PhaseClients, _ counter: CommitCounter, _ recorder: Recorder, _ log: TurnLog,
    _ extent: LookupExtent?
  ) {
    self.clients = clients
    self.extent = extent
    self.counter = counter
    self.recorder = recorder
    self.log = log
  }

  /// Runs the phase. The turns of `recorded` come first; the order of all further turns is drawn from `order`.
  func run(_ order: inout RandomStream, after recorded: [Interleaving.Turn]) throws {
    var phase = Steps(
      candidates: WriterCandidates(clients.writers, from: recorder.position.time),
      lookups: SteppedLookups(clients.lookups, extent, recorder), mayWrite: false)
    defer { if !clients.lookups.isEmpty { phase.lookups.finish() } }
    do {
      for client in clients.commitDriven { try client.begin() }
      for client in clients.queuedWriters { client.begin() }
      if clients.writers.count + clients.queuedWriters.count > 0 { claimNext(&phase) }
      try take(recorded, &phase)
      if extent == nil { try phase.lookups.run(upTo: recorder.position.time) }
      try stepAll(&order, &phase)
      if extent != nil { try phase.lookups.runAll() }
    } catch {
      // Snapshots are released in any case, so that the session can be closed.
      for client in clients.queuedWriters { client.end() }
      for client in clients.commitDriven { try? client.end() }
      throw error
    }
    for client in clients.queuedWriters { client.end() }
    for client in clients.commitDriven { try client.end() }
    if let failure = counter.failure { throw failure }
  }

  /// The progress of the phase.
  private struct Steps {
    var candidates: WriterCandidates
    var lookups: SteppedLookups
    /// Whether the next commit is claimed.
    var mayWrite: Bool
    /// The commit count up to which clients may still act: that of the phase's last own commit, nil before it. Other
    /// processes go on committing when they act; without this limit their commits could make them due for ever.
    var lastDue: Int?
    /// Recorded turns of clients that are not due yet: on real threads a turn may be recorded before the commit that it
    /// waited for.
    var early: [any CommitDrivenClient] = []
  }

  private func stepAll(_ order: inout RandomStream, _ phase: inout Steps) throws {
    while counter.failure == nil {
      let now = recorder.position.time
      let due = clients.commitDriven.isEmpty ? [] : clients.commitDriven.filter { isDue($0, phase) }
      let writers = phase.mayWrite ? phase.candidates.indexes(at: now) : []
      let queues = phase.mayWrite ? clients.queuedWriters.count : 0
      guard writers.count + queues + due.count > 0 else { return }
      let choice = order.next(below: writers.count + queues + due.count)
      if choice < writers.count {
        try write(writers[choice], &phase)
      } else if choice < writers.count + queues {
        try writeNext(of: clients.queuedWriters[choice - writers.count], &phase)
      } else {
        try act(due[choice - writers.count - queues])
      }
    }
  }

  private func take(_ recorded: [Interleaving.Turn], _ phase: inout Steps) throws {
    for turn in recorded {
      for _ in 0..<turn.count where counter.failure == nil {
        while let first = phase.early.firstIndex(where: { isDue($0, phase) }) {
          try act(phase.early.remove(at: first))
        }
        if let writer = clients.writers.firstIndex(where: { $0.name == turn.client }) {
          if phase.mayWrite { try write(writer, &phase) }
        } else if let queue = clients.queuedWriters.first(where: { $0.name == turn.client }) {
          if phase.mayWrite { try writeNext(of: queue, &phase) }
        } else if let client = clients.commitDriven.first(where: { $0.name == turn.client }) {
          if isDue(client, phase) { try act(client) } else { phase.early.append(client) }
        } else {
          throw RunnerError(
            "the interleaving has a turn of \(turn.client), which is no client of this phase; was it "
              + "recorded with another scenario or arm?")
        }
      }
    }
  }

  private func isDue(_ client: any CommitDrivenClient, _ phase: Steps) -> Bool {
    client.nextDue.map { $0 <= min(recorder.position.commits, phase.lastDue ?? .max) } ?? false
  }

  private func write(_ writer: Int, _ phase: inout Steps) throws {
    try phase.candidates.commitOne(writer, at: recorder.position.time)
    log.record(turnOf: clients.writers[writer].name)
    try claimNextAndLookUp(&phase)
  }

  private func writeNext(of queue: QueuedWritersClient, _ phase: inout Steps) throws {
    try queue.commitNext()
    log.record(turnOf: queue.name)
    try claimNextAndLookUp(&phase)
  }

  private func claimNextAndLookUp(_ phase: inout Steps) throws {
    claimNext(&phase)
    if !clients.lookups.isEmpty { try phase.lookups.run(upTo: recorder.position.time) }
  }

  private func claimNext(_ phase: inout Steps) {
    phase.mayWrite = counter.claim()
    if !phase.mayWrite { phase.lastDue = recorder.position.commits }
  }

  private func act(_ client: any CommitDrivenClient) throws {
    try client.act()
    log.record(turnOf: client.name)
  }
}
