// Which snapshots keep space from being used again, and how much each: the answer to "what would it bring to end it?".

/// A snapshot considered as that which keeps space from being used again.
public struct Pin: Sendable, Equatable {
  /// The version that is held.
  public var version: UInt64
  /// What `beginSnapshot` was given.
  public var label: String
  /// The process and the kernel's id of the thread that began it; a snapshot may have moved to another thread since.
  public var process: Int32
  public var thread: Int32
  /// When it began, or was last refreshed: nanoseconds on the machine's clock that only goes forward, and since 1970.
  public var beganMonotonic: UInt64
  public var beganWall: UInt64
  /// Bytes kept for this pin and no other: ending it frees them, to the byte. Of two pins on one version neither has
  /// any.
  public var exclusive: Int
  /// Bytes kept for this pin and at least one other.
  public var shared: Int

  /// All that is kept for it.
  public var retained: Int { exclusive + shared }
}

extension Store {
  /// The open snapshots, oldest version first, then in the order in which they began. All figures are of one moment.
  ///
  /// Under the mutex the holders are copied, and the sums of `RetiredExtents.retained()` added up: the work grows with
  /// the registered versions, not with the extents that are kept.
  func oldestPins() -> [Pin] {
    let (holders, retained) = mutex.withLock {
      (shared.pointee.registry.holders, shared.pointee.retired.retained())
    }
    let byVersion = Dictionary(uniqueKeysWithValues: retained.map { ($0.version, $0) })
    let pins = holders.map { holder in
      guard let kept = byVersion[holder.version.number] else {
        preconditionFailure("A snapshot's version is registered (RETIRED-1).")
      }
      let isAlone = kept.holders == 1
      return Pin(
        version: holder.version.number, label: holder.label, process: holder.process,
        thread: holder.thread, beganMonotonic: holder.beganMonotonic, beganWall: holder.beganWall,
        exclusive: isAlone ? kept.alone : 0,
        shared: isAlone ? kept.together : kept.alone + kept.together)
    }
    return pins.sorted {
      ($0.version, $0.beganMonotonic, $0.label) < ($1.version, $1.beganMonotonic, $1.label)
    }
  }
}
