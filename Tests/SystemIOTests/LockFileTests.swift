import SystemIO
import TestSupport
import Testing

@Suite("Lock files")
struct LockFileTests {
  @Test("a lock file that grows has its space on disk before anything is stored in it")
  func reservedSpace() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("lock")
      let lock = try LockFile(path, capacity: 1 << 20)
      try lock.reset(to: 12288)
      try FileSystem.syncFile(path)
      #expect(try FileSystem.size(of: path).allocatedBytes >= 12288)
      try lock.grow(to: 40960)
      try FileSystem.syncFile(path)
      #expect(try FileSystem.size(of: path).allocatedBytes >= 40960)
      try lock.grow(to: 8192)
      #expect(try lock.size == 40960)
    }
  }

  @Test("what one opening stores another one reads, until the file is reset")
  func reset() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("lock")
      let lock = try LockFile(path, capacity: 1 << 16)
      try lock.reset(to: 8192)
      lock.base.atomicStore(7, 4096)
      let other = try LockFile(path, capacity: 1 << 16)
      #expect(other.base.atomicLoad(4096) == 7)
      try lock.reset(to: 8192)
      #expect(other.base.atomicLoad(4096) == 0)
      withExtendedLifetime((lock, other)) {}
    }
  }

  @Test(
    "where the disk is full, a lock file does not grow, and keeps its length and its content",
    .enabled("a small file system can be mounted", SmallFileSystem.isAvailable))
  func fullDisk() async throws {
    try await withTemporaryFolder { folder in
      try await SmallFileSystem.with(size: "64k", at: folder) {
        let lock = try LockFile(folder.appending("lock"), capacity: 1 << 20)
        try lock.reset(to: 12288)
        lock.base.atomicStore(7, 8192)
        let error = #expect(throws: SystemError.self) { try lock.grow(to: 1 << 20) }
        #expect(error?.isOutOfSpace == true, "\(String(describing: error))")
        #expect(try lock.size == 12288)
        #expect(lock.base.atomicLoad(8192) == 7)
        try lock.grow(to: 16384)
        lock.base.atomicStore(8, 12288)
        #expect(lock.base.atomicLoad(12288) == 8)
        withExtendedLifetime(lock) {}
      }
    }
  }
}
