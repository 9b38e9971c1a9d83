// One open file: its readers, its writer, and the lock that lets one thread of one session write at a time.
//
// There are two locks, and each is the only way to what it protects: `Readers` has what all threads share, under a mutex;
// a `WriteAccess` has the writer, under the write lock. A thread that needs both takes the write lock first.
import SystemIO

final class Store: @unchecked Sendable {
  let context: FileContext
  let readers: Readers
  /// Used by `WriteAccess` only.
  let lock = WriteLock()
  private let writer: UnsafeMutablePointer<Writer>
  /// The writer's, for the holder of the lock that may not use the writer yet.
  let epoch: WriterEpoch
  /// Whether the writer's state was left to the other sessions of this process. Used by the holder of the lock only.
  var hasLeftState = false
  /// The newest version when the file was opened.
  let firstVersion: UInt64

  var file: any StorageFile { context.file }
  var options: DatabaseOptions { context.options }
  var session: FileSession { context.session }

  /// The store of a file that no other session has open.
  convenience init(
    _ opened: consuming OpenedFile, _ options: DatabaseOptions, _ session: FileSession
  ) {
    let context = FileContext(opened.file, opened.base, options, session)
    let record = opened.chain.newest
    let space = context.space(ofLength: record.sizeAfter)
    let tail = max(0, opened.size - record.sizeAfter)
    self.init(
      Readers(context, newest: VersionState(record, space)), firstVersion: record.version)
    writer.pointee.load(opened.state, space, tailBytes: tail)
  }

  /// The store of a file that is opened exclusively.
  convenience init(
    exclusive file: any StorageFile, _ options: DatabaseOptions
  ) throws(StorageError) {
    self.init(try OpenedFile(file, options), options, try FileSession())
    context.publish(version: firstVersion)
  }

  /// The store of a file that other sessions have open; the writer's state is loaded at the first write.
  convenience init(
    joining file: any StorageFile, _ options: DatabaseOptions, _ session: FileSession
  ) throws(StorageError) {
    let base: FileView
    let size: Int
    do throws(SystemError) {
      base = try FileView(file)
      size = try file.size
    } catch {
      throw StorageError(system: error, "The file cannot be read")
    }
    try FileHeader.check(base.start, size: size)
    guard !FileHeader.isEncrypted(base.start) else {
      throw StorageError(
        .keyMissing, "The file is encrypted; open it with the key (encryptionKey).")
    }
    let context = FileContext(file, base, options, session)
    let none = VersionState(
      number: 0, liveBytes: 0, tables: [], space: context.space(ofLength: 0))
    let readers = Readers(context, newest: none)
    readers.unpin(try readers.pinNewest(label: ""))
    self.init(readers, firstVersion: readers.newest.number)
  }

  private init(_ readers: Readers, firstVersion: UInt64) {
    self.readers = readers
    self.firstVersion = firstVersion
    context = readers.context
    writer = .allocate(capacity: 1)
    writer.initialize(to: Writer(readers, newest: readers.newest))
    epoch = writer.pointee.epoch
  }

  deinit {
    LastWriters.shared.remove(context)
    writer.deinitialize(count: 1)
    writer.deallocate()
  }

  // MARK: The write lock

  /// Waits until no other thread or process writes, acquires the write lock, and catches up with what others have
  /// committed. Error `closed`.
  func acquireWriteLock() throws(StorageError) -> WriteAccess {
    guard lock.acquire() else { throw StorageError.databaseClosed }
    var access = WriteAccess(self, writer)
    try access.acquireSessionLock()
    return access
  }

  /// Acquires the write lock if it is free; nil otherwise.
  func tryAcquireWriteLock() throws(StorageError) -> WriteAccess? {
    guard var access = try tryAcquireThreadLock() else { return nil }
    guard try access.tryAcquireSessionLock() else { return nil }
    return access
  }

  /// Acquires the write lock among the threads of this session only, if it is free; nil otherwise.
  func tryAcquireThreadLock() throws(StorageError) -> WriteAccess? {
    guard try lock.tryAcquire() else { return nil }
    return WriteAccess(self, writer)
  }

  /// Acquires the write lock and begins a transaction.
  func beginWrite() throws(StorageError) -> WriteAccess {
    guard !options.readOnly else { throw StorageError.openedReadOnly }
    var access = try acquireWriteLock()
    try access.writer.beginTransaction()
    return access
  }

  /// The same if the write lock is free; nil otherwise.
  func beginWriteIfFree() throws(StorageError) -> WriteAccess? {
    guard !options.readOnly else { throw StorageError.openedReadOnly }
    guard var access = try tryAcquireWriteLock() else { return nil }
    try access.writer.beginTransaction()
    return access
  }

  // MARK: The account

  /// The account including the overhead of encryption.
  var fileAccount: SpaceAccount {
    var account = readers.account
    account.addEncryptionOverhead(file.encryptionOverhead(account.file))
    return account
  }
}
