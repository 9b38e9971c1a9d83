// The only door between a storage engine and the disk. Tests put a faulty file behind it, so that every crash state an
// operating system may leave can be made and opened. Small on purpose: an engine cannot depend on what is not here.

/// A hint about a range of the file, so that the system can work ahead; no result depends on it.
public enum StorageAdvice: Sendable {
  /// Soon to be read: may be fetched from the disk now.
  case willRead
  /// The range will not be read again soon and need not stay in memory.
  case doneReading
  /// Written, and to be synced later: may be sent to the disk now.
  case writeSoon
  /// Just added to the file, so zeros, and to be written in many small pieces, each with a sync: its blocks may be initialized
  /// now.
  case manySmallWrites
}

/// An open file that an engine stores its data in.
///
/// Sizes and offsets are bytes. Reads go through the mapping at `base`, writes through `write`; a write is visible in the
/// mapping at once, and durable only after `sync` has returned. Implementations are safe to read from many
/// threads; writes, `resize` and `sync` come from one thread at a time.
public protocol StorageFile: AnyObject, Sendable {
  /// The file's current length.
  var size: Int { get throws(SystemError) }

  /// Writes all of `bytes` at `offset`, growing the file where it reaches past the end.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError)

  /// Writes the pieces one after the other, beginning at `offset`: one system call where the platform has one.
  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError)

  /// Writes as `write` does what will not be read soon: it may go to the disk without staying in the system's cache.
  func writeDirect(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError)

  /// Returns the memory into which the next `count` bytes at `offset` may be stored in place of a call to `write`, and counts
  /// them as written: the caller stores all of them at once. nil where they are to be written by a call.
  func storeAddress(_ offset: Int, _ count: Int) -> UnsafeMutableRawPointer?

  /// Sets the length: cuts, or extends by zeros (reserving disk space, so that a later write cannot fail for lack of it).
  func resize(to size: Int) throws(SystemError)

  /// Makes all that was written before durable, and returns then (`fdatasync`; on Apple platforms `F_FULLFSYNC`).
  func sync() throws(SystemError)

  /// Gives this file the access rights of the one at `original`, as far as `role` asks for them. Durable after the next
  /// `sync`. An error that `isRefusal` where this process may not give them.
  func inheritAccess(of original: FilePath, as role: AccessRole) throws(SystemError)

  /// The file's bytes. Valid until the file object is released; bytes past the current `size` must not be touched.
  /// The address never changes, so snapshots may keep pointers while the file grows.
  var base: UnsafeRawPointer { get throws(SystemError) }

  /// Takes a hint. The contents stay as they are, and pointers into them valid.
  func advise(_ advice: StorageAdvice, _ range: Range<Int>)

  /// The maximum number of bytes between two writes, in use by neither, that may be overwritten with zeros so that they
  /// become one write.
  var maxBridgedGap: Int { get }

  /// The number of bytes written since the file was opened, for write amplification.
  var bytesWritten: Int { get }

  /// The number of calls of `sync` since the file was opened.
  var syncCount: Int { get }

  /// The length that the file may grow to: the bytes of address space reserved for it.
  var capacity: Int { get }

  /// Releases address space above `bytes`, before anything was read. Never less than the file's length.
  func limitCapacity(to bytes: Int)

  /// Announces many writes and few syncs. What is written may then be stored into memory that the system writes
  /// to the file in its own time, where that cannot fail later than a call to `write` would have.
  func expectFewSyncs()
}

extension StorageFile {
  public var capacity: Int { Int.max }
  public var maxBridgedGap: Int { 0 }
  public func limitCapacity(to bytes: Int) {}
  public func expectFewSyncs() {}
  public func storeAddress(_ offset: Int, _ count: Int) -> UnsafeMutableRawPointer? { nil }

  public func writeDirect(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    try write(bytes, at: offset)
  }
}

extension StorageFile {
  /// Most files have no use for hints.
  public func advise(_ advice: StorageAdvice, _ range: Range<Int>) {}
}
