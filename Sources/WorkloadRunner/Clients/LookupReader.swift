// How a thread of lookups comes by the versions that it reads: in the engine's own way of reading again and again on one
// thread, where it has one.
import EngineInterface

/// Reads one version after the other. Used by one thread at a time; a class, since a copy for each transaction would count
/// references to what all threads share.
protocol LookupReader: AnyObject {
  var isOpen: Bool { get }
  /// The version that is read. Only between `begin` and `end`.
  var snapshot: any EngineSnapshot { get }
  /// Begins to read the newest version.
  func begin() throws(EngineError)
  func end()
  /// Releases everything. Nothing is read afterwards.
  func close()
}

/// Snapshots that end with their transaction. They are entered nowhere: an entry for each would cost more than many a read.
final class BriefReader: LookupReader {
  private let session: any EngineSession
  private let label: String
  private var held: (any EngineSnapshot)?
  /// What the engine renews for each transaction; nil where it makes a snapshot anew.
  private var renewable: (any RenewableSnapshot)?
  private(set) var isOpen = false

  init(_ session: any EngineSession, _ label: String) {
    self.session = session
    self.label = label
  }

  var snapshot: any EngineSnapshot {
    guard let held else { preconditionFailure("A lookup reads without a snapshot.") }
    return held
  }

  func begin() throws(EngineError) {
    if let renewable {
      do throws(EngineError) { try renewable.refresh() } catch {
        close()
        throw error
      }
    } else {
      let begun = try session.beginSnapshot(label: label)
      held = begun
      renewable = begun as? any RenewableSnapshot
    }
    isOpen = true
  }

  func end() {
    guard isOpen else { return }
    isOpen = false
    if let renewable {
      renewable.reset()
    } else {
      held?.end()
      held = nil
    }
  }

  func close() {
    held?.end()
    held = nil
    renewable = nil
    isOpen = false
  }
}

/// Snapshots that are kept for several transactions, and are pins of the run.
final class KeptReader: LookupReader {
  private let session: RecordedSession
  private let holder: String
  private var held: HeldSnapshot?

  init(_ session: RecordedSession, _ holder: String) {
    self.session = session
    self.holder = holder
  }

  var isOpen: Bool { held != nil }

  var snapshot: any EngineSnapshot {
    guard let held else { preconditionFailure("A lookup reads without a snapshot.") }
    return held.snapshot
  }

  func begin() throws(EngineError) { held = try session.hold(holder) }

  func end() {
    held?.release()
    held = nil
  }

  func close() { end() }
}
