// The ways in which programs of an engine's own API hold a version, for the engine that has such an API. With all others
// every holder holds a version by a snapshot.
package import Dispatch

/// The kind of object that holds a version.
package enum Holding: Sendable {
  /// A live instance of the client's own, with the objects that were read through it, which are read again.
  case live
  /// A frozen value, with the objects that were read from it.
  case frozen
  /// A live instance of a serial queue, of which the caller is a block. The queue's pool keeps it until the snapshot ends,
  /// within another block of the queue; until then all blocks that ask for one are to use this snapshot.
  case block(of: DispatchQueue)
  /// A live instance of an actor that has no other.
  case actor
}

/// Rows of one version that can be read by key.
package protocol EngineRows: AnyObject, Sendable {
  /// Calls `body` with the row's bytes and returns true, or returns false where there is no such row. The
  /// bytes are valid within the call only.
  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool
}

/// An observer of a table that the engine's own API notifies of changes. It holds the version that it saw last. Used by one
/// thread at a time.
package protocol EngineObserver: EngineRows {
  /// Has it move to the newest version. Where something in the table changed it returns within the callback, and both
  /// versions are held until that returns.
  func deliver() throws(EngineError) -> EngineDelivery

  /// Lets the callback return. Without one it is nothing.
  func callbackReturns() throws(EngineError)

  /// Ends it, and its callback before.
  func end()

  /// The label of its versions in `pins()`.
  var pinLabel: String { get }
}

package enum EngineDelivery: Sendable {
  /// There is no newer version.
  case nothingNew
  /// It sees a newer version, in which the table is as it was.
  case moved
  /// The callback is at work.
  case called
}

extension EngineSnapshot {
  package var pinLabel: String? { nil }
}
