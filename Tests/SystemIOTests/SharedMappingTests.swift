import SystemIO
import TestSupport
import Testing

@Suite("The mapping that shared openings of a file have in common")
struct SharedMappingTests {
  private func open(
    _ path: FilePath, _ opening: FileOpening = .existing
  ) throws -> SystemStorageFile {
    try SystemStorageFile(path: path, opening, isShared: true)
  }

  private func write(_ file: SystemStorageFile, _ byte: UInt8, _ range: Range<Int>) throws {
    try [UInt8](repeating: byte, count: range.count).withUnsafeBytes {
      try file.write($0, at: range.lowerBound)
    }
  }

  private func byte(_ file: SystemStorageFile, at offset: Int) -> UInt8 {
    file.base.load(fromByteOffset: offset, as: UInt8.self)
  }

  #if os(Linux)
    /// Returns the number of this process's mappings of the file.
    private func mappings(of path: FilePath) throws -> Int {
      try FileSystem.readText("/proc/self/maps").split(separator: "\n")
        .count { $0.hasSuffix(path.string) }
    }

    @Test("there is one however many openings there are, until the last is closed")
    func lifetime() throws {
      try withTemporaryFolder { folder in
        let path = folder.appending("data")
        var files = [try open(path, .new)]
        try files[0].resize(to: 20_000)
        try write(files[0], 1, 0..<20_000)
        for _ in 0..<3 { files.append(try open(path)) }
        #expect(files.allSatisfy { $0.base == files[0].base })
        #expect(try mappings(of: path) == 1)
        for file in files { file.expectFewSyncs() }
        try write(files[1], 2, 0..<20_000)
        try write(files[1], 3, 5000..<6000)
        try write(files[2], 4, 7000..<8000)
        // Where bytes can be stored there is one for that too.
        let isStored = ["ext4", "tmpfs"].contains(try FileSystem.typeName(at: path))
        #expect(try mappings(of: path) == (isStored ? 2 : 1))
        files.removeFirst()
        #expect(byte(files[0], at: 4999) == 2)
        #expect(byte(files[1], at: 5000) == 3)
        #expect(byte(files[2], at: 7999) == 4)
        files.removeAll()
        #expect(try mappings(of: path) == 0)
      }
    }
  #endif

  @Test("a limit of one opening leaves the addresses of the others as they are")
  func limits() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("data")
      let (first, second) = (try open(path, .new), try open(path))
      first.limitCapacity(to: 1 << 17)
      #expect(first.capacity == 1 << 17)
      let error = try #require(throws: SystemError.self) { try first.resize(to: (1 << 17) + 1) }
      #expect(error.code == SystemError.noMemory)
      try second.resize(to: 1 << 20)
      try write(second, 7, 0..<1 << 20)
      #expect(byte(second, at: (1 << 20) - 1) == 7)
      #expect(byte(first, at: (1 << 17) - 1) == 7)
    }
  }

  @Test("one in which the file could not double is not shared")
  func tooShort() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("data")
      let first = try open(path, .new)
      first.limitCapacity(to: 1 << 17)
      let second = try open(path)
      #expect(first.base != second.base)
      #expect(second.capacity > 1 << 20)
      let third = try open(path)
      #expect(third.base == second.base)
    }
  }

  @Test("an opening for reading, and the file that replaces another, have their own")
  func separate() throws {
    try withTemporaryFolder { folder in
      let (path, other) = (folder.appending("data"), folder.appending("other"))
      let first = try open(path, .new)
      try first.resize(to: 100)
      try write(first, 1, 0..<100)
      let reader = try open(path, .readOnly)
      #expect(reader.base != first.base)
      #expect(byte(reader, at: 99) == 1)
      let copy = try open(other, .new)
      try copy.resize(to: 100)
      try write(copy, 2, 0..<100)
      try FileSystem.rename(other, to: path)
      let second = try open(path)
      #expect(second.base == copy.base && second.base != first.base)
      #expect(byte(first, at: 99) == 1)
      #expect(byte(second, at: 99) == 2)
    }
  }

  @Test("threads that open and close a file read what it has")
  func threads() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("data")
      let file = try open(path, .new)
      try file.resize(to: 1 << 16)
      try write(file, 9, 0..<1 << 16)
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask {
            (0..<200).count { _ in (try? open(path)).map { byte($0, at: 60_000) } == 9 }
          }
        }
        for await count in group { #expect(count == 200) }
      }
    }
  }
}
