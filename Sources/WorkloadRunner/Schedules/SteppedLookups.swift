// Lookups on the virtual clock: each transaction is made when its time has come, in an order that the times alone decide. They
// draw nothing from the stream of the order of turns, so that writers take the same turns with and without lookups.
import Generators
import MetricModel
import ScenarioModel

struct SteppedLookups {
  /// A thread of a closed loop, or a client's open loop, whose transactions its threads make in turn.
  private struct Source {
    let client: LookupClient
    /// nil for an open loop.
    let thread: Int?
    var schedule: ArrivalSchedule?
    var begun: VirtualTime
    var due: VirtualTime
    /// The transactions that are left; nil without an end of their own.
    var left: Int?
    var nextThread = 0

    /// Makes the transaction that is due.
    mutating func transact() throws {
      try client.threads[thread ?? nextThread].transact()
      nextThread = (nextThread + 1) % client.threads.count
      left = left.map { $0 - 1 }
      let load = client.spec.load
      if let nanoseconds = schedule?.next() {
        due = max(
          begun + VirtualTime(microseconds: Int(nanoseconds / 1000)), due + load.virtualService)
      } else {
        due = due + VirtualTime(seconds: 1 / load.virtualRate) + load.think
      }
    }
  }

  private let clients: [LookupClient]
  private var sources: [Source] = []
  private let end: VirtualTime?
  private let recorder: Recorder

  /// `extent` is how long they go on; nil for as long as there are commits.
  init(_ clients: [LookupClient], _ extent: LookupExtent?, _ recorder: Recorder) {
    self.clients = clients
    self.recorder = recorder
    let begin = recorder.position.time
    if case .time(let time) = extent { end = begin + time } else { end = nil }
    for client in clients {
      var transactions: Int?
      if case .transactions(let count) = extent { transactions = count }
      if var schedule = client.schedule(rate: client.spec.load.virtualRate) {
        let first = begin + VirtualTime(microseconds: Int(schedule.next() / 1000))
        sources.append(
          Source(
            client: client, thread: nil, schedule: schedule, begun: begin, due: first,
            left: transactions))
      } else {
        for thread in client.threads.indices {
          sources.append(
            Source(
              client: client, thread: thread, schedule: nil, begun: begin, due: begin,
              left: transactions.map { client.share(of: $0, thread: thread) }))
        }
      }
    }
  }

  /// Makes all transactions whose time has come.
  mutating func run(upTo now: VirtualTime) throws {
    while let next = earliest(before: now + VirtualTime(microseconds: 1)) {
      try sources[next].transact()
    }
  }

  /// Makes the transactions of a phase without commits, whose time passes with them.
  mutating func runAll() throws {
    while let next = earliest(before: end) {
      recorder.moveClock(to: sources[next].due)
      try sources[next].transact()
    }
    if let end, !sources.isEmpty { recorder.moveClock(to: end) }
  }

  /// Releases what they hold.
  func finish() {
    for client in clients {
      for thread in client.threads { thread.end() }
    }
    recorder.lookups.endPhase(nanoseconds: 0)
  }

  /// Returns the source whose transaction is due first, and before `end`; of two, the one that the scenario has first.
  private func earliest(before end: VirtualTime?) -> Int? {
    var first: Int?
    for index in sources.indices where sources[index].left != 0 {
      if let end, sources[index].due >= end { continue }
      if let found = first, sources[found].due <= sources[index].due { continue }
      first = index
    }
    return first
  }
}
