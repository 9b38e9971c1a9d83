// Threads that queue for the write lock. Each has read before and holds the version that it read until it acquires the
// lock, so that as many versions of different ages are pinned as there are threads in the queue.
import MetricModel
import ScenarioModel

final class QueuedWritersClient {
  let name: String
  private let spec: QueuedWriterSpec
  private let context: ClientContext
  /// A writer for each thread, so that each draws its own keys.
  private let writers: [WriterClient]
  /// The snapshot of each thread in the queue. Under the stepped schedule the threads take turns.
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

  /// The indexes of the threads in the queue.
  var lanes: Range<Int> { writers.indices }
  /// The pause of a thread between its commit and queuing again.
  var think: VirtualTime { spec.writer.load.think }

  func begin() { held = writers.map { _ in nil } }

  /// Makes one commit of the thread whose turn it is. Used by the stepped schedule.
  func commitNext() throws {
    // All threads read before the first of them acquires the lock.
    for lane in writers.indices where held[lane] == nil { held[lane] = try read(lane) }
    let lane = turn
    turn = (turn + 1) % writers.count
    held[lane]?.release()
    held[lane] = nil
    try writers[lane].commitOne()
    held[lane] = try read(lane)
  }

  /// Makes one commit of a thread, which waits for the engine's lock. Used by the threads schedule.
  func commit(lane: Int) throws {
    let snapshot = try read(lane)
    defer { snapshot?.release() }
    try writers[lane].commitOne { snapshot?.release() }
  }

  private func read(_ lane: Int) throws -> HeldSnapshot? {
    spec.holdsWhileQueued ? try context.recorded.hold("\(name) \(lane + 1)") : nil
  }

  func end() {
    for snapshot in held { snapshot?.release() }
    held = []
  }
}
