// A lock of POSIX and its condition: no library of ours, and nothing newer than the oldest systems that apps run on.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A lock and the condition that the writing thread waits for. Never moved in memory, as POSIX asks.
final class Signal: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  @inline(__always)
  func withLock<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  func wake() { pthread_cond_signal(condition) }

  /// Waits, with the lock held, until woken or until the time is over.
  func wait(milliseconds: Int) {
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    let nanoseconds = Int(until.tv_nsec) + milliseconds % 1000 * 1_000_000
    until.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    until.tv_nsec = nanoseconds % 1_000_000_000
    pthread_cond_timedwait(condition, mutex, &until)
  }
}
