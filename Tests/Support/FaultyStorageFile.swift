// A disk that may fail at any moment. What programs see (the page cache) and what would survive a power cut are kept
// apart: every change since the last sync waits in a log, from which `CrashStates` make the images that a cut may leave.
// Calls can be made to fail, the disk to fill up, and syncs to lie.
package import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file in memory that remembers what is not yet durable.
package final class FaultyStorageFile: StorageFile, @unchecked Sendable {
  /// A call that can be made to fail.
  package enum Call: Hashable, Sendable { case write, resize, sync }

  /// A change since the last sync.
  enum Change: Sendable {
    case write(offset: Int, bytes: [UInt8])
    case resize(to: Int)
  }

  /// The address space that one file may fill, in bytes.
  package static let capacity = 1 << 28

  private let live: UnsafeMutableRawPointer
  private let mutex = ThreadMutex()
  private var liveSize: Int
  private var durable: [UInt8]
  private var changes: [Change] = []
  /// When each of `changes` was made, by the clock of the volume.
  private var orders: [Int] = []
  private let clock: DiskClock
  private var failures: [Call: [Int: Int32]] = [:]
  private var calls: [Call: Int] = [:]
  private var hasFailedSync = false
  private var written = 0
  private var currentAccess: FileAccessRights
  private var syncedAccess: FileAccessRights

  /// Syncs return without making anything durable: a drive that lies.
  package var dropsSyncs = false
  /// The largest size that fits on the disk; growing past it fails with `ENOSPC`.
  package var sizeLimit: Int?
  /// Where few syncs are expected, each write is made of stores of at most this many bytes, in an order drawn anew: as through
  /// a mapping (`SystemStorageFile.store`), where a process may be killed between any two.
  package var storeBytes: Int?
  private var expectsFewSyncs = false
  private var storeOrder = SeededRandom(seed: 1)
  /// Called before each sync takes effect: the moment with the most ways to crash.
  package var beforeSync: ((FaultyStorageFile) -> Void)?

  /// A file that holds `image` durably: empty, or what a crash left.
  package init(
    image: [UInt8] = [], access: FileAccessRights = usualAccess, clock: DiskClock = DiskClock()
  ) {
    self.clock = clock
    currentAccess = access
    syncedAccess = access
    let address = mmap(
      nil, Self.capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0
    )
    precondition(address != MAP_FAILED, "No address space for a file in memory.")
    live = address!
    live.copyMemory(from: image, byteCount: image.count)
    durable = image
    liveSize = image.count
  }

  deinit { munmap(live, Self.capacity) }

  // MARK: StorageFile

  package var size: Int { mutex.withLock { liveSize } }
  package var base: UnsafeRawPointer { UnsafeRawPointer(live) }
  package var bytesWritten: Int { mutex.withLock { written } }
  package var syncCount: Int { mutex.withLock { calls[.sync] ?? 0 } }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    try write([bytes], at: offset)
  }

  package func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    mutex.lock()
    defer { mutex.unlock() }
    var bytes: [UInt8] = []
    for piece in pieces { bytes.append(contentsOf: piece) }
    if let code = failure(of: .write) {
      // A write that fails may have done some of its work.
      apply(.write(offset: offset, bytes: Array(bytes.prefix(bytes.count / 2))))
      throw SystemError(code: code, call: "pwrite")
    }
    try checkRoom(for: offset + bytes.count, call: "pwrite")
    for store in stores(of: bytes.count) {
      apply(.write(offset: offset + store.lowerBound, bytes: Array(bytes[store])))
    }
  }

  package func expectFewSyncs() { mutex.withLock { expectsFewSyncs = true } }

  /// The parts of a write of `count` bytes, in the order in which they are made.
  private func stores(of count: Int) -> [Range<Int>] {
    guard expectsFewSyncs, let storeBytes else { return [0..<count] }
    let starts = stride(from: 0, to: count, by: storeBytes)
    return starts.map { $0..<min(count, $0 + storeBytes) }.shuffled(using: &storeOrder)
  }

  package func resize(to size: Int) throws(SystemError) {
    mutex.lock()
    defer { mutex.unlock() }
    if let code = failure(of: .resize) { throw SystemError(code: code, call: "ftruncate") }
    try checkRoom(for: size, call: "fallocate")
    apply(.resize(to: size))
  }

  package func sync() throws(SystemError) {
    beforeSync?(self)
    mutex.lock()
    defer { mutex.unlock() }
    if let code = failure(of: .sync) {
      // After a failed sync the kernel may forget which pages were dirty: a later sync proves nothing about them.
      hasFailedSync = true
      throw SystemError(code: code, call: "fdatasync")
    }
    if dropsSyncs || hasFailedSync { return }
    durable = Array(UnsafeRawBufferPointer(start: live, count: liveSize))
    changes = []
    orders = []
    syncedAccess = currentAccess
  }

  // MARK: Access rights

  /// Those of a file that is made without further words, and of one that is its owner's alone.
  package static let usualAccess = FileAccessRights(mode: 0o644, owner: 0, group: 0)
  package static let privateAccess = FileAccessRights(mode: 0o600, owner: 0, group: 0)

  /// What programs see now. Setting it is what an administrator does, durably.
  package var access: FileAccessRights {
    get { mutex.withLock { currentAccess } }
    set { mutex.withLock { (currentAccess, syncedAccess) = (newValue, newValue) } }
  }

  /// What a power cut may leave of them.
  var durableAccess: FileAccessRights { mutex.withLock { syncedAccess } }

  /// The access rights of another file of the volume, which are not durable before the next sync.
  package func inheritAccess(of original: FaultyStorageFile, as role: AccessRole) {
    var next = original.access
    if role == .draft { (next.mode, next.attributes) = (0o600, [:]) }
    if role == .seeded { next.mode |= 0o600 }
    mutex.withLock { currentAccess = next }
  }

  /// A file without a volume has no other files beside it.
  package func inheritAccess(of original: FilePath, as role: AccessRole) {}

  // MARK: Faults

  /// Lets one call fail with this `errno`: the `occurrence`-th from now on, counted from 1.
  package func fail(_ call: Call, occurrence: Int = 1, code: Int32) {
    mutex.withLock { failures[call, default: [:]][(calls[call] ?? 0) + occurrence] = code }
  }

  private func failure(of call: Call) -> Int32? {
    calls[call, default: 0] += 1
    return failures[call]?.removeValue(forKey: calls[call]!)
  }

  private func checkRoom(for size: Int, call: String) throws(SystemError) {
    precondition(size <= Self.capacity, "A test file grew past \(Self.capacity) bytes.")
    if let sizeLimit, size > max(sizeLimit, liveSize) {
      throw SystemError(code: ENOSPC, call: call)
    }
  }

  private func apply(_ change: Change) {
    changes.append(change)
    orders.append(clock.tick())
    switch change {
    case .write(let offset, let bytes):
      (live + offset).copyMemory(from: bytes, byteCount: bytes.count)
      liveSize = max(liveSize, offset + bytes.count)
      written += bytes.count
    case .resize(let size):
      if size < liveSize { memset(live + size, 0, liveSize - size) }
      liveSize = size
    }
  }

  // MARK: Crashes

  /// How many changes wait for a sync.
  package var pendingChanges: Int { mutex.withLock { changes.count } }

  /// The offsets of the writes that wait for a sync, in the order in which they were made.
  package var pendingOffsets: [Int] {
    mutex.withLock {
      changes.compactMap { if case .write(let offset, _) = $0 { offset } else { nil } }
    }
  }

  /// What programs see now.
  package var liveBytes: [UInt8] {
    mutex.withLock { Array(UnsafeRawBufferPointer(start: live, count: liveSize)) }
  }

  /// All that a power cut may leave now.
  package func crashStates() -> CrashStates {
    mutex.withLock { CrashStates(durable: durable, changes: changes) }
  }

  /// The same, with the moment of each change by the volume's clock.
  func orderedCrashStates() -> (CrashStates, [Int]) {
    mutex.withLock { (CrashStates(durable: durable, changes: changes), orders) }
  }

  /// The file as a killed process leaves it: the kernel still holds the first `kept` pending changes, none of
  /// them durable.
  package func afterKill(
    keepingChanges kept: Int, clock: DiskClock = DiskClock()
  ) -> FaultyStorageFile {
    mutex.withLock {
      let copy = FaultyStorageFile(image: durable, access: syncedAccess, clock: clock)
      copy.currentAccess = currentAccess
      for change in changes.prefix(kept) { copy.apply(change) }
      copy.orders = Array(orders.prefix(kept))
      copy.written = 0
      return copy
    }
  }
}
