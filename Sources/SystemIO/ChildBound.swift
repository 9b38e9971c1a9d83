// The limit of a child that runs: when its time ends, and how much it may still write.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct ChildBound {
  private let end: UInt64
  let outputBytes: Int

  init(_ limit: ChildProcess.Limit) {
    end = Clock.monotonicNanoseconds() + UInt64(limit.milliseconds) * 1_000_000
    outputBytes = limit.outputBytes
  }

  static let timeout = SystemError(code: ETIMEDOUT, call: "run")
  static let excess = SystemError(code: EFBIG, call: "run")

  var hasPassed: Bool { Clock.monotonicNanoseconds() >= end }

  /// The time that is left, as `poll` takes it; at least 1, so that a wait for the last part of one is no spin.
  var milliseconds: Int32 {
    let now = Clock.monotonicNanoseconds()
    return now >= end ? 0 : Int32(clamping: (end - now) / 1_000_000 + 1)
  }
}

extension SystemError {
  /// The child took more time than its limit.
  package var isTimeout: Bool { code == ETIMEDOUT }

  /// The child wrote more than its limit.
  package var isExcess: Bool { code == EFBIG }
}
