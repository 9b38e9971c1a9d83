// How a thread of lookups comes by the versions that it reads: in the engine's own way of reading again and again on one
// thread, where it has one.
import EngineInterface

/// Reads one version after the other. Used by one thread at a time.
protocol LookupReader {
  var isOpen: Bool { get }
  /// The version that is read. Only between `begin` and `end`.
  var snapshot: any EngineSnapshot { get }
  /// Begins to read the newest version.
  mutating func begin() throws(EngineError)
  mutating func end()
  /// Releases everything. Nothing is read afterwards.
  mutating func close()
}

/// Snapshots that end with their transaction. They are entered nowhere: an entry for each would cost more than many a read.
struct BriefReader: LookupReader {
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

  mutating func begin() throws(EngineError) {
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

  mutating func end() {
    guard isOpen else { return }
    isOpen = false
    if let renewable {
      renewable.reset()
    } else {
      held?.end()
      held = nil
    }
  }

  mutating func close() {
    held?.end()
    held = nil
    renewable = nil
    isOpen = false
  }
}

/// Snapshots that are kept for several transactions, and are pins of the run.
struct KeptReader: LookupReader {
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

  mutating func begin() throws(EngineError) { held = try session.hold(holder) }

  mutating func end() {
    held?.release()
    held = nil
  }

  mutating func close() { end() }
}
