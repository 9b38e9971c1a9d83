// A value that threads use one after the other, and can wait for.

/// A value that is only reached under its own mutex. The same as `Synchronization.Mutex`, with a condition, and visible to the
/// thread sanitizer.
package final class Guarded<Value>: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private let changed = ThreadCondition()
  private var value: Value

  package init(_ value: sending Value) { self.value = value }

  /// Runs `body` while no other thread uses the value, and wakes the threads that wait for a change.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer {
      changed.broadcast()
      mutex.unlock()
    }
    return try body(&value)
  }

  /// Waits until the value fulfills the condition, and then does as `withLock`.
  package func withLock<Result, Failure: Error>(
    when isReady: (Value) -> Bool, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer {
      changed.broadcast()
      mutex.unlock()
    }
    while !isReady(value) { changed.wait(mutex) }
    return try body(&value)
  }
}
