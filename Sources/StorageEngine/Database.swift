// The front door.
public import SystemIO

/// One process's open database: one file, any number of snapshots, one writer at a time.
///
/// Safe to use from many threads. The file is locked against every other opening for as long as this is open.
public final class Database: @unchecked Sendable {
  /// Opens the file at `path`, creating it where there is none.
  ///
  /// `compactOnLaunch` is asked once, before anything else can see the file, unless the file is new;
  /// `launchOutcome` tells what came of it. Errors: `busy`, `notADatabase`, `corrupt`, `truncated`,
  /// `permissionDenied`, `outOfSpace`; the file is then as it was.
  public static func open(
    path: FilePath, options: DatabaseOptions = .init(),
    compactOnLaunch: ((LaunchUsage) -> Bool)? = nil
  ) throws(StorageError) -> Database { preconditionFailure("not built yet") }

  /// Opens a database in a file that the caller made; creates one in it where it is empty. Nothing is renamed, so
  /// `compact()` skips.
  public static func open(
    file: any StorageFile, options: DatabaseOptions = .init()
  ) throws(StorageError) -> Database { preconditionFailure("not built yet") }

  public var launchOutcome: LaunchCompaction { preconditionFailure("not built yet") }

  /// Pins the newest version until the snapshot ends. `label` names the holder in `holders()`.
  public func beginSnapshot(label: String = "") throws(StorageError) -> Snapshot {
    preconditionFailure("not built yet")
  }

  /// Waits for the one writer's place. Errors: `poisoned`, `closed`.
  public func beginWrite() throws(StorageError) -> WriteTransaction {
    preconditionFailure("not built yet")
  }

  /// The running account, as of the newest commit.
  public func usage() -> SpaceAccount { preconditionFailure("not built yet") }

  /// The independent walk: marks every byte of the file exactly once, reading nothing of the running account. Waits
  /// for the writer's place; not within a write transaction of the calling thread.
  public func audit() throws(StorageError) -> SpaceAudit { preconditionFailure("not built yet") }

  /// Writes a compacted copy of the newest version, synced. Error `alreadyExists` where `path` exists.
  public func writeCopy(to path: FilePath) throws(StorageError) {
    preconditionFailure("not built yet")
  }

  /// Replaces the file by a compacted copy: copy, sync, rename, sync of the folder.
  public func compact() throws(StorageError) -> CompactionOutcome {
    preconditionFailure("not built yet")
  }

  /// Steps of automatic compaction since the last call, oldest first.
  public func drainEvents() -> [CompactionStep] { preconditionFailure("not built yet") }

  /// The newest committed version.
  public var version: UInt64 { preconditionFailure("not built yet") }
  /// Versions that can be read: those of snapshots, and the newest.
  public var versions: Int { preconditionFailure("not built yet") }
  /// Bytes handed to the operating system since the database was opened.
  public var bytesWritten: Int { preconditionFailure("not built yet") }
  /// Syncs of the file since the database was opened.
  public var syncCount: Int { preconditionFailure("not built yet") }

  /// Ends the session and unlocks the file. Error `snapshotsHeld` where snapshots are open: nothing has ended then.
  public func close() throws(StorageError) { preconditionFailure("not built yet") }
}

/// A read transaction: one version, pinned until `end` or until the object goes. Used by one thread at a time.
public final class Snapshot: @unchecked Sendable {
  public var version: UInt64 { preconditionFailure("not built yet") }
  public var label: String { preconditionFailure("not built yet") }

  /// The table of that name in this version.
  public func table(_ name: String) -> Table? { preconditionFailure("not built yet") }

  /// Gives the row's bytes to `body` and answers true, or false where there is none. The bytes are valid within the
  /// call only.
  public func get(
    _ table: Table, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool { preconditionFailure("not built yet") }

  public func get(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool { preconditionFailure("not built yet") }

  /// Gives up to `limit` rows in key order from `key` on; answers how many there were.
  public func scan(
    _ table: Table, from key: Int64 = .min, limit: Int = .max,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int { preconditionFailure("not built yet") }

  /// The same for a table keyed by bytes; an empty `key` begins at the first row.
  public func scan(
    _ table: Table, from key: UnsafeRawBufferPointer, limit: Int = .max,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int { preconditionFailure("not built yet") }

  /// How many rows the table has in this version.
  public func count(_ table: Table) throws(StorageError) -> Int {
    preconditionFailure("not built yet")
  }

  /// Moves to the newest version, as ending and beginning again would.
  public func refresh() throws(StorageError) { preconditionFailure("not built yet") }

  /// Ends the read transaction. Again is nothing.
  public func end() { preconditionFailure("not built yet") }
}

/// The write transaction. Used by one thread at a time.
public final class WriteTransaction {
  /// The version that `commit` will make.
  public var version: UInt64 { preconditionFailure("not built yet") }

  /// The table of that name, created where there is none. Error `unsupported` where it has keys of another kind.
  public func table(_ name: String, _ keyKind: KeyKind = .int64) throws(StorageError) -> Table {
    preconditionFailure("not built yet")
  }

  /// Inserts the row or replaces it.
  public func put(
    _ table: Table, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) { preconditionFailure("not built yet") }

  public func put(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) { preconditionFailure("not built yet") }

  /// Deletes the row; answers whether there was one.
  public func delete(_ table: Table, _ key: Int64) throws(StorageError) -> Bool {
    preconditionFailure("not built yet")
  }

  public func delete(
    _ table: Table, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool { preconditionFailure("not built yet") }

  public func get(
    _ table: Table, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool { preconditionFailure("not built yet") }

  public func get(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool { preconditionFailure("not built yet") }

  /// How many rows the table has within this transaction.
  public func count(_ table: Table) throws(StorageError) -> Int {
    preconditionFailure("not built yet")
  }

  /// Ends the transaction with its changes visible, and durable under `Durability.full`. After an error it has ended
  /// without them.
  public func commit() throws(StorageError) { preconditionFailure("not built yet") }

  /// Ends the transaction without its changes. Again, or after `commit`, is nothing.
  public func rollBack() { preconditionFailure("not built yet") }
}
