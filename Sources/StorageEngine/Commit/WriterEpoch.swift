// The epoch of a writer's pointers into the decrypted units of an encrypted file. Apart from the `Writer`, because it is
// entered before the lock of all sessions is acquired: the session that has that lock may take over the writer's state then.

/// Used by the thread that holds the write lock among the threads of its session.
final class WriterEpoch: @unchecked Sendable {
  private let base: FileView
  private var number = 0

  init(_ base: FileView) { self.base = base }

  /// Enters an epoch, when the write lock is acquired.
  func enter() { number = base.enterEpoch() }

  /// Leaves the epoch, before the write lock is released, or for an operation that enters epochs of its own.
  func leave() { base.leaveEpoch(number) }

  /// Starts a new epoch. The writer must hold no pointer into the file at this moment.
  @inline(__always)
  func renew() {
    guard base.encryptedFile != nil else { return }
    leave()
    enter()
  }
}
