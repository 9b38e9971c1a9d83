// The right to write. A value of this type exists exactly as long as the write lock is held: it is made when the lock is
// acquired, cannot be copied, and releases the lock when it is destroyed.

struct WriteAccess: ~Copyable {
  let store: Store
  private let pointer: UnsafeMutablePointer<Writer>
  /// Whether it holds the lock of all sessions, and not only that of this session's threads.
  private var holdsSessionLock = false

  /// The caller has acquired the lock of the store's threads. `pointer` is the store's writer.
  init(_ store: Store, _ pointer: UnsafeMutablePointer<Writer>) {
    self.store = store
    self.pointer = pointer
    store.epoch.enter()
  }

  deinit {
    if holdsSessionLock { leaveSessionLock() }
    store.epoch.leave()
    store.lock.release()
  }

  /// The writer, whose access needs no check for exclusivity: the lock excludes every other.
  var writer: Writer {
    @inline(__always)
    unsafeAddress { UnsafePointer(pointer) }
    @inline(__always)
    unsafeMutableAddress { pointer }
  }

  /// The address of the writer, valid as long as this value. For an object that holds the access in a stored property: the
  /// runtime checks each access to a stored property of a class.
  var writerAddress: UnsafeMutablePointer<Writer> { pointer }

  // MARK: The lock of all sessions

  /// Waits until no other session writes, and catches up with what others have committed.
  mutating func acquireSessionLock() throws(StorageError) {
    precondition(!holdsSessionLock, "The lock is acquired once.")
    try store.context.session.acquireWriteLock()
    try enterSessionLock()
  }

  /// The same if no other session writes; returns false otherwise.
  mutating func tryAcquireSessionLock() throws(StorageError) -> Bool {
    precondition(!holdsSessionLock, "The lock is acquired once.")
    guard try store.context.session.tryAcquireWriteLock() else { return false }
    try enterSessionLock()
    return true
  }

  private mutating func enterSessionLock() throws(StorageError) {
    holdsSessionLock = true
    withdrawState()
    try writer.catchUp()
  }

  mutating func releaseSessionLock() {
    precondition(holdsSessionLock, "A lock that is released is held.")
    holdsSessionLock = false
    leaveSessionLock()
  }

  /// Leaves the writer's state to the next session of this process that writes, and releases the lock.
  private func leaveSessionLock() {
    let session = store.context.session
    if session.isShared, !session.isSoleWriter {
      LastWriters.shared.record(pointer, store.context)
      store.hasLeftState = true
    }
    session.releaseWriteLock()
  }

  /// Withdraws the state that was left to others when this session wrote last, also if it is the only one by now.
  private func withdrawState() {
    guard store.hasLeftState else { return }
    LastWriters.shared.remove(store.context)
    store.hasLeftState = false
  }

  /// Passes the lock of all sessions, and this session's idle reader slots, on to the store that replaces this one: it is
  /// in the same session and has another file.
  mutating func passSessionLock(to next: inout WriteAccess) {
    precondition(holdsSessionLock && !next.holdsSessionLock, "The lock is passed from its holder.")
    precondition(
      store.context.session === next.store.context.session, "The lock stays in its session.")
    holdsSessionLock = false
    next.holdsSessionLock = true
    next.store.readers.adoptIdleSlots(of: store.readers)
    LastWriters.shared.remove(store.context)
  }

  // MARK: Closing

  /// Closes the store for all threads. Returns false, without a change, if a snapshot is open.
  func closeIfUnpinned() -> Bool {
    guard store.readers.withLock({ $0.closeIfUnpinned() }) else { return false }
    store.lock.setClosed(true)
    return true
  }

  /// Opens the store again, because what it was closed for failed.
  func reopen() {
    store.readers.withLock { $0.reopen() }
    store.lock.setClosed(false)
  }
}
