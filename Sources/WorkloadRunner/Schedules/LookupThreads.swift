// The threads of a phase's lookups under the threads schedule.
import MetricModel
import ScenarioModel
import SystemIO

struct LookupThreads {
  private let clients: [LookupClient]
  private let threads: [SystemThread]
  private let extent: LookupExtent?
  private let pace: LookupPace
  private let recorder: Recorder

  /// Starts all threads. The error of one ends the phase.
  static func start(
    _ clients: [LookupClient], _ extent: LookupExtent?, _ counter: CommitCounter,
    _ recorder: Recorder
  ) throws(SystemError) -> LookupThreads {
    let pace = LookupPace(extent)
    var threads: [SystemThread] = []
    for client in clients {
      let arrivals =
        client.spec.load.isOpen ? LookupArrivals(client, extent, recorder.lookups) : nil
      for index in client.threads.indices {
        nonisolated(unsafe) let client = client
        do throws(SystemError) {
          threads.append(
            try SystemThread.start(name: client.name) {
              do {
                if let arrivals {
                  try open(client.threads[index], arrivals, pace)
                } else {
                  try closed(client, index, extent, pace)
                }
              } catch {
                counter.fail(error)
                pace.end()
              }
            })
        } catch {
          pace.end()
          for thread in threads { thread.join() }
          throw error
        }
      }
    }
    return LookupThreads(
      clients: clients, threads: threads, extent: extent, pace: pace, recorder: recorder)
  }

  /// Waits for the end of all lookups. Those that no extent ends, or all if `isEarly`, are ended now: the writers have made
  /// their commits.
  func finish(isEarly: Bool = false) {
    guard !clients.isEmpty else { return }
    if isEarly || extent == nil { pace.end() }
    for thread in threads { thread.join() }
    for client in clients {
      for thread in client.threads { thread.end() }
    }
    recorder.lookups.endPhase(nanoseconds: Clock.monotonicNanoseconds() - pace.begin)
  }

  /// Makes transactions one after the other: at least one, however soon the phase ends.
  private static func closed(
    _ client: LookupClient, _ index: Int, _ extent: LookupExtent?, _ pace: LookupPace
  ) throws {
    let thread = client.threads[index]
    let think = UInt64(client.spec.load.think.microseconds) * 1000
    var left = Int.max
    if case .transactions(let count) = extent { left = client.share(of: count, thread: index) }
    while left > 0 {
      try thread.transact()
      left -= 1
      guard pace.isOpen, left > 0 else { return }
      if think > 0, !pace.wait(untilNanoseconds: Clock.monotonicNanoseconds() + think) { return }
    }
  }

  private static func open(
    _ thread: LookupThread, _ arrivals: LookupArrivals, _ pace: LookupPace
  ) throws {
    let trials = arrivals.trials
    if trials > 0 {
      let begin = Clock.monotonicNanoseconds()
      var made = 0
      // The others wait for the end of this measurement, also where it fails.
      defer { arrivals.endTrials(made, since: begin) }
      while made < trials, pace.isOpen {
        try thread.transact()
        made += 1
      }
    }
    while let due = arrivals.next(), pace.wait(untilNanoseconds: due) {
      try thread.transact(dueNanoseconds: due)
    }
  }
}
