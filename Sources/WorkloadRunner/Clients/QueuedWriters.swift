// Threads that wait in line for the write lock. Each has read something before, and holds the version that it read until
// the lock is its own: so many versions of different ages are pinned as there are threads in the line.
import MetricModel
import ScenarioModel

final class QueuedWriters {
  let name: String
  private let spec: QueuedWriterSpec
  private let context: ClientContext
  /// A writer for each thread, so that each draws its own keys.
  private let writers: [WriterClient]
  /// What each thread in the line holds; the stepped schedule's turn goes round.
  private var held: [HeldSnapshot?] = []
  private var turn = 0

  init(
    _ name: String, _ spec: QueuedWriterSpec, _ context: ClientContext, writers: [WriterClient]
  ) {
    self.name = name
    self.spec = spec
    self.context = context
    self.writers = writers
  }

  /// The threads in the line.
  var lanes: Range<Int> { writers.indices }
  /// What a thread does after its commit before it waits again.
  var think: VirtualTime { spec.writer.load.think }

  func begin() { held = writers.map { _ in nil } }

  /// One commit of whoever's turn it is: the stepped schedule's line.
  func commitNext() throws {
    // All read before the first of them gets the lock.
    for lane in writers.indices where held[lane] == nil { held[lane] = try read(lane) }
    let lane = turn
    turn = (turn + 1) % writers.count
    held[lane]?.end()
    held[lane] = nil
    try writers[lane].commitOne()
    held[lane] = try read(lane)
  }

  /// One commit of a thread, which waits for the engine's lock: the threads schedule's line.
  func commit(lane: Int) throws {
    let snapshot = try read(lane)
    defer { snapshot?.end() }
    try writers[lane].commitOne { snapshot?.end() }
  }

  private func read(_ lane: Int) throws -> HeldSnapshot? {
    spec.holdsWhileQueued ? try context.hold("\(name) \(lane + 1)") : nil
  }

  func end() {
    for snapshot in held { snapshot?.end() }
    held = []
  }
}
