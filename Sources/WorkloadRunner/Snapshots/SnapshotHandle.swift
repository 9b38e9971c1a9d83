// A snapshot that something holds, to be released by whatever comes to own the handle.

protocol SnapshotHandle: AnyObject, Sendable {
  /// Ends the snapshot.
  func release()
}
