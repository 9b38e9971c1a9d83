// A disk with names that may fail at any moment. Beside the bytes of its files it keeps two folders apart: the one that
// programs see, and the one that a power cut would leave. A name that was made, moved or removed since the folder was
// last synced may be lost, each change by itself and whole. Every operation asks `beforeOperation` first: the moments at
// which tests cut the power, kill the process or let the call fail.
package import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files in memory with names, and what of both is not yet durable.
package final class FaultyVolume: StorageVolume, @unchecked Sendable {
  /// What is about to be done to the disk.
  package enum Operation: Hashable, Sendable, CaseIterable {
    case write, resize, sync, create, rename, remove, syncFolder, inheritAccess
  }

  /// A change of names since the last folder sync: what the folder says afterwards.
  struct NameChange: Sendable {
    let order: Int
    let entries: [(name: String, file: FaultyStorageFile?)]
  }

  private let mutex = ThreadMutex()
  let clock: DiskClock
  private var names: [String: FaultyStorageFile] = [:]
  private var durableNames: [String: FaultyStorageFile] = [:]
  private var changes: [NameChange] = []
  private var open: Set<ObjectIdentifier> = []
  private var failures: [Operation: [Int: Int32]] = [:]
  private var calls: [Operation: Int] = [:]
  private var hasFailedSync = false

  /// Bytes that all files together may have; growing past it fails with `ENOSPC`.
  package var room: Int?
  /// Called before each operation takes effect, with what is about to be done and to which name.
  package var beforeOperation: ((FaultyVolume, Operation, FilePath) -> Void)?

  /// A volume that holds these files durably.
  package init(files: [FilePath: [UInt8]] = [:]) {
    clock = DiskClock()
    for (path, image) in files {
      names[Self.key(path)] = FaultyStorageFile(image: image, clock: clock)
    }
    durableNames = names
  }

  /// The same, by the names that `fileNames` answers.
  init(images: [String: (bytes: [UInt8], access: FileAccessRights)]) {
    clock = DiskClock()
    for (name, image) in images {
      names[name] = FaultyStorageFile(image: image.bytes, access: image.access, clock: clock)
    }
    durableNames = names
  }

  init(
    clock: DiskClock, names: [String: FaultyStorageFile],
    durable: [String: FaultyStorageFile], changes: [NameChange]
  ) {
    self.clock = clock
    self.names = names
    durableNames = durable
    self.changes = changes
  }

  /// The current folder is the root, and no path here contains `..`: normalizing paths took half of a test's time.
  private static func key(_ path: FilePath) -> String {
    let string = path.string
    return string.utf8.first == UInt8(ascii: "/") ? string : "/" + string
  }

  // MARK: StorageVolume

  package func open(
    _ path: FilePath, _ opening: FileOpening
  ) throws(SystemError) -> any StorageFile {
    let key = Self.key(path)
    if let file = mutex.withLock({ names[key] }) {
      if opening == .new { throw SystemError(code: EEXIST, call: "open", path: path.string) }
      return try handle(file, path)
    }
    if opening == .existing || opening == .readOnly {
      throw SystemError(code: ENOENT, call: "open", path: path.string)
    }
    try begin(.create, path)
    let access = opening == .new ? FaultyStorageFile.privateAccess : FaultyStorageFile.usualAccess
    let file = FaultyStorageFile(access: access, clock: clock)
    mutex.withLock { change([(key, file)]) }
    return try handle(file, path)
  }

  private func handle(
    _ file: FaultyStorageFile, _ path: FilePath
  ) throws(SystemError) -> any StorageFile {
    guard mutex.withLock({ open.insert(ObjectIdentifier(file)).inserted }) else {
      throw SystemError(code: EAGAIN, call: "flock", path: path.string)
    }
    return FaultyHandle(file, path, self)
  }

  fileprivate func close(_ file: FaultyStorageFile) {
    mutex.withLock { _ = open.remove(ObjectIdentifier(file)) }
  }

  package func exists(_ path: FilePath) -> Bool {
    mutex.withLock { names[Self.key(path)] != nil }
  }

  package func removeFile(_ path: FilePath) throws(SystemError) {
    guard exists(path) else { return }
    try begin(.remove, path)
    mutex.withLock { change([(Self.key(path), nil)]) }
  }

  package func rename(_ source: FilePath, to target: FilePath) throws(SystemError) {
    guard let file = mutex.withLock({ names[Self.key(source)] }) else {
      throw SystemError(code: ENOENT, call: "rename", path: source.string)
    }
    try begin(.rename, target)
    mutex.withLock { change([(Self.key(source), nil), (Self.key(target), file)]) }
  }

  /// There is one journal for all names: the sync of any folder makes all of them durable.
  package func syncFolder(_ folder: FilePath) throws(SystemError) {
    do throws(SystemError) { try begin(.syncFolder, folder) } catch {
      mutex.withLock { hasFailedSync = true }
      throw error
    }
    mutex.withLock {
      if hasFailedSync { return }
      durableNames = names
      changes = []
    }
  }

  package func freeBytes(at path: FilePath) throws(SystemError) -> Int {
    guard let room else { return 1 << 40 }
    return max(0, room - mutex.withLock { names.values.reduce(0) { $0 + $1.size } })
  }

  package func resolved(_ path: FilePath) throws(SystemError) -> FilePath {
    guard exists(path) else {
      throw SystemError(code: ENOENT, call: "realpath", path: path.string)
    }
    return FilePath(Self.key(path))
  }

  /// Called under the mutex.
  private func change(_ entries: [(name: String, file: FaultyStorageFile?)]) {
    for (name, file) in entries { names[name] = file }
    changes.append(NameChange(order: clock.tick(), entries: entries))
  }

  // MARK: Faults

  /// Lets one operation fail with this `errno`: the `occurrence`-th from now on, counted from 1.
  package func fail(_ operation: Operation, occurrence: Int = 1, code: Int32) {
    mutex.withLock {
      failures[operation, default: [:]][(calls[operation] ?? 0) + occurrence] = code
    }
  }

  /// How often this was done, or tried, so far.
  package func count(of operation: Operation) -> Int { mutex.withLock { calls[operation] ?? 0 } }

  fileprivate func failure(of operation: Operation, _ path: FilePath) -> Int32? {
    beforeOperation?(self, operation, path)
    return mutex.withLock {
      calls[operation, default: 0] += 1
      return failures[operation]?.removeValue(forKey: calls[operation]!)
    }
  }

  private func begin(_ operation: Operation, _ path: FilePath) throws(SystemError) {
    guard let code = failure(of: operation, path) else { return }
    throw SystemError(code: code, call: "\(operation)", path: path.string)
  }

  fileprivate func limit(for file: FaultyStorageFile) -> Int? {
    guard let room else { return nil }
    return mutex.withLock {
      room - names.values.reduce(0) { $0 + ($1 === file ? 0 : $1.size) }
    }
  }

  // MARK: What is there

  /// The file of this name, as programs see it now.
  package func file(_ path: FilePath) -> FaultyStorageFile? {
    mutex.withLock { names[Self.key(path)] }
  }

  /// All names, sorted.
  package var fileNames: [String] { mutex.withLock { names.keys.sorted() } }

  /// All that a power cut may leave now.
  package func crashStates() -> VolumeCrashStates {
    mutex.withLock { VolumeCrashStates(names: durableNames, changes: changes) }
  }

  /// The volume as a killed process leaves it: the kernel has every change, durable or not; nothing is open.
  package func afterKill() -> FaultyVolume {
    mutex.withLock {
      let clock = DiskClock(after: clock)
      var copies: [ObjectIdentifier: FaultyStorageFile] = [:]
      func copy(_ file: FaultyStorageFile) -> FaultyStorageFile {
        if let copy = copies[ObjectIdentifier(file)] { return copy }
        let copy = file.afterKill(keepingChanges: file.pendingChanges, clock: clock)
        copies[ObjectIdentifier(file)] = copy
        return copy
      }
      return FaultyVolume(
        clock: clock, names: names.mapValues(copy), durable: durableNames.mapValues(copy),
        changes: changes.map { change in
          NameChange(
            order: change.order, entries: change.entries.map { ($0.name, $0.file.map(copy)) })
        })
    }
  }
}

