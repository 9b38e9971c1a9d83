// A storage file on POSIX: written by pwrite and pwritev, read through a read-only mapping (FileMapping.swift).

import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A `StorageFile` of the operating system. While it lives it is locked against every other opening; or, if it is opened
/// to be shared, against those that want it for themselves.
public final class SystemStorageFile: SharedStorageFile, @unchecked Sendable {
  public let path: FilePath
  private let isShared: Bool
  let descriptor: Int32
  private let mapping: FileMapping
  private let address: UnsafeMutableRawPointer
  /// The file whose mappings this opening shares with others; nil if it has its own.
  let sharedFile: FileIdentity?
  /// Changed by the writer alone, but read by other threads too: always under the mutex.
  let counters: UnsafeMutablePointer<Counters>
  /// The end of the zeros that the mapping shows in place of what was cut off. Used by the writer only.
  private var coverEnd = 0
  let mutex = ThreadMutex()

  struct Counters {
    var written = 0
    var syncs = 0
    var capacity: Int
    /// Whether access rights were given that no sync has made durable.
    var isAccessPending = false
    /// The mapping through which writes are stored; nil while all are written by calls.
    var stores: FileMapping?
    /// A byte for each page: not 0 where it was written to since.
    var pagesWritten: ReservedMemory?
    /// The length of the file as far as this object has seen it: nothing is stored beyond.
    var storesEnd = 0
    /// The opening whose writes go past the cache: nil until it is asked for, -1 where there is none to be had.
    var directDescriptor: Int32?
  }

  /// Opens and locks the file. The errors that callers tell apart: `isLocked` where another opening has it,
  /// `isPermissionDenied`, `isNotFound`, `isAlreadyThere`, `isOutOfSpace`.
  public convenience init(path: FilePath, _ opening: FileOpening) throws(SystemError) {
    try self.init(path: path, opening, isShared: false)
  }

  /// Opens the file to be shared with other such openings, which agree among themselves which of them writes.
  package init(path: FilePath, _ opening: FileOpening, isShared: Bool) throws(SystemError) {
    Self.ignoreFileSizeSignal
    let descriptor = try Self.openLocked(path, opening, isShared)
    let capacity: Int
    do throws(SystemError) {
      var facts = stat()
      guard fstat(descriptor, &facts) == 0 else { throw .last("fstat", path) }
      // On overlayfs an opening for reading may see the file of a lower layer, which writes do not reach (its documentation,
      // "Non-standard behavior"), under the same identity.
      sharedFile = isShared && opening != .readOnly ? FileIdentity(facts) : nil
      (mapping, capacity) = try FileMapping.acquire(
        ofFile: descriptor, size: Int(facts.st_size), path, shared: sharedFile)
    } catch {
      close(descriptor)
      throw error
    }
    address = mapping.start
    self.path = path
    self.isShared = isShared
    self.descriptor = descriptor
    counters = .allocate(capacity: 1)
    counters.initialize(to: Counters(capacity: capacity))
  }

