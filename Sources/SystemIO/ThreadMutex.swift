// A lock and a condition on pthreads. Not Synchronization.Mutex: on Linux that is a futex in the runtime, which the
// thread sanitizer cannot see, so that every correct use would be reported as a race.

#if canImport(Glibc)
  package import Glibc
#else
  package import Darwin
#endif

/// Mutual exclusion between threads; not recursive, never held across an `await`.
package final class ThreadMutex: @unchecked Sendable {
  @usableFromInline
  package let handle: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    handle = .allocate(capacity: 1)
    let result = pthread_mutex_init(handle, nil)
    precondition(result == 0, "A mutex could not be made: errno \(result).")
  }

  deinit {
    pthread_mutex_destroy(handle)
    handle.deallocate()
  }

  @inlinable
  package func lock() { pthread_mutex_lock(handle) }

  @inlinable
  package func unlock() { pthread_mutex_unlock(handle) }

  /// Takes the mutex where it is free; false where a thread, this one included, has it.
  package func tryLock() -> Bool { pthread_mutex_trylock(handle) == 0 }

  /// Runs `body` while no other thread is in a `withLock` of this mutex.
  @inlinable
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// Lets threads that hold a mutex wait for what another thread does under it.
package final class ThreadCondition: @unchecked Sendable {
  let handle: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    handle = .allocate(capacity: 1)
    let result = pthread_cond_init(handle, nil)
    precondition(result == 0, "A condition could not be made: errno \(result).")
  }

  deinit {
    pthread_cond_destroy(handle)
    handle.deallocate()
  }

  /// Gives up `mutex`, which the caller holds, until woken, and takes it again. May also wake for no reason:
  /// call it in a loop that asks whether what was waited for is true.
  package func wait(_ mutex: ThreadMutex) { pthread_cond_wait(handle, mutex.handle) }

  /// Wakes one waiting thread.
  package func signal() { pthread_cond_signal(handle) }

  /// Wakes all waiting threads.
  package func broadcast() { pthread_cond_broadcast(handle) }
}
