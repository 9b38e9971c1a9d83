// A value with its mutex: the only way to the value is through the lock.
import SystemIO

/// A value that one thread at a time can use. As `Synchronization.Mutex`, and visible to the thread sanitizer. The value
/// lies in raw memory, because a stored property of a class costs an exclusivity check at each access; the mutex
/// excludes what that check looks for.
struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let mutex = ThreadMutex()
  private let value: UnsafeMutablePointer<Value>

  init(_ value: consuming Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Calls `body` with the value while no other thread uses it. Not recursive.
  @inline(__always)
  func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&value.pointee)
  }

  /// Waits until `isReady` returns true, which is called again whenever `condition` is signaled; then does as
  /// `withLock`.
  func withLock<Result: ~Copyable>(
    waitingFor condition: ThreadCondition, until isReady: (inout Value) -> Bool,
    _ body: (inout Value) -> Result
  ) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    // Each call is an access of its own, since other threads change the value during the wait.
    while !isReady(&value.pointee) { condition.wait(mutex) }
    return body(&value.pointee)
  }
}
