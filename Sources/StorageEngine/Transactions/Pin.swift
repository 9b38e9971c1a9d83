// Which snapshots keep space from being used again, and how much each: the answer to "what would it bring to end it?".
import SystemIO

/// A snapshot considered as that which keeps space from being used again.
public struct Pin: Sendable, Equatable {
  public enum Kind: String, Sendable {
    /// An open read transaction.
    case snapshot
    /// A version kept by name in the file.
    case savepoint
  }

  public var kind: Kind
  /// The version that is held.
  public var version: UInt64
  /// What `beginSnapshot` was given, cut to 40 bytes; a savepoint's name.
  public var label: String
  /// The process and the kernel's id of the thread that began it; a snapshot may have moved to another thread since.
  /// nil for a savepoint.
  public var process: Int32?
  public var thread: Int32?
  /// The process is stopped (a signal, a debugger): it will not end the pin until it is continued.
  public var isSuspended: Bool
  /// When it began, or was last refreshed: nanoseconds on the machine's clock that only goes forward, and since 1970.
  /// The former is nil for a savepoint, which may be older than the machine's start.
  public var beganMonotonic: UInt64?
  public var beganWall: UInt64
  /// Bytes kept for this pin and no other: ending it frees them, to the byte. Of two pins on one version neither has
  /// any. (Dropping a savepoint is a commit, with a record of its own, and gives back its table list besides.)
  public var exclusive: Int
  /// Bytes kept for this pin and at least one other.
  public var shared: Int

  /// All that is kept for it.
  public var retained: Int { exclusive + shared }
}

extension Store {
  /// The snapshots of all processes and the savepoints, oldest version first, then in the order in which they began. All
  /// figures are of one moment.
  ///
  /// Under the mutex the sums of `DeferredFreeExtents.retained()` are added up: the work grows with the registered versions,
  /// not with the extents that are kept; but where another process made the newest commit, its records are read.
  func oldestPins() -> [Pin] {
    let found = try? withState { state in
      (session.readers(), state.savepoints, state.deferredFree.retainedBytes())
    }
    guard let (readers, savepoints, retained) = found else { return [] }
    let byVersion = Dictionary(uniqueKeysWithValues: retained.map { ($0.version, $0) })
    // A snapshot that began this very moment keeps nothing yet.
    func kept(_ version: UInt64) -> RetainedBytes {
      byVersion[version] ?? RetainedBytes(version: version, holderCount: 1)
    }
    let pins =
      savepoints.map { Pin($0, kept($0.version)) }
      + readers.map { Pin($0, kept($0.version), session) }
    return pins.sorted {
      ($0.version, $0.beganMonotonic ?? 0, $0.label) < (
        $1.version, $1.beganMonotonic ?? 0, $1.label
      )
    }
  }
}

extension Pin {
  init(_ reader: ReaderEntry, _ kept: RetainedBytes, _ session: FileSession) {
    let process = session.process(of: reader.owner)
    self.init(
      kind: .snapshot, version: reader.version, label: reader.label, process: process.id,
      thread: reader.thread, isSuspended: process.isSuspended, beganMonotonic: reader.began,
      beganWall: reader.began &+ session.table[.wallClockOffset], exclusive: kept.exclusivePerHolder,
      shared: kept.sharedPerHolder)
  }

  init(_ savepoint: SavepointEntry, _ kept: RetainedBytes) {
    self.init(
      kind: .savepoint, version: savepoint.version, label: savepoint.name, process: nil,
      thread: nil, isSuspended: false, beganMonotonic: nil, beganWall: savepoint.madeAt,
      exclusive: kept.exclusivePerHolder,
      shared: kept.sharedPerHolder)
  }
}

extension RetainedBytes {
  /// Of one holder of the version.
  fileprivate var exclusivePerHolder: Int { holderCount == 1 ? exclusive : 0 }
  fileprivate var sharedPerHolder: Int { exclusive + shared - exclusivePerHolder }
}
