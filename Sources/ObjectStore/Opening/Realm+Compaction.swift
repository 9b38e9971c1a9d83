// When the engine compacts a realm's file by itself, as options of a configuration.
import StorageEngine

extension Realm.Configuration {
  /// When the engine compacts the file by itself, in small steps, once more than twice as many bytes are free as used.
  /// Compaction at launch (`shouldCompactOnLaunch`) and compacted copies do not depend on it.
  ///
  /// The default is `eager`. It needs no thread, delays a commit by what that commit wrote and no more, and returns disk
  /// space soonest; `documented` waits for a moment without readers, which an app with a live realm on its main thread
  /// may never have.
  public enum AutomaticCompaction: String, Sendable, CaseIterable {
    /// Never.
    case off
    /// As Realm's documents describe it: in the background, and only while the file is not accessed, that is, while no
    /// instance of any process has a version pinned. Goes on in commits too, under the same condition.
    case documented
    /// As Realm Core does it: in every commit, abandoned when a block does not fit, and the file is shortened on disk when
    /// it is next opened. Blocks are placed, and the free list is written, as Realm Core does it too, so that files grow
    /// under a pin as its files do.
    case realmCompatible
    /// In every commit, beside readers, and the file is shortened on disk as soon as no reader can reach its end.
    case eager
  }

  /// How automatic compaction goes on in a background thread while nothing is written.
  public struct IdleCompaction: Sendable, Equatable {
    /// How long nothing must have been committed by this process, in milliseconds.
    public var afterMilliseconds: Int
    /// The maximum number of bytes that one step moves: a writer that arrives during a step waits for its end.
    public var stepBytes: Int

    public init(afterMilliseconds: Int = 1000, stepBytes: Int = 256 << 10) {
      self.afterMilliseconds = afterMilliseconds
      self.stepBytes = stepBytes
    }
  }

  /// The option of the engine; nil for no compaction in the background.
  var engineIdleCompaction: StorageEngine.IdleCompaction? {
    let idle = idleCompaction ?? (automaticCompaction == .documented ? IdleCompaction() : nil)
    return idle.map {
      StorageEngine.IdleCompaction(
        afterMilliseconds: $0.afterMilliseconds, stepBytes: $0.stepBytes)
    }
  }
}

extension Realm.Configuration.AutomaticCompaction {
  /// The option of the engine; nil for no automatic compaction.
  var engineOption: StorageEngine.AutomaticCompaction? {
    switch self {
    case .off: nil
    case .documented: .documented
    case .realmCompatible: .realmCompatible
    case .eager: .eager
    }
  }
}
