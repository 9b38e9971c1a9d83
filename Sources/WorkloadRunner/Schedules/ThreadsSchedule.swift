// Runs each client of a phase on a thread of its own, by the machine's clock. Concurrency is real, so no two runs are alike.
import MetricModel
import ScenarioModel
import SystemIO

struct ThreadsSchedule {
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

  func run() throws {
    for client in clients.commitDriven { try client.begin() }
    // Before the first writer starts; after that each wait announces what it waits for.
    for client in clients.commitDriven where client.holdsBackWriters {
      counter.expect(client.name, at: client.nextDue)
    }
    let commitDriven = try clients.commitDriven.map { client in
      try start("pins") { [counter, log] in
        defer { counter.expect(client.name, at: nil) }
        let announced = client.holdsBackWriters ? client.name : nil
        while let due = client.nextDue, counter.wait(for: due, announcedAs: announced) {
          try client.act()
          log.record(turnOf: client.name)
        }
      }
    }
    let lookups = try LookupThreads.start(clients.lookups, extent, counter, recorder)
    let writers: [SystemThread]
    do { writers = try startWriters() } catch {
      lookups.finish(isEarly: true)
      throw error
    }
    for thread in writers { thread.join() }
    lookups.finish()
    counter.end()
    for thread in commitDriven { thread.join() }
    var failure = counter.failure
    for client in clients.commitDriven {
      do { try client.end() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private func startWriters() throws -> [SystemThread] {
    let writers = try clients.writers.map { writer in
      try start(writer.name) { try write(writer) }
    }
    let queued = try clients.queuedWriters.flatMap { client in
      try client.lanes.map { lane in try start(client.name) { try write(client, lane) } }
    }
    return writers + queued
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
      while counter.claim(waits: false) {
        let due = begin + schedule.next()
        Clock.wait(untilNanoseconds: due)
        try writer.commitOne(.due(.zero), dueNanoseconds: due)
        log.record(turnOf: writer.name)
        counter.advance(to: recorder.position.commits)
      }
    }
  }

  private func write(_ client: QueuedWritersClient, _ lane: Int) throws {
    while counter.claim() {
      try client.commit(lane: lane)
      log.record(turnOf: client.name)
      counter.advance(to: recorder.position.commits)
      pause(client.think)
    }
  }

  /// Makes one commit. Returns false if all commits of the phase are claimed.
  private func commit(_ writer: WriterClient) throws -> Bool {
    guard counter.claim() else { return false }
    try writer.commitOne()
    log.record(turnOf: writer.name)
    counter.advance(to: recorder.position.commits)
    return true
  }

  private func pause(_ time: VirtualTime) {
    guard time > .zero else { return }
    Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + UInt64(time.microseconds) * 1000)
  }

  /// Returns the writer's target rate in transactions per second. A share of its maximum is measured at the beginning of the
  /// phase; nil if the phase ends during that.
  private func rate(of writer: WriterClient) throws -> Double? {
    guard case .shareOfMaximum(let share) = writer.spec.load.rate else {
      recorder.record(targetRate: writer.spec.load.virtualRate, maximum: nil, of: writer.name)
      return writer.spec.load.virtualRate
    }
    let trials = min(1000, max(50, counter.limit / 10))
    let begin = Clock.monotonicNanoseconds()
    for _ in 0..<trials where try !commit(writer) { return nil }
    let maximum = Double(trials) * 1e9 / Double(max(1, Clock.monotonicNanoseconds() - begin))
    recorder.record(targetRate: share * maximum, maximum: maximum, of: writer.name)
    return share * maximum
  }

  /// Starts a thread whose error ends the phase.
  private func start(
    _ name: String, _ body: @escaping () throws -> Void
  ) throws(SystemError) -> SystemThread {
    nonisolated(unsafe) let body = body
    return try SystemThread.start(name: name) { [counter] in
      do { try body() } catch { counter.fail(error) }
    }
  }
}