  deinit {
    mapping.release()
    counters.pointee.stores?.release()
    if let direct = counters.pointee.directDescriptor, direct >= 0 { close(direct) }
    // A child process that is being spawned holds a copy of the descriptor until it runs its program, and with it the
    // lock; so the lock is released explicitly, not only by closing.
    flock(descriptor, LOCK_UN)
    _ = cplatform_lock_range(descriptor, 0, 0, 0, 0)
    close(descriptor)
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  /// Writing past RLIMIT_FSIZE raises a signal that ends the process, unless it is ignored: then the call fails with
  /// EFBIG, which is an error like any other. A handler that the program installed is left alone.
  private static let ignoreFileSizeSignal: Void = {
    var action = sigaction()
    guard sigaction(SIGXFSZ, nil, &action) == 0 else { return }
    #if canImport(Glibc)
      let isDefault = action.__sigaction_handler.sa_handler == nil
    #else
      let isDefault = action.__sigaction_u.__sa_handler == nil
    #endif
    if isDefault { signal(SIGXFSZ, SIG_IGN) }
  }()

  /// A file may be replaced by a rename between its opening and its locking; the lock would then be on a file without a
  /// name. So the name is looked up again, and the opening repeated until both are the same file.
  private static func openLocked(
    _ path: FilePath, _ opening: FileOpening, _ isShared: Bool
  ) throws(SystemError) -> Int32 {
    let flags: Int32 =
      switch opening {
      case .existing: O_RDWR
      case .existingOrNew: O_RDWR | O_CREAT
      case .new: O_RDWR | O_CREAT | O_EXCL
      case .readOnly: O_RDONLY
      }
    let lock = isShared || opening == .readOnly ? LOCK_SH : LOCK_EX
    while true {
      // Not waiting, since a pipe would be waited for; of a regular file it changes nothing.
      let mode: mode_t = opening == .new ? 0o600 : 0o666
      let descriptor = path.withPlatformString {
        openByPath($0, flags | O_CLOEXEC | O_NONBLOCK, mode)
      }
      guard descriptor >= 0 else { throw .last("open", path) }
      do throws(SystemError) { try RegularFile.check(descriptor, path) } catch {
        close(descriptor)
        throw error
      }
      guard flock(descriptor, lock | LOCK_NB) == 0 else {
        let error = SystemError.last("flock", path)
        close(descriptor)
        throw error
      }
      var locked = stat()
      var named = stat()
      let same =
        fstat(descriptor, &locked) == 0
        && path.withPlatformString { statByPath($0, &named) } == 0
        && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev
      if same {
        if lock == LOCK_SH { try excludeOtherKind(descriptor, path, isShared) }
        return descriptor
      }
      close(descriptor)
    }
  }

  /// The byte ranges locked by processes that share the file, and by processes that only read it and are in no reader
  /// table. Any number of either kind may have the file open, but not both kinds at once.
  private static let (sharersLockOffset, readersLockOffset) = (Int64(1) << 40, Int64(1) << 40 + 1)

  private static func excludeOtherKind(
    _ descriptor: Int32, _ path: FilePath, _ isShared: Bool
  ) throws(SystemError) {
    let (own, other) =
      isShared ? (sharersLockOffset, readersLockOffset) : (readersLockOffset, sharersLockOffset)
    _ = cplatform_lock_range(descriptor, own, 1, 2, 0)
    var found: Int64 = 0
    // Where the file system has no such locks the file is not shared: the lock file needs them too.
    guard cplatform_find_lock(descriptor, other, 1, &found) == 1 else { return }
    close(descriptor)
    throw SystemError(code: EAGAIN, call: "fcntl(F_OFD_GETLK)", path: path.string)
  }

  public var size: Int {
    get throws(SystemError) {
      let size = try FileFacts(ofOpen: descriptor, path).size.bytes
      noteSize(size)
      return size
    }
  }

  private func noteSize(_ size: Int) { mutex.withLock { counters.pointee.storesEnd = size } }

  package var identity: FileIdentity {
    get throws(SystemError) {
      FileIdentity(try FileFacts(ofOpen: descriptor, path))
    }
  }

  public var base: UnsafeRawPointer { UnsafeRawPointer(address) }
  public var bytesWritten: Int { mutex.withLock { counters.pointee.written } }
  public var syncCount: Int { mutex.withLock { counters.pointee.syncs } }
  public var capacity: Int { mutex.withLock { counters.pointee.capacity } }

  public func limitCapacity(to bytes: Int) {
    let page = 1 << 16
    let least = (((try? size) ?? counters.pointee.capacity) + page - 1) & ~(page - 1)
    let length = max(least, bytes & ~(page - 1), page)
    mutex.withLock {
      guard length < counters.pointee.capacity else { return }
      mapping.limit(to: length)
      counters.pointee.stores?.limit(to: length)
      counters.pointee.capacity = length
    }
  }

  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    if store(CollectionOfOne(bytes), at: offset) { return }
    try handToSystem(bytes, at: offset)
    mutex.withLock { noteWritten(offset, bytes.count) }
  }

