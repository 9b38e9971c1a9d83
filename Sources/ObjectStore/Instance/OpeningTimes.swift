// How long opening a realm took.

/// The duration of an asynchronous opening, in nanoseconds of a monotonic clock.
public struct OpeningTimes: Sendable, Equatable {
  /// The time until the caller's thread could do other work.
  public var untilCallerIsFree: UInt64
  /// The time until the realm could be used.
  public var untilReady: UInt64
}
