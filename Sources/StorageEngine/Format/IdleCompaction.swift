// Compaction while nobody writes: what a program asks for, and what came of it.

/// How automatic compaction goes on by itself when nobody writes, in a thread of its own.
public struct IdleCompaction: Sendable, Equatable {
  /// For so long nobody must have written through this opening.
  public var afterMilliseconds: Int
  /// Bytes that one step moves at most (where the engine's own budget for a commit is higher, that). A writer that comes
  /// meanwhile waits for the end of the step.
  public var stepBytes: Int

  public init(afterMilliseconds: Int = 1000, stepBytes: Int = 256 << 10) {
    self.afterMilliseconds = max(0, afterMilliseconds)
    self.stepBytes = max(0, stepBytes)
  }
}

/// What `reclaimWhileIdle` did.
public struct IdleReclamation: Sendable, Equatable {
  public enum End: Sendable, Equatable {
    /// Nothing is to be done, or something stands in the way: this.
    case idle(AutomaticCondition)
    /// Somebody writes, or waits to.
    case writerWaiting
    /// There is more to do.
    case budgetSpent
  }

  /// Commits that were made, each of which changes no row.
  public var steps = 0
  /// Bytes that were copied.
  public var moved = 0
  public var end: End
}
