// What a commit adds to the file: whether the file system counts its blocks as written, which decides what syncs wait for.
#if canImport(Glibc)
  import Glibc
  import SystemIO
  import TestSupport
  import Testing

  @testable import StorageEngine

  /// Whether the temporary folder lies on a file system that keeps reserved blocks apart from written ones.
  private let keepsReservedBlocksApart: Bool = {
    guard let bench = try? Workbench(), let type = try? FileSystem.typeName(at: bench.folder) else {
      return false
    }
    return SystemStorageFile.initializingFileSystems.contains(type)
  }()

  @Suite("Initialized blocks", .enabled(if: keepsReservedBlocksApart))
  struct InitializedBlocksTests {
    /// Returns whether the file's last page counts as written (ioctl_fiemap(2)).
    private func isLastPageWritten(_ path: FilePath) throws -> Bool {
      let descriptor = Glibc.open(path.string, O_RDONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let size = lseek(descriptor, 0, SEEK_END)
      let (headerSize, extentSize) = (32, 56)
      let request = UnsafeMutableRawPointer.allocate(
        byteCount: headerSize + extentSize, alignment: 8)
      defer { request.deallocate() }
      request.initializeMemory(as: UInt8.self, repeating: 0, count: headerSize + extentSize)
      request.storeBytes(of: UInt64(size - 4096), as: UInt64.self)
      request.storeBytes(of: 4096, toByteOffset: 8, as: UInt64.self)
      // FIEMAP_FLAG_SYNC, and space for one extent.
      request.storeBytes(of: 1, toByteOffset: 16, as: UInt32.self)
      request.storeBytes(of: 1, toByteOffset: 24, as: UInt32.self)
      let (getExtents, unwritten) = (UInt(0xC020_660B), UInt32(0x800))
      try #require(ioctl(descriptor, getExtents, request) == 0)
      try #require(request.load(fromByteOffset: 20, as: UInt32.self) == 1)
      let flags = request.load(fromByteOffset: headerSize + 40, as: UInt32.self)
      return flags & unwritten == 0
    }

    /// Returns whether the blocks are written that a file grew by in a commit of so many rows of 1,000 bytes.
    private func growth(by rows: Int64, _ durability: DatabaseOptions.Durability) throws -> Bool {
      let bench = try Workbench()
      let options = DatabaseOptions(durability: durability, growthStep: 1 << 20)
      let database = try bench.open("data", options)
      var next: Int64 = 0
      func commit(_ count: Int64) throws {
        try database.write { transaction, table in
          for key in next..<next + count {
            try transaction.put(table, key, row(key, 0, count: 1000))
          }
        }
        next += count
      }
      try commit(3000)
      let loaded = try FileSystem.size(of: bench.path()).bytes
      while try FileSystem.size(of: bench.path()).bytes == loaded { try commit(rows) }
      let isWritten = try isLastPageWritten(bench.path())
      try database.close()
      let reopened = try bench.open("data", options)
      try reopened.checkedAudit()
      return isWritten
    }

    @Test("what small durable commits will fill is written with zeros when the file grows")
    func small() throws {
      #expect(try growth(by: 20, .full))
    }

    @Test("what a commit fills itself, and what is not synced, is not written twice")
    func others() throws {
      #expect(try !growth(by: 500, .full))
      #expect(try !growth(by: 20, .none))
    }
  }
#endif
