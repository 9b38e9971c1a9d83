// The operating system's files, with a process that dies at a chosen operation on one of them, so that a writer can be
// killed between any two steps of a commit while other processes have the database open.
import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files of the system that count the operations on them once armed.
final class DyingVolume: SharingVolume {
  private let system = SystemVolume()
  let fuse = Fuse()

  func openShared(
    _ path: FilePath, _ opening: FileOpening
  ) throws(SystemError) -> any SharedStorageFile {
    DyingFile(try SystemStorageFile(path: path, opening, isShared: true), fuse)
  }

  func open(_ path: FilePath, _ opening: FileOpening) throws(SystemError) -> any StorageFile {
    try system.open(path, opening)
  }
  func exists(_ path: FilePath) -> Bool { system.exists(path) }
  func removeFile(_ path: FilePath) throws(SystemError) { try system.removeFile(path) }
  func rename(_ source: FilePath, to target: FilePath) throws(SystemError) {
    try system.rename(source, to: target)
  }
  func syncFolder(_ folder: FilePath) throws(SystemError) { try system.syncFolder(folder) }
  func freeBytes(at path: FilePath) throws(SystemError) -> Int { try system.freeBytes(at: path) }
  func resolved(_ path: FilePath) throws(SystemError) -> FilePath { try system.resolved(path) }
}

/// Counts down the operations; the process dies before the one at zero, as by `kill -9`.
final class Fuse: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var left: Int?

  func arm(_ operations: Int) { mutex.withLock { left = operations } }
  func disarm() { mutex.withLock { left = nil } }

  func burn() {
    mutex.withLock {
      guard let rest = left else { return }
      if rest == 0 { kill(getpid(), SIGKILL) }
      left = rest - 1
    }
  }
}

private final class DyingFile: SharedStorageFile {
  private let file: SystemStorageFile
  private let fuse: Fuse

  init(_ file: SystemStorageFile, _ fuse: Fuse) {
    self.file = file
    self.fuse = fuse
  }

  var identity: FileIdentity { get throws(SystemError) { try file.identity } }
  func bind(toLockFile lock: FileIdentity) throws(SystemError) -> Bool {
    try file.bind(toLockFile: lock)
  }
  func unbind() { file.unbind() }
  var capacity: Int { file.capacity }
  func limitCapacity(to bytes: Int) { file.limitCapacity(to: bytes) }
  var size: Int { get throws(SystemError) { try file.size } }
  var base: UnsafeRawPointer { file.base }
  var bytesWritten: Int { file.bytesWritten }
  var syncCount: Int { file.syncCount }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    fuse.burn()
    try file.write(bytes, at: offset)
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    fuse.burn()
    try file.write(pieces, at: offset)
  }

  func resize(to size: Int) throws(SystemError) {
    fuse.burn()
    try file.resize(to: size)
  }

  func inheritAccess(of original: FilePath, as role: AccessRole) throws(SystemError) {
    fuse.burn()
    try file.inheritAccess(of: original, as: role)
  }

  func sync() throws(SystemError) {
    fuse.burn()
    try file.sync()
    // Also after the last operation: the commit is durable, and not acknowledged yet.
    fuse.burn()
  }
}
