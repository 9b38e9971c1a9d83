// Compaction while no transaction is open: its options and its result.

/// How automatic compaction continues in a background thread while no transaction is open.
public struct IdleCompaction: Sendable, Equatable {
  /// How long no commit must have been made through this opening, in milliseconds.
  public var afterMilliseconds: Int
  /// The maximum number of bytes that one step moves; the budget of an ordinary commit if that is higher. A writer that
  /// arrives during a step waits until it ends.
  public var stepBytes: Int

  public init(afterMilliseconds: Int = 1000, stepBytes: Int = 256 << 10) {
    self.afterMilliseconds = max(0, afterMilliseconds)
    self.stepBytes = max(0, stepBytes)
  }
}

/// The result of `reclaimWhileIdle`.
public struct IdleReclamation: Sendable, Equatable {
  /// Why idle compaction stopped.
  public enum End: Sendable, Equatable {
    /// There is nothing to do, or the condition prevents it.
    case idle(AutomaticCondition)
    /// A write transaction is open or waiting.
    case writerWaiting
    /// The budget is used up, and there is more to do.
    case budgetSpent
  }

  /// The number of commits made; none changes a row.
  public var steps = 0
  /// The number of bytes copied.
  public var moved = 0
  /// Why it stopped.
  public var end: End
}
