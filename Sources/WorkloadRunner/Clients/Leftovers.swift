// What outlives its phase: leaked snapshots, until their launch ends; other processes, until their launch or the next one
// ends.
import SystemIO

final class Leftovers: Sendable {
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var leaked: [any SnapshotHandle] = []
  private nonisolated(unsafe) var processes: [OtherProcess] = []

  /// Stores a snapshot that its client never releases.
  func leak(_ handle: any SnapshotHandle) { lock.withLock { leaked.append(handle) } }

  func add(_ process: OtherProcess) { lock.withLock { processes.append(process) } }

  func remove(_ process: OtherProcess) {
    lock.withLock { processes.removeAll { $0 === process } }
  }

  /// Returns the process of the client, if it is running.
  func process(of client: String) -> OtherProcess? {
    lock.withLock { processes.first { $0.name == client } }
  }

  /// Replaces identifiers of processes, which differ in every run, by the names of their clients.
  func replacingProcessIdentifiers(in text: String) -> String {
    lock.withLock { processes }.reduce(text) {
      $0.replacing("process \($1.identifier)", with: "the process of client \($1.name)")
    }
  }

  /// Releases leaked snapshots before the launch closes its session, and ends the processes whose stay is over.
  func endLaunch(_ launch: Int, isLast: Bool) throws {
    releaseLeaked()
    let over = lock.withLock {
      let over = processes.filter {
        isLast || $0.spec.openUntil != .nextLaunch || $0.launch < launch
      }
      processes.removeAll { process in over.contains { $0 === process } }
      return over
    }
    for process in over { try process.finish() }
  }

  /// Drops everything after a failed run. Processes get no further request, and are killed with their last reference.
  func abandon() {
    releaseLeaked()
    lock.withLock { processes = [] }
  }

  private func releaseLeaked() {
    let handles = lock.withLock {
      defer { leaked = [] }
      return leaked
    }
    for handle in handles { handle.release() }
  }
}
