// All clients of a phase on one thread, in an order drawn from the seed: at each step one of those that have something to
// do is chosen, and does one thing. The same seed gives the same bytes.
import Generators

struct SteppedSchedule {
  private let cast: Cast
  private let counter: CommitCounter
  private let recorder: Recorder

  init(_ cast: Cast, _ counter: CommitCounter, _ recorder: Recorder) {
    self.cast = cast
    self.counter = counter
    self.recorder = recorder
  }

  func run(_ order: inout RandomStream) throws {
    do {
      for client in cast.pinning { try client.begin() }
      for client in cast.queued { client.begin() }
      try stepAll(&order)
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

  private func stepAll(_ order: inout RandomStream) throws {
    var turns = WriterTurns(cast.writers, from: recorder.position.time)
    var mayWrite = (cast.writers.count + cast.queued.count > 0) && counter.claim()
    while counter.failure == nil {
      let (commits, now) = recorder.position
      let due = cast.pinning.filter { $0.nextDue.map { $0 <= commits } ?? false }
      let writers = mayWrite ? turns.candidates(at: now) : []
      let lines = mayWrite ? cast.queued.count : 0
      guard writers.count + lines + due.count > 0 else { return }
      let choice = order.next(below: writers.count + lines + due.count)
      if choice < writers.count + lines {
        if choice < writers.count {
          try turns.commitOne(writers[choice])
        } else {
          try cast.queued[choice - writers.count].commitNext()
        }
        mayWrite = counter.claim()
      } else {
        try due[choice - writers.count - lines].act()
      }
    }
  }
}
