// Each client of a phase on a thread of its own, on the machine's clock: real concurrency, and so no two runs alike.
import SystemIO

struct ThreadsSchedule {
  private let cast: Cast
  private let counter: CommitCounter
  private let recorder: Recorder

  init(_ cast: Cast, _ counter: CommitCounter, _ recorder: Recorder) {
    self.cast = cast
    self.counter = counter
    self.recorder = recorder
  }

  func run() throws {
    for client in cast.pinning { try client.begin() }
    let pinning = try cast.pinning.map { client in
      try start("pins") { [counter] in
        while let due = client.nextDue, counter.wait(for: due) { try client.act() }
      }
    }
    let writers = try cast.writers.map { writer in
      try start(writer.name) { try write(writer) }
    }
    for thread in writers { thread.join() }
    counter.end()
    for thread in pinning { thread.join() }
    var failure = counter.failure
    for client in cast.pinning {
      do { try client.end() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private func write(_ writer: WriterClient) throws {
    var next = Clock.monotonicNanoseconds()
    let period = UInt64(1_000_000_000 / writer.spec.rate)
    while counter.claim() {
      if writer.spec.paced {
        Clock.sleep(untilNanoseconds: next)
        next += period
      }
      try writer.commitOne()
      counter.reached(recorder.position.commits)
    }
  }

  /// A thread whose error ends the phase.
  private func start(
    _ name: String, _ body: @escaping () throws -> Void
  ) throws(SystemError) -> SystemThread {
    nonisolated(unsafe) let body = body
    return try SystemThread.start(name: name) { [counter] in
      do { try body() } catch { counter.fail(error) }
    }
  }
}
