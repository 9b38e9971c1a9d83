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
}
