// The only door between a storage engine and the disk. Tests put a faulty file behind it, so that every crash state an
// operating system may leave can be made and opened. Small on purpose: what is not here, an engine cannot depend on.

/// What an engine says of a range of the file, so that the system can work ahead; nothing depends on it.
public enum StorageAdvice: Sendable {
  /// Soon to be read: may be fetched from the disk now.
  case willRead
  /// Not to be read again soon: this process's memory need not hold it.
  case doneReading
  /// Written, and to be synced later: may be sent to the disk now.
  case writeSoon
}

/// An open file that an engine stores its data in.
///
/// Sizes and offsets are bytes. Reads go through `map`, writes through `write`; a write is visible in the mapping at
/// once, durable only after `sync` returned. Implementations are safe to read from many threads; writes, `resize` and
/// `sync` come from one thread at a time.
public protocol StorageFile: AnyObject, Sendable {
  /// The file's current length.
  var size: Int { get throws(SystemError) }

  /// Writes all of `bytes` at `offset`, growing the file where it reaches past the end.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError)

  /// Writes the pieces one after the other, beginning at `offset`: one system call where the platform has one.
  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError)

  /// Writes like `write` what nobody reads soon: it may go to the disk without staying in the system's cache.
  func writeAside(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError)

  /// Sets the length: cuts, or extends by zeros (reserving the room on disk, so that a later write cannot fail for it).
  func resize(to size: Int) throws(SystemError)

  /// Returns when all that was written before is durable (`fdatasync`; on Apple platforms `F_FULLFSYNC`).
  func sync() throws(SystemError)

  /// Gives this file the access rights of the one at `original`, as far as `role` asks for them. Durable after the next
  /// `sync`. An error that `isRefusal` where this process may not give them.
  func inheritAccess(of original: FilePath, as role: AccessRole) throws(SystemError)

  /// The file's bytes. Valid until the file object goes; bytes past the current `size` must not be touched.
  /// The address never changes, so snapshots may keep pointers while the file grows.
  var base: UnsafeRawPointer { get throws(SystemError) }

  /// Takes a hint. The contents stay as they are, and pointers into them valid.
  func advise(_ advice: StorageAdvice, _ range: Range<Int>)

  /// How many bytes were handed to the operating system since the file was opened, for write amplification.
  var bytesWritten: Int { get }

  /// How often `sync` was called since the file was opened.
  var syncCount: Int { get }

  /// What the file may grow to: the bytes of address space that it has.
  var capacity: Int { get }

  /// Gives up address space above `bytes`, before anything was read. Never less than the file has.
  func limitCapacity(to bytes: Int)

  /// Says that writes will be many and syncs few. What is written may then be stored into memory that the system writes
  /// to the file in its own time, where that cannot fail later than a call to `write` would have.
  func expectFewSyncs()
}

extension StorageFile {
  public var capacity: Int { Int.max }
  public func limitCapacity(to bytes: Int) {}
  public func expectFewSyncs() {}

  public func writeAside(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    try write(bytes, at: offset)
  }
}

extension StorageFile {
  /// Most files have no use for hints.
  public func advise(_ advice: StorageAdvice, _ range: Range<Int>) {}
}
