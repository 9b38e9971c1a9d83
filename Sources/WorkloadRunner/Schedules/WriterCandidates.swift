// The writers that may commit next on the virtual clock. A writer of an open loop that is due comes before all others, the
// earliest first; if there are only open loops, time passes until the next one is due.
import Generators
import MetricModel

struct WriterCandidates {
  private let writers: [WriterClient]
  private let begin: VirtualTime
  private var schedules: [ArrivalSchedule?]
  /// The scheduled beginning of each writer's next transaction; nil for closed loops.
  private var due: [VirtualTime?]
  private let all: [Int]
  private let closed: [Int]

  init(_ writers: [WriterClient], from begin: VirtualTime) {
    self.writers = writers
    self.begin = begin
    schedules = writers.map { $0.schedule(rate: $0.spec.load.virtualRate) }
    all = Array(writers.indices)
    closed = writers.indices.filter { !writers[$0].spec.load.isOpen }
    due = []
    for index in schedules.indices { due.append(nextDue(index)) }
  }

  /// Returns the indexes of the writers that may commit next.
  func indexes(at now: VirtualTime) -> [Int] {
    // The usual case, taken at every step.
    if closed.count == writers.count { return all }
    let scheduled = all.filter { due[$0] != nil }
    guard
      let first = scheduled.min(by: { (due[$0] ?? .zero, $0) < (due[$1] ?? .zero, $1) }),
      let time = due[first]
    else { return closed }
    return time <= now || closed.isEmpty ? [first] : closed
  }

  /// Has the writer make one transaction. Where transactions take virtual time, the writer's next one is due no earlier than
  /// the end of this one.
  mutating func commitOne(_ index: Int, at now: VirtualTime) throws {
    guard let time = due[index] else { return try writers[index].commitOne() }
    let service = writers[index].spec.load.virtualService
    due[index] = nextDue(index).map { max($0, max(time, now) + service) }
    try writers[index].commitOne(.due(time), dueNanoseconds: nil)
  }

  private mutating func nextDue(_ index: Int) -> VirtualTime? {
    guard let nanoseconds = schedules[index]?.next() else { return nil }
    return begin + VirtualTime(microseconds: Int(nanoseconds / 1000))
  }
}
