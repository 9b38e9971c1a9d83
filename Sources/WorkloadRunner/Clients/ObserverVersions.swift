// The versions that one observer holds, and how it gets the next one: by snapshots that are compared, or by the engine's
// own observers.
import EngineInterface

protocol ObserverVersions: AnyObject {
  /// Takes the newest version beside the one that was delivered last, and calls `read` with what can be read. Returns
  /// whether a callback is running, until whose end both versions are held.
  func deliver(_ read: (any EngineRows) throws -> Void) throws -> Bool
  /// Ends the running callback, and releases the older version.
  func endCallback() throws
  /// Releases all versions.
  func release()
}

/// Two snapshots, both of which are read to compare them.
final class ComparedSnapshots: ObserverVersions {
  private let session: RecordedSession
  private var delivered: HeldSnapshot
  /// The version that was delivered before, while a callback is running.
  private var previous: HeldSnapshot?

  init(_ first: HeldSnapshot, _ session: RecordedSession) {
    delivered = first
    self.session = session
  }

  func deliver(_ read: (any EngineRows) throws -> Void) throws -> Bool {
    let old = delivered
    delivered = try session.hold(old.holder)
    previous = old
    for held in [old, delivered] { try read(held.snapshot) }
    return true
  }

  func endCallback() {
    previous?.release()
    previous = nil
  }

  func release() {
    endCallback()
    delivered.release()
  }
}

/// An observer of the engine, which compares by itself. Rows are read in its callback.
final class EngineObserverVersions: ObserverVersions {
  private let observer: any EngineObserver
  private let holder: String
  private let session: RecordedSession
  private var delivered: PinEntry
  private var previous: PinEntry?

  init(_ observer: any EngineObserver, _ holder: String, _ session: RecordedSession) {
    self.observer = observer
    self.holder = holder
    self.session = session
    delivered = session.enterPin(of: holder, label: observer.pinLabel)
  }

  func deliver(_ read: (any EngineRows) throws -> Void) throws -> Bool {
    let delivery = try observer.deliver()
    guard delivery != .nothingNew else { return false }
    previous = delivered
    delivered = session.enterPin(of: holder, label: observer.pinLabel)
    guard delivery == .called else {
      endPrevious()
      return false
    }
    try read(observer)
    return true
  }

  func endCallback() throws {
    try observer.callbackReturns()
    endPrevious()
  }

  private func endPrevious() {
    previous?.end()
    previous = nil
  }

  func release() {
    observer.end()
    endPrevious()
    delivered.end()
  }
}
