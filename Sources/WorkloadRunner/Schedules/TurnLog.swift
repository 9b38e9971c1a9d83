// Who took a turn, in order, while it is asked for.
import RecordModel
import SystemIO

/// Safe to use from many threads.
final class TurnLog: Sendable {
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var interleaving: Interleaving?

  /// Keeps nothing where `isKept` is false.
  init(isKept: Bool) { interleaving = isKept ? Interleaving() : nil }

  func beginPhase(launch: Int, name: String) {
    lock.withLock { interleaving?.beginPhase(launch: launch, name: name) }
  }

  func took(_ client: String) { lock.withLock { interleaving?.addTurn(of: client) } }

  var result: Interleaving? { lock.withLock { interleaving } }
}
