// The turns of clients in order, recorded if the job asks for it.
import RecordModel
import SystemIO

/// Safe to use from many threads.
final class TurnLog: Sendable {
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var interleaving: Interleaving?

  /// Records nothing if `isRecorded` is false.
  init(isRecorded: Bool) { interleaving = isRecorded ? Interleaving() : nil }

  func beginPhase(launch: Int, name: String) {
    lock.withLock { interleaving?.beginPhase(launch: launch, name: name) }
  }

  func record(turnOf client: String) { lock.withLock { interleaving?.addTurn(of: client) } }

  var result: Interleaving? { lock.withLock { interleaving } }
}
