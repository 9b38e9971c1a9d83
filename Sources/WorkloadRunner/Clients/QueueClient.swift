// Background jobs on real dispatch queues: each job opens a handle, reads, and ends; the handle is released when the pool
// of its queue drains. Where handles are instances, a job reuses the one in the pool of its queue, if there is one.
import Dispatch
import EngineInterface
import RecordModel
import ScenarioModel
import SystemIO

final class QueueClient: CommitDrivenClient {
  /// A queue, its pool, and the reader that its jobs share. The lock is needed for concurrent queues.
  private final class Lane: @unchecked Sendable {
    let queue: DispatchQueue
    let pool = HandlePool()
    private let lock = ThreadMutex()
    private var rows: RowReader

    init(_ label: String, isConcurrent: Bool, target: DispatchQueue?, rows: RowReader) {
      queue = DispatchQueue(
        label: label, attributes: isConcurrent ? .concurrent : [], target: target)
      self.rows = rows
    }

    func read(_ count: Int, _ held: HeldSnapshot, _ context: ClientContext) throws {
      try lock.withLock {
        try rows.read(count, from: held.snapshot, timing: context.recorder)
      }
    }
  }

  let name: String
  private let spec: QueueSpec
  private let context: ClientContext
  private let lanes: [Lane]
  private let isStepped: Bool
  private let counter: CommitCounter
  private let running = DispatchGroup()
  private var nextLane = 0
  private var nextJob: Int?

  /// `isStepped` runs each block with `queue.sync`, so that one thread at a time works and the order is the schedule's;
  /// otherwise blocks run asynchronously.
  init(
    _ name: String, _ spec: QueueSpec, _ context: ClientContext, rows: [RowReader],
    isStepped: Bool, counter: CommitCounter
  ) {
    self.name = name
    self.spec = spec
    self.context = context
    self.isStepped = isStepped
    self.counter = counter
    let target = spec.isTargeted ? DispatchQueue(label: name) : nil
    lanes = rows.enumerated().map { index, rows in
      Lane("\(name).\(index)", isConcurrent: spec.isConcurrent, target: target, rows: rows)
    }
  }

  func begin() { nextJob = context.recorder.position.commits + spec.jobEveryCommits }

  var nextDue: Int? {
    ([nextJob] + lanes.map(\.pool.nextDue)).compactMap { $0 }.min()
  }

  func act() {
    let commits = context.recorder.position.commits
    for lane in lanes {
      if let due = lane.pool.nextDue, due <= commits {
        submit(lane) { lane in lane.pool.drain(upTo: commits) }
      }
    }
    if let due = nextJob, due <= commits {
      submitJob(lanes[nextLane])
      nextLane = (nextLane + 1) % lanes.count
      nextJob = commits + spec.jobEveryCommits
    }
  }

  func end() {
    nextJob = nil
    running.wait()
    for lane in lanes { lane.queue.sync { lane.pool.drain(upTo: .max) } }
  }

  private static func job(
    _ name: String, _ spec: QueueSpec, _ context: ClientContext, _ lane: Lane
  ) throws {
    let commits = context.recorder.position.commits
    // An instance is confined to a serial queue: blocks of a concurrent one hold snapshots.
    let isInstance = context.recorded.holdsByInstances && !spec.isConcurrent
    if isInstance, let kept = lane.pool.newest {
      if case .idle(let quiet) = spec.release { lane.pool.postpone(to: commits + quiet) }
      return try lane.read(spec.reads, kept, context)
    }
    let held = try context.recorded.hold(
      "\(name) on \(lane.queue.label)", as: isInstance ? .block(of: lane.queue) : nil)
    switch spec.release {
    case .atEndOfBlock: break
    case .late(let later): lane.pool.add(held, dueAt: commits + later)
    case .idle(let quiet):
      lane.pool.add(held, dueAt: commits + quiet)
      lane.pool.postpone(to: commits + quiet)
    case .never: lane.pool.add(held, dueAt: .max)
    }
    defer { if spec.release == .atEndOfBlock { held.release() } }
    try lane.read(spec.reads, held, context)
  }

  /// Submits a job; its time counts from now, so that it includes the wait for its queue.
  private func submitJob(_ lane: Lane) {
    let timeline = context.recorder.timeline
    let submitted = Clock.monotonicNanoseconds()
    timeline.begin(.jobs, label: name)
    submit(lane) { [name, spec, context] lane in
      let begin = Clock.monotonicNanoseconds()
      defer {
        let end = Clock.monotonicNanoseconds()
        timeline.record(.jobs, end: end, service: end - begin, intended: end - submitted)
        timeline.end(.jobs, label: name)
      }
      try Self.job(name, spec, context, lane)
    }
  }

  private func submit(_ lane: Lane, _ block: @escaping @Sendable (Lane) throws -> Void) {
    let counter = counter
    let guarded: @Sendable () -> Void = {
      do { try block(lane) } catch { counter.fail(error) }
    }
    if isStepped {
      lane.queue.sync(execute: guarded)
    } else {
      lane.queue.async(group: running, execute: guarded)
    }
  }
}
