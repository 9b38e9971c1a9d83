// All clients of a phase on one thread, in an order drawn from the seed: at each step one of those that have something to
// do is chosen, and does one thing. The same seed gives the same bytes. A recorded order is gone through first.
import Generators
import RecordModel

struct SteppedSchedule {
  private let cast: Cast
  private let counter: CommitCounter
  private let recorder: Recorder
  private let log: TurnLog

  init(_ cast: Cast, _ counter: CommitCounter, _ recorder: Recorder, _ log: TurnLog) {
    self.cast = cast
    self.counter = counter
    self.recorder = recorder
    self.log = log
  }

  /// `after` are turns that were recorded; what is left of the phase then is drawn.
  func run(_ order: inout RandomStream, after recorded: [Interleaving.Turn]) throws {
    do {
      for client in cast.pinning { try client.begin() }
      for client in cast.queued { client.begin() }
      var phase = Steps(
        turns: WriterTurns(cast.writers, from: recorder.position.time),
        mayWrite: cast.writers.count + cast.queued.count > 0 && counter.claim())
      try take(recorded, &phase)
      try stepAll(&order, &phase)
    } catch {
      // Snapshots go in any case, so that the session can be closed.
      for client in cast.queued { client.end() }
      for client in cast.pinning { try? client.end() }
      throw error
    }
    for client in cast.queued { client.end() }
    for client in cast.pinning { try client.end() }
    if let failure = counter.failure { throw failure }
  }

  /// How far the phase is.
  private struct Steps {
    var turns: WriterTurns
    /// The next commit is claimed.
    var mayWrite: Bool
    /// Recorded turns of clients that had nothing to do yet: on real threads a turn ends after the commit that it waited
    /// for, and may have been noted before it.
    var early: [any PinningClient] = []
  }

  private func stepAll(_ order: inout RandomStream, _ phase: inout Steps) throws {
    while counter.failure == nil {
      let now = recorder.position.time
      let due = cast.pinning.isEmpty ? [] : cast.pinning.filter(isDue)
      let writers = phase.mayWrite ? phase.turns.candidates(at: now) : []
      let lines = phase.mayWrite ? cast.queued.count : 0
      guard writers.count + lines + due.count > 0 else { return }
      let choice = order.next(below: writers.count + lines + due.count)
      if choice < writers.count {
        try write(writers[choice], &phase)
      } else if choice < writers.count + lines {
        try writeNext(of: cast.queued[choice - writers.count], &phase)
      } else {
        try act(due[choice - writers.count - lines])
      }
    }
  }

  private func take(_ recorded: [Interleaving.Turn], _ phase: inout Steps) throws {
    for turn in recorded {
      for _ in 0..<turn.count where counter.failure == nil {
        while let first = phase.early.firstIndex(where: isDue) {
          try act(phase.early.remove(at: first))
        }
        if let writer = cast.writers.firstIndex(where: { $0.name == turn.client }) {
          if phase.mayWrite { try write(writer, &phase) }
        } else if let line = cast.queued.first(where: { $0.name == turn.client }) {
          if phase.mayWrite { try writeNext(of: line, &phase) }
        } else if let client = cast.pinning.first(where: { $0.name == turn.client }) {
          if isDue(client) { try act(client) } else { phase.early.append(client) }
        } else {
          throw RunnerError(
            "the interleaving has a turn of \(turn.client), who does not take part here; was it "
              + "recorded of another scenario or arm?")
        }
      }
    }
  }

  private func isDue(_ client: any PinningClient) -> Bool {
    client.nextDue.map { $0 <= recorder.position.commits } ?? false
  }

  private func write(_ writer: Int, _ phase: inout Steps) throws {
    try phase.turns.commitOne(writer, at: recorder.position.time)
    log.took(cast.writers[writer].name)
    phase.mayWrite = counter.claim()
  }

  private func writeNext(of line: QueuedWriters, _ phase: inout Steps) throws {
    try line.commitNext()
    log.took(line.name)
    phase.mayWrite = counter.claim()
  }

  private func act(_ client: any PinningClient) throws {
    try client.act()
    log.took(client.name)
  }
}