  /// Writes all of `bytes` by calls, without counting them.
  func handToSystem(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
      if count < 0 {
        if errno == EINTR { continue }
        throw .last("pwrite", path)
      }
      done += count
    }
  }

  /// The maximum number of pieces in one call: IOV_MAX of Linux.
  private static let maxPieces = 1024

  public func write(
    _ pieces: [UnsafeRawBufferPointer], at offset: Int
  ) throws(SystemError) {
    var next = 0
    var nextOffset = offset
    while next < pieces.count {
      let end = min(next + Self.maxPieces, pieces.count)
      nextOffset += try writeAtOnce(pieces[next..<end], at: nextOffset)
      next = end
    }
  }

  private func writeAtOnce(
    _ pieces: ArraySlice<UnsafeRawBufferPointer>, at offset: Int
  ) throws(SystemError) -> Int {
    let total = pieces.reduce(0) { $0 + $1.count }
    if store(pieces, at: offset) { return total }
    let result = withUnsafeTemporaryAllocation(of: iovec.self, capacity: pieces.count) { vectors in
      for (index, piece) in pieces.enumerated() {
        vectors[index] = iovec(
          iov_base: UnsafeMutableRawPointer(mutating: piece.baseAddress), iov_len: piece.count)
      }
      return pwritev(descriptor, vectors.baseAddress!, Int32(pieces.count), off_t(offset))
    }
    let interrupted = result < 0 && errno == EINTR
    guard result >= 0 || interrupted else { throw .last("pwritev", path) }
    let written = max(0, result)
    mutex.withLock { noteWritten(offset, written) }
    if written < total { try writeRest(of: pieces, after: written, at: offset) }
    return total
  }

  /// The kernel may take less than it was given: the rest goes piece by piece.
  private func writeRest(
    of pieces: ArraySlice<UnsafeRawBufferPointer>, after written: Int, at offset: Int
  ) throws(SystemError) {
    var pieceOffset = 0
    for piece in pieces {
      let skip = min(max(0, written - pieceOffset), piece.count)
      if skip < piece.count {
        try write(UnsafeRawBufferPointer(rebasing: piece[skip...]), at: offset + pieceOffset + skip)
      }
      pieceOffset += piece.count
    }
  }

  public func resize(to size: Int) throws(SystemError) {
    guard size <= capacity else {
      throw SystemError(code: ENOMEM, call: "mmap beyond \(capacity) bytes", path: path.string)
    }
    let old = try self.size
    if size > old {
      try uncover(from: old, to: size)
      try reserve(from: old, to: size)
      noteSize(size)
    } else if size < old {
      try cover(from: size, to: old)
      noteSize(size)
      guard ftruncate(descriptor, off_t(size)) == 0 else {
        let error = SystemError.last("ftruncate", path)
        try uncover(from: size, to: old)
        throw error
      }
    }
  }

  private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  private static func pageEnd(_ offset: Int) -> Int { (offset + pageSize - 1) & ~(pageSize - 1) }

  /// Puts zeros in place of what is about to be cut off. A snapshot of before the cut sees nothing there; should damage
  /// send it there all the same, it finds no node, and not the end of the mapped file, which would end the process.
  private func cover(from size: Int, to old: Int) throws(SystemError) {
    let start = Self.pageEnd(size)
    let end = Self.pageEnd(old)
    // Not where another process may let the file grow again: it would not show through the zeros of this one.
    guard start < end, !isShared else { return }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED
    guard mmap(address + start, end - start, PROT_READ, flags, -1, 0) != MAP_FAILED else {
      throw .last("mmap", path)
    }
    coverEnd = max(coverEnd, end)
  }

  /// Shows the file again where it grows into what was cut off.
  private func uncover(from old: Int, to size: Int) throws(SystemError) {
    let start = Self.pageEnd(old)
    let end = min(Self.pageEnd(size), coverEnd)
    guard start < end else { return }
    let flags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED
    guard
      mmap(address + start, end - start, PROT_READ, flags, descriptor, off_t(start)) != MAP_FAILED
    else { throw .last("mmap", path) }
    if end == coverEnd { coverEnd = 0 }
  }

  /// Takes the disk blocks now, so that a full disk is met before a commit has begun to write.
  private func reserve(from old: Int, to size: Int) throws(SystemError) {
    #if canImport(Glibc)
      var result: Int32
      repeat {
        result = posix_fallocate(descriptor, off_t(old), off_t(size - old))
      } while result == EINTR
      guard result != 0 else { return }
      ftruncate(descriptor, off_t(old))
      throw SystemError(code: result, call: "posix_fallocate", path: path.string)
    #else
      guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last("ftruncate", path) }
    #endif
  }

  public func advise(_ advice: StorageAdvice, _ range: Range<Int>) {
    // Whole pages, and those that a fault brings in around them.
    let start = max(0, range.lowerBound) & ~0xffff
    let end = min(capacity, (max(0, range.upperBound) + 0xffff) & ~0xffff)
    guard start < end else { return }
    switch advice {
    case .willRead: madvise(address + start, end - start, MADV_WILLNEED)
    // The mapping is of a file and only read, so the pages come back when they are touched.
    case .doneReading: madvise(address + start, end - start, MADV_DONTNEED)
    case .writeSoon:
      cplatform_begin_writeback(descriptor, off_t(range.lowerBound), off_t(range.count))
    case .manySmallWrites: initializeBlocks(range)
    }
  }

  public func sync() throws(SystemError) {
    #if canImport(Glibc)
      // Data alone is what fdatasync promises.
      let isAccessPending = mutex.withLock { counters.pointee.isAccessPending }
      let result = isAccessPending ? fsync(descriptor) : fdatasync(descriptor)
    #else
      let result = fcntl(descriptor, F_FULLFSYNC)
    #endif
    let error = result == 0 ? nil : SystemError.last("fdatasync", path)
    mutex.withLock {
      counters.pointee.syncs += 1
      if error == nil { counters.pointee.isAccessPending = false }
    }
    if let error { throw error }
  }

  public func inheritAccess(of original: FilePath, as role: AccessRole) throws(SystemError) {
    mutex.withLock { counters.pointee.isAccessPending = true }
    try FileSystem.inheritAccess(of: original, descriptor: descriptor, path, as: role)
  }
}

private func statByPath(_ path: UnsafePointer<CChar>, _ facts: inout stat) -> Int32 {
  stat(path, &facts)
}

/// The C function: inside the class its name would be searched among the members first.
private func openByPath(
  _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t
) -> Int32 {
  open(path, flags, mode)
}
