// The objects by which a program holds a version through an engine's own API (live and frozen objects, queues, actors,
// observers). Engines without such an API hold every version by a snapshot.
package import Dispatch

/// The kind of object that holds a version.
package enum Holding: Sendable {
  /// A live instance of the client's own, with the objects that were read through it, which are read again.
  case live
  /// A frozen value, with the objects that were read from it.
  case frozen
  /// A live instance of the serial queue on which the caller runs. The queue's autorelease pool retains it until the snapshot
  /// is ended in another block of the queue. Until then all blocks of the queue use this snapshot.
  case block(of: DispatchQueue)
  /// The only live instance of an actor.
  case actor
}

/// Rows of one version that can be read by key.
package protocol EngineRows: AnyObject, Sendable {
  /// Calls `body` with the row's bytes and returns true, or returns false if there is no such row. The bytes are valid within
  /// the call only.
  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool
}

/// A subscription to the changes of a table through the engine's own API. It holds the version that its callback saw last.
/// Used by one thread at a time.
package protocol EngineObserver: EngineRows {
  /// Moves the observer to the newest version. If the table changed, the method returns while the callback runs, and both
  /// versions are held until the callback returns.
  func deliver() throws(EngineError) -> EngineDelivery

  /// Lets the running callback return. Has no effect if none runs.
  func callbackReturns() throws(EngineError)

  /// Lets the running callback return and ends the subscription.
  func end()

  /// The label under which the observer's versions are listed in `pins()`.
  var pinLabel: String { get }
}

/// What `EngineObserver.deliver` did.
package enum EngineDelivery: Sendable {
  /// There is no newer version.
  case nothingNew
  /// The observer moved to a newer version, in which the table is unchanged; no callback was called.
  case moved
  /// The table changed, and the callback runs.
  case called
}

extension EngineSnapshot {
  package var pinLabel: String? { nil }
}
