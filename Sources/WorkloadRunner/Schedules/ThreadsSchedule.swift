// Each client of a phase on a thread of its own, on the machine's clock: real concurrency, and so no two runs alike.
import MetricModel
import SystemIO

struct ThreadsSchedule {
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

  func run() throws {
    for client in cast.pinning { try client.begin() }
    let pinning = try cast.pinning.map { client in
      try start("pins") { [counter, log] in
        while let due = client.nextDue, counter.wait(for: due) {
          try client.act()
          log.took(client.name)
        }
      }
    }
    let writers = try cast.writers.map { writer in
      try start(writer.name) { try write(writer) }
    }
    let lines = try cast.queued.flatMap { line in
      try line.lanes.map { lane in try start(line.name) { try write(line, lane) } }
    }
    for thread in writers + lines { thread.join() }
    counter.end()
    for thread in pinning { thread.join() }
    var failure = counter.failure
    for client in cast.pinning {
      do { try client.end() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private func write(_ writer: WriterClient) throws {
    switch writer.spec.load.arrivals {
    case .afterEach(let think):
      while try commit(writer) { pause(think) }
    case .scheduled:
      guard let rate = try rate(of: writer), var schedule = writer.schedule(rate: rate) else {
        return
      }
      let begin = Clock.monotonicNanoseconds()
      while counter.claim() {
        let due = begin + schedule.next()
        Clock.wait(untilNanoseconds: due)
        try writer.commitOne(.due(.zero), dueNanoseconds: due)
        log.took(writer.name)
        counter.reached(recorder.position.commits)
      }
    }
  }

  private func write(_ line: QueuedWriters, _ lane: Int) throws {
    while counter.claim() {
      try line.commit(lane: lane)
      log.took(line.name)
      counter.reached(recorder.position.commits)
      pause(line.think)
    }
  }

  /// Commits once, unless the phase is over.
  private func commit(_ writer: WriterClient) throws -> Bool {
    guard counter.claim() else { return false }
    try writer.commitOne()
    log.took(writer.name)
    counter.reached(recorder.position.commits)
    return true
  }

  private func pause(_ time: VirtualTime) {
    guard time > .zero else { return }
    Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + UInt64(time.microseconds) * 1000)
  }

  /// Transactions per second that the writer is to keep to; where that is a share of its maximum, the phase begins with
  /// finding out. nil where the phase was over before.
  private func rate(of writer: WriterClient) throws -> Double? {
    guard case .shareOfMaximum(let share) = writer.spec.load.rate else {
      recorder.keeps(writer.name, perSecond: writer.spec.load.virtualRate, maximum: nil)
      return writer.spec.load.virtualRate
    }
    let trials = min(1000, max(50, counter.limit / 10))
    let begin = Clock.monotonicNanoseconds()
    for _ in 0..<trials where try !commit(writer) { return nil }
    let maximum = Double(trials) * 1e9 / Double(max(1, Clock.monotonicNanoseconds() - begin))
    recorder.keeps(writer.name, perSecond: share * maximum, maximum: maximum)
    return share * maximum
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
