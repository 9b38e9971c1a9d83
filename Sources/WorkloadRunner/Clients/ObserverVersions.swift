// What one observer holds, and how it comes to the next version: by snapshots that are compared, or told by the engine's
// own API.
import EngineInterface

/// One observer.
protocol ObserverHand: AnyObject {
  /// Takes the newest version beside the one that it told of last, and gives what can be read of them to `read`. Answers
  /// whether a callback is at work, for which both are held.
  func deliver(_ read: (any EngineRows) throws -> Void) throws -> Bool
  func callbackReturns() throws
  /// Lets go of everything.
  func end()
}

/// Two snapshots, from both of which is read.
final class SnapshotHand: ObserverHand {
  private let context: ClientContext
  private var told: HeldSnapshot
  /// The version that the callback at work came from.
  private var before: HeldSnapshot?

  init(_ first: HeldSnapshot, _ context: ClientContext) {
    told = first
    self.context = context
  }

  func deliver(_ read: (any EngineRows) throws -> Void) throws -> Bool {
    let old = told
    told = try context.hold(old.holder)
    before = old
    for held in [old, told] { try read(held.snapshot) }
    return true
  }

  func callbackReturns() {
    before?.end()
    before = nil
  }

  func end() {
    callbackReturns()
    told.end()
  }
}

/// An observer of the engine's own, which compares by itself. What is read is read in the callback.
final class NotifiedHand: ObserverHand {
  private let observer: any EngineObserver
  private let holder: String
  private let context: ClientContext
  private var told: PinEntry
  private var before: PinEntry?

  init(_ observer: any EngineObserver, _ holder: String, _ context: ClientContext) {
    self.observer = observer
    self.holder = holder
    self.context = context
    told = context.enter(holder, pinLabel: observer.pinLabel)
  }

  func deliver(_ read: (any EngineRows) throws -> Void) throws -> Bool {
    let delivery = try observer.deliver()
    guard delivery != .nothingNew else { return false }
    before = told
    told = context.enter(holder, pinLabel: observer.pinLabel)
    guard delivery == .called else {
      leaveBefore()
      return false
    }
    try read(observer)
    return true
  }

  func callbackReturns() throws {
    try observer.callbackReturns()
    leaveBefore()
  }

  private func leaveBefore() {
    before?.leave()
    before = nil
  }

  func end() {
    observer.end()
    leaveBefore()
    told.leave()
  }
}
