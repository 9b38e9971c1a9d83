// Stands in for the autorelease pool of a dispatch queue, which retains realms after the block that used them has returned,
// and with them the version that they read. Linux has no such pools.
public import Dispatch

/// Retains values until it is drained.
public final class RealmPool: @unchecked Sendable {
  /// When the pool of a queue is drained.
  public enum Drain: String, Sendable, CaseIterable {
    /// At the end of each block, as by an explicit `autoreleasepool`.
    case perBlock
    /// After every `RealmPool.lateness` blocks.
    case late
    /// When the queue has no more blocks.
    case onIdle
    /// When the queue is released.
    case never
  }

  /// The number of blocks after which a late pool is drained.
  public static let lateness = 16

  /// The pool of the innermost `autoreleasepool` or block of a `PoolingQueue` that runs in this task or thread.
  @TaskLocal static var current: RealmPool?

  private let retained = LockedValue<[Any]>([])

  public init() {}

  /// Retains the value until the innermost pool that runs is drained, as accessors of Objective-C do with what they return:
  /// that of `autoreleasepool(invoking:)`, or else of the `PoolingQueue`. Without a pool nothing is retained. On Apple's
  /// systems the pool is the system's.
  public static func autorelease(_ value: Any) {
    #if canImport(Darwin)
      _ = Unmanaged.passRetained(value as AnyObject).autorelease()
    #else
      current?.keep(value)
    #endif
  }

  /// Retains the value.
  public func keep(_ value: Any) { retained.withLock { $0.append(value) } }

  public func drain() {
    let released = retained.withLock { retained in
      defer { retained = [] }
      return retained
    }
    // Released outside of the lock: the last reference may close a file.
    withExtendedLifetime(released) {}
  }

  public var count: Int { retained.withLock { $0.count } }
}

/// A serial queue with a pool of its own. On Apple's systems queues have autorelease pools (`autoreleaseFrequency`), and
/// programs do not need this.
public final class PoolingQueue: @unchecked Sendable {
  public let queue: DispatchQueue
  public let pool = RealmPool()
  public let drain: RealmPool.Drain
  private let counts = LockedValue((pending: 0, done: 0))

  public init(label: String, drain: RealmPool.Drain) {
    self.drain = drain
    queue = DispatchQueue(label: label)
  }

  /// Runs `body` in a block of the queue, later. What it adds to the pool is retained until that is drained.
  public func async(_ body: @escaping @Sendable (RealmPool) -> Void) {
    counts.withLock { $0.pending += 1 }
    queue.async {
      RealmPool.$current.withValue(self.pool) { body(self.pool) }
      self.finishBlock()
    }
  }

  /// Runs `body` in a block of the queue, and waits for its end.
  public func sync<Result>(_ body: (RealmPool) throws -> Result) rethrows -> Result {
    counts.withLock { $0.pending += 1 }
    return try queue.sync {
      defer { finishBlock() }
      return try RealmPool.$current.withValue(pool) { try body(pool) }
    }
  }

  private func finishBlock() {
    let isDrainDue = counts.withLock { counts in
      counts.pending -= 1
      counts.done += 1
      return switch drain {
      case .perBlock: true
      case .late: counts.done.isMultiple(of: RealmPool.lateness)
      case .onIdle: counts.pending == 0
      case .never: false
      }
    }
    if isDrainDue { pool.drain() }
  }
}

#if !canImport(Darwin)
  /// Runs `body` with a pool of its own, and drains it, as the function of the same name on Apple's systems does. The pool
  /// has what `RealmPool.autorelease` was given; everything else Swift releases after its last use.
  public func autoreleasepool<Result>(
    invoking body: () throws -> Result
  ) rethrows -> Result {
    let pool = RealmPool()
    defer { pool.drain() }
    return try RealmPool.$current.withValue(pool, operation: body)
  }
#endif
