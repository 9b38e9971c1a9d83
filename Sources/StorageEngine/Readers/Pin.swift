// The pins: which snapshots and savepoints prevent the reuse of space, and how many bytes each.
import SystemIO

/// A snapshot or savepoint, and the space that it prevents from being reused.
public struct Pin: Sendable, Equatable {
  /// The kinds of pins.
  public enum Kind: String, Sendable {
    /// An open read transaction.
    case snapshot
    /// A named version in the file.
    case savepoint
  }

  public var kind: Kind
  /// The pinned version.
  public var version: UInt64
  /// The label that `beginSnapshot` was given, truncated to 40 bytes; for a savepoint its name.
  public var label: String
  /// The process that began the snapshot; nil for a savepoint.
  public var process: Int32?
  /// The kernel's id of the thread that began the snapshot, which another thread may use by now; nil for a savepoint.
  public var thread: Int32?
  /// Whether the process is stopped (by a signal or a debugger) and so cannot end the snapshot until it is continued.
  public var isSuspended: Bool
  /// When the pin began or was last refreshed, in nanoseconds on the machine's monotonic clock; nil for a savepoint,
  /// which may be older than the machine's last start.
  public var beganMonotonic: UInt64?
  /// When the pin began or was last refreshed, in nanoseconds since 1970.
  public var beganWall: UInt64
  /// The bytes that only this pin retains: exactly what ending it frees. Zero for each of two pins of the same version.
  /// (Dropping a savepoint is a commit that writes a record, and also frees the savepoint's table list.)
  public var exclusive: Int
  /// The bytes that this pin and at least one other retain.
  public var shared: Int

  /// All bytes that the pin retains.
  public var retained: Int { exclusive + shared }
}

extension Readers {
  /// The snapshots of all processes and the savepoints, oldest version first, then by start time. All figures are of
  /// the same moment.
  ///
  /// Under the mutex the sums of `DeferredFreeExtents.retainedBytes()` are added up: the work grows with the number of
  /// registered versions, not of extents. If another process made the newest commit, its records are read.
  func oldestPins() -> [Pin] {
    let found = try? withState { state, deferredFree in
      (context.session.readers(), state.savepoints, deferredFree.retainedBytes())
    }
    guard let (readers, savepoints, retained) = found else { return [] }
    let byVersion = Dictionary(uniqueKeysWithValues: retained.map { ($0.version, $0) })
    // A snapshot that has just begun pins nothing yet.
    func bytes(_ version: UInt64) -> RetainedBytes {
      byVersion[version] ?? RetainedBytes(version: version, holderCount: 1)
    }
    var processes = SessionProcesses(context.session)
    let pins =
      savepoints.map { Pin($0, bytes($0.version)) }
      + readers.map { Pin($0, bytes($0.version), &processes) }
    return pins.sorted {
      ($0.version, $0.beganMonotonic ?? 0, $0.label) < (
        $1.version, $1.beganMonotonic ?? 0, $1.label
      )
    }
  }
}

extension Pin {
  init(
    _ reader: ReaderEntry, _ bytes: RetainedBytes, _ processes: inout SessionProcesses
  ) {
    let process = processes.process(of: reader.owner)
    self.init(
      kind: .snapshot, version: reader.version, label: reader.label, process: process.id,
      thread: reader.thread, isSuspended: process.isSuspended, beganMonotonic: reader.began,
      beganWall: reader.began &+ processes.session.table[.wallClockOffset],
      exclusive: bytes.exclusivePerHolder,
      shared: bytes.sharedPerHolder)
  }

  init(_ savepoint: SavepointEntry, _ bytes: RetainedBytes) {
    self.init(
      kind: .savepoint, version: savepoint.version, label: savepoint.name, process: nil,
      thread: nil, isSuspended: false, beganMonotonic: nil, beganWall: savepoint.madeAt,
      exclusive: bytes.exclusivePerHolder,
      shared: bytes.sharedPerHolder)
  }
}

extension RetainedBytes {
  /// For one of the version's holders.
  fileprivate var exclusivePerHolder: Int { holderCount == 1 ? exclusive : 0 }
  fileprivate var sharedPerHolder: Int { exclusive + shared - exclusivePerHolder }
}
