import SystemIO
import TestSupport
import Testing

@Suite("The mapping of a storage file")
struct MappingTests {
  private func write(_ file: SystemStorageFile, _ byte: UInt8, _ range: Range<Int>) throws {
    try [UInt8](repeating: byte, count: range.count).withUnsafeBytes {
      try file.write($0, at: range.lowerBound)
    }
  }

  @Test("what was cut off reads as zeros, and as the file again once the file has grown over it")
  func cut() throws {
    try withTemporaryFolder { folder in
      let file = try SystemStorageFile(path: folder.appending("data"), .new)
      try file.resize(to: 1 << 16)
      try write(file, 7, 0..<1 << 16)
      try file.resize(to: 40_960)
      try file.resize(to: 10_000)
      #expect(file.base.load(fromByteOffset: 9_999, as: UInt8.self) == 7)
      for place in [10_000, 12_288, 40_959, 40_960, 65_535] {
        #expect(file.base.load(fromByteOffset: place, as: UInt8.self) == 0, "at \(place)")
      }
      try file.resize(to: 20_000)
      try write(file, 8, 10_000..<20_000)
      #expect(file.base.load(fromByteOffset: 19_999, as: UInt8.self) == 8)
      #expect(file.base.load(fromByteOffset: 50_000, as: UInt8.self) == 0)
      try file.resize(to: 1 << 18)
      try write(file, 9, 20_000..<1 << 18)
      for place in [20_000, 40_960, 65_535, 65_536, (1 << 18) - 1] {
        #expect(file.base.load(fromByteOffset: place, as: UInt8.self) == 9, "at \(place)")
      }
    }
  }

  @Test(
    "growth past the mapped addresses is refused and changes nothing; within them the address stays"
  )
  func growth() throws {
    try withTemporaryFolder { folder in
      let file = try SystemStorageFile(path: folder.appending("data"), .new)
      file.limitCapacity(to: 1 << 17)
      let base = file.base
      try file.resize(to: 1 << 16)
      try write(file, 1, 0..<1 << 16)
      let error = try #require(throws: SystemError.self) { try file.resize(to: (1 << 17) + 1) }
      #expect(error.code == SystemError.noMemory)
      #expect(try file.size == 1 << 16)
      try file.resize(to: 1 << 17)
      try write(file, 2, 1 << 16..<1 << 17)
      #expect(file.base == base)
      #expect(file.base.load(fromByteOffset: (1 << 17) - 1, as: UInt8.self) == 2)
      #expect(file.base.load(fromByteOffset: 5, as: UInt8.self) == 1)
    }
  }

  @Test(
    "what is stored for a file of few syncs is in the file, through growth, cuts and another opening"
  )
  func stores() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("data")
      let file = try SystemStorageFile(path: path, .new)
      try file.resize(to: 20_000)
      let before = ProcessMetrics.writing()?.requestedBytes
      file.expectFewSyncs()
      try write(file, 1, 0..<20_000)
      // Behind the end nothing can be stored: the system takes it, and the file is longer.
      try write(file, 2, 19_000..<30_000)
      #expect(try file.size == 30_000)
      try file.resize(to: 40_000)
      let pieces: [[UInt8]] = [.init(repeating: 3, count: 5000), .init(repeating: 4, count: 5000)]
      try pieces[0].withUnsafeBytes { first in
        try pieces[1].withUnsafeBytes { try file.write([first, $0], at: 30_000) }
      }
      // What is cut off is not stored into any more, and comes back as zeros.
      try file.resize(to: 39_000)
      try write(file, 5, 38_000..<41_000)
      try file.resize(to: 35_500)
      try file.resize(to: 45_000)
      var expected = [UInt8](repeating: 1, count: 19_000)
      for (byte, count) in [(2, 11_000), (3, 5000), (4, 500), (0, 9500)] as [(UInt8, Int)] {
        expected += [UInt8](repeating: byte, count: count)
      }
      #expect(try FileSystem.read(path) == expected)
      #expect(Array(UnsafeRawBufferPointer(start: file.base, count: 45_000)) == expected)
      #expect(file.bytesWritten == 44_000)
      // The process's own counters include them. (Other tests write beside this one.)
      if let before, let after = ProcessMetrics.writing()?.requestedBytes {
        #expect(after - before >= 44_000)
      }
      try file.sync()
    }
  }

  @Test("bytes written past the cache are what the mapping shows, wherever they begin and end")
  func aside() throws {
    try withTemporaryFolder { folder in
      let file = try SystemStorageFile(path: folder.appending("data"), .new)
      try file.resize(to: 1 << 16)
      try write(file, 1, 0..<1 << 16)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 4096)
      defer { memory.deallocate() }
      memory.initializeMemory(as: UInt8.self, repeating: 2)
      // Whole blocks; parts of blocks at both ends; less than a block; in memory another part of a block than in the file.
      for (from, count, place) in [
        (0, 8192, 4096), (1000, 12_000, 17_384), (3, 50, 40_963), (7, 9000, 45_000),
      ] {
        let before = file.bytesWritten
        try file.writeDirect(
          UnsafeRawBufferPointer(rebasing: memory[from..<from + count]), at: place)
        #expect(file.bytesWritten == before + count)
        for (offset, byte) in [(-1, 1), (0, 2), (count / 2, 2), (count - 1, 2), (count, 1)] {
          let found = file.base.load(fromByteOffset: place + offset, as: UInt8.self)
          #expect(found == byte, "\(offset) bytes behind \(place)")
        }
      }
    }
  }

  @Test("a page that is written again is stored into, and counts as written")
  func storedAgain() throws {
    try withTemporaryFolder { folder in
      let file = try SystemStorageFile(path: folder.appending("data"), .new)
      try file.resize(to: 1 << 16)
      file.expectFewSyncs()
      for byte in UInt8(1)...3 {
        let before = ProcessMetrics.writing()?.requestedBytes
        try write(file, byte, 5000..<15_000)
        #expect(file.bytesWritten == Int(byte) * 10_000)
        if let before, let after = ProcessMetrics.writing()?.requestedBytes {
          #expect(after >= before + 10_000)
        }
        for place in [5000, 14_999] {
          #expect(file.base.load(fromByteOffset: place, as: UInt8.self) == byte)
        }
      }
    }
  }

  @Test("a file with holes is not stored into: there may be no block for the page")
  func holes() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("data")
      let file = try SystemStorageFile(path: path, .new)
      try write(file, 1, 1 << 24..<1 << 24 + 1)
      file.expectFewSyncs()
      try write(file, 2, 4096..<8192)
      let size = try FileSystem.size(of: path)
      #expect(size.bytes == 1 << 24 + 1)
      #expect(size.allocatedBytes < 1 << 20)
    }
  }
}
