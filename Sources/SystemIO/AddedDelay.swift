// A known slowness, to measure how surely a comparison of builds finds it. Off unless the environment asks for it; what is
// measured under it has that in the engine's version.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A wait of so many nanoseconds that keeps the processor busy.
package enum AddedDelay {
  package static let variable = "COMPACTION_LAB_TEST_COMMIT_DELAY_NS"

  /// 0 where nothing was asked for.
  package static let nanoseconds: UInt64 =
    getenv(variable).flatMap { UInt64(String(cString: $0)) } ?? 0

  /// Waits; nothing where nothing was asked for.
  package static func wait() {
    guard nanoseconds > 0 else { return }
    let end = Clock.monotonicNanoseconds() + nanoseconds
    while Clock.monotonicNanoseconds() < end {}
  }
}