/// Numbers the changes of a volume in the order in which they were made.
package final class DiskClock: Sendable {
  private let mutex = ThreadMutex()
  private nonisolated(unsafe) var now = 0

  package init() {}

  init(after other: DiskClock) { now = other.mutex.withLock { other.now } }

  func tick() -> Int {
    mutex.withLock {
      now += 1
      return now
    }
  }
}

/// One opening of a file: holds its lock, and lets the volume have a say in every call.
private final class FaultyHandle: StorageFile, @unchecked Sendable {
  private let file: FaultyStorageFile
  private let path: FilePath
  private let volume: FaultyVolume
  private let writtenBefore: Int
  private let syncsBefore: Int

  init(_ file: FaultyStorageFile, _ path: FilePath, _ volume: FaultyVolume) {
    self.file = file
    self.path = path
    self.volume = volume
    writtenBefore = file.bytesWritten
    syncsBefore = file.syncCount
  }

  deinit { volume.close(file) }

  var size: Int { file.size }
  var base: UnsafeRawPointer { file.base }
  var bytesWritten: Int { file.bytesWritten - writtenBefore }
  var syncCount: Int { file.syncCount - syncsBefore }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    try write([bytes], at: offset)
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    if let code = volume.failure(of: .write, path) { file.fail(.write, code: code) }
    file.sizeLimit = volume.limit(for: file)
    try file.write(pieces, at: offset)
  }

  func resize(to size: Int) throws(SystemError) {
    if let code = volume.failure(of: .resize, path) { file.fail(.resize, code: code) }
    file.sizeLimit = volume.limit(for: file)
    try file.resize(to: size)
  }

  func inheritAccess(of original: FilePath, as role: AccessRole) throws(SystemError) {
    if let code = volume.failure(of: .inheritAccess, path) {
      throw SystemError(code: code, call: "fchown", path: path.string)
    }
    guard let original = volume.file(original) else {
      throw SystemError(code: ENOENT, call: "stat", path: original.string)
    }
    file.inheritAccess(of: original, as: role)
  }

  func sync() throws(SystemError) {
    if let code = volume.failure(of: .sync, path) { file.fail(.sync, code: code) }
    try file.sync()
  }
}
