// What a dispatch queue's autorelease pool does to a realm: it keeps instances alive after the block that used them has
// returned, and with them the version that they see. Linux has no such pools; here one is an object.
public import Dispatch

/// Keeps what it is given until it is drained.
public final class RealmPool: @unchecked Sendable {
  /// When the pool of a queue is drained.
  public enum Drain: String, Sendable, CaseIterable {
    /// At the end of each block, as an explicit `autoreleasepool` in it does.
    case perBlock
    /// After so many blocks as `RealmPool.lateness` says.
    case late
    /// When the queue has nothing more to do.
    case onIdle
    /// Not before the queue goes.
    case never
  }

  /// Blocks after which a late pool is drained.
  public static let lateness = 16

  private let held = LockedValue<[Any]>([])

  public init() {}

  /// Keeps the value, and all that it keeps alive.
  public func keep(_ value: Any) { held.withLock { $0.append(value) } }

  public func drain() {
    let gone = held.withLock { held in
      defer { held = [] }
      return held
    }
    // Let go outside of the lock: a file may be closed with the last of them.
    withExtendedLifetime(gone) {}
  }

  public var count: Int { held.withLock { $0.count } }
}

/// A serial queue with a pool of its own. On Apple's systems the queue has the real thing (`autoreleaseFrequency`), and a
/// program needs none of this.
public final class PoolingQueue: @unchecked Sendable {
  public let queue: DispatchQueue
  public let pool = RealmPool()
  public let drain: RealmPool.Drain
  private let counts = LockedValue((pending: 0, done: 0))

  public init(label: String, drain: RealmPool.Drain) {
    self.drain = drain
    queue = DispatchQueue(label: label)
  }

  /// Runs `body` in a block of the queue, later. What it passes to the pool lives until that is drained.
  public func async(_ body: @escaping @Sendable (RealmPool) -> Void) {
    counts.withLock { $0.pending += 1 }
    queue.async {
      body(self.pool)
      self.blockEnded()
    }
  }

  /// The same, and waits for the end of the block.
  public func sync<Result>(_ body: (RealmPool) throws -> Result) rethrows -> Result {
    counts.withLock { $0.pending += 1 }
    return try queue.sync {
      defer { blockEnded() }
      return try body(pool)
    }
  }

  private func blockEnded() {
    let isDue = counts.withLock { counts in
      counts.pending -= 1
      counts.done += 1
      return switch drain {
      case .perBlock: true
      case .late: counts.done.isMultiple(of: RealmPool.lateness)
      case .onIdle: counts.pending == 0
      case .never: false
      }
    }
    if isDue { pool.drain() }
  }
}

#if !canImport(Darwin)
  /// Runs `body`, as the function of Apple's systems does. There is nothing to drain: Swift lets go of what `body` used
  /// when it was used last. It is here so that code which calls it runs.
  public func autoreleasepool<Result>(
    invoking body: () throws -> Result
  ) rethrows -> Result {
    try body()
  }
#endif
