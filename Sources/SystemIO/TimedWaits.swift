// Waits with an end: for paced clients and for looking at something every so often.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Clock {
  /// Sleeps until the monotonic clock shows this; returns at once where it already does.
  package static func sleep(untilNanoseconds end: UInt64) {
    while true {
      let now = monotonicNanoseconds()
      guard now < end else { return }
      var left = timespec(
        tv_sec: Int((end - now) / 1_000_000_000), tv_nsec: Int((end - now) % 1_000_000_000))
      nanosleep(&left, nil)
    }
  }
}

extension Clock {
  /// Sleeps until the time `end`, and polls the clock for the last part, because a sleeping thread is woken some tens of
  /// microseconds late.
  package static func wait(untilNanoseconds end: UInt64) {
    let watched: UInt64 = 150_000
    if end > watched { sleep(untilNanoseconds: end - watched) }
    while monotonicNanoseconds() < end {}
  }
}

extension ThreadCondition {
  /// Waits as `wait` does, for at most this time.
  package func wait(_ mutex: ThreadMutex, atMostMilliseconds milliseconds: Int) {
    // The condition's clock is the wall's; a leap of it makes one wait shorter or longer, which callers bear.
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = end.tv_nsec + (milliseconds % 1000) * 1_000_000
    end.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_cond_timedwait(handle, mutex.handle, &end)
  }
}
