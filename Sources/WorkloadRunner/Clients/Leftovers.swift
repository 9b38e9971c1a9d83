// What outlives its phase: snapshots that were lost sight of, until their launch ends; other processes, until theirs or
// the next one does.
import SystemIO

/// A snapshot in somebody's hands.
protocol Grip: AnyObject, Sendable {
  func letGo()
}

extension HeldSnapshot: Grip {
  func letGo() { end() }
}

final class Leftovers: Sendable {
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var leaked: [any Grip] = []
  private nonisolated(unsafe) var processes: [OtherProcess] = []

  /// Keeps a snapshot that nobody will end.
  func leak(_ grip: any Grip) { lock.withLock { leaked.append(grip) } }

  func add(_ process: OtherProcess) { lock.withLock { processes.append(process) } }

  func remove(_ process: OtherProcess) {
    lock.withLock { processes.removeAll { $0 === process } }
  }

  /// The process of a client that is there already.
  func process(of client: String) -> OtherProcess? {
    lock.withLock { processes.first { $0.name == client } }
  }

  /// The text with the clients' names for their processes' numbers, which are others in every run.
  func naming(_ text: String) -> String {
    lock.withLock { processes }.reduce(text) {
      $0.replacing("process \($1.number)", with: "the process of client \($1.name)")
    }
  }

  /// A launch ends: what it leaked goes with its session, and the processes whose stay is over end.
  func launchEnds(_ launch: Int, isLast: Bool) throws {
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

  /// The run failed: nothing is asked any more. Other processes are killed where nobody has them.
  func abandon() {
    releaseLeaked()
    lock.withLock { processes = [] }
  }

  private func releaseLeaked() {
    let grips = lock.withLock {
      defer { leaked = [] }
      return leaked
    }
    for grip in grips { grip.letGo() }
  }
}
