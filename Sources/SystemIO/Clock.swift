// The three clocks: one to measure with, one for the work done, one to date a record by.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The clocks of the machine.
package enum Clock {
  /// Nanoseconds on a clock that only goes forward; its zero means nothing.
  package static func monotonicNanoseconds() -> UInt64 { read(CLOCK_MONOTONIC) }

  /// Nanoseconds since 1970 by the machine's calendar, which may be set forward and back.
  package static func wallNanoseconds() -> UInt64 { read(CLOCK_REALTIME) }

  /// Nanoseconds of processor time that all threads of this process used.
  package static func processorNanoseconds() -> UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// Now, as ISO 8601 in UTC to the second: `2026-01-31T12:00:00Z`.
  package static func wallTimeText() -> String { text(secondsSince1970: Int(time(nil))) }

  /// A moment as ISO 8601 in UTC.
  package static func text(secondsSince1970 seconds: Int) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    gmtime_r(&moment, &parts)
    let year = String(parts.tm_year + 1900)
    let date = "\(year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  private static func two(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : String(number)
  }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
  }
}
