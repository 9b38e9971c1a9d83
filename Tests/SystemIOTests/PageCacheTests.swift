// The page cache of a file: read pages are in it, and dropped ones are not, unless the file system is in memory.
import SystemIO
import TestSupport
import Testing

@Suite("The page cache of a file")
struct PageCacheTests {
  @Test("a written file is in memory, and a dropped one is not on a disk")
  func drop() throws {
    let folder = try FileSystem.makeTemporaryFolder(prefix: "page-cache")
    defer { try? FileSystem.removeTree(folder) }
    let file = folder.appending("data")
    try FileSystem.write([UInt8](repeating: 7, count: 1 << 20), to: file)
    #expect(try PageCache.residentBytes(of: file) == 1 << 20)
    #if os(Linux)
      try PageCache.drop(file)
      let left = try PageCache.residentBytes(of: file)
      switch try FileSystem.typeName(at: folder) {
      // The cache is all there is of it.
      case "tmpfs", "ramfs": #expect(left == 1 << 20)
      case "ext4", "xfs", "btrfs": #expect(left == 0)
      default: #expect(left <= 1 << 20)
      }
    #endif
    #expect(try FileSystem.read(file) == [UInt8](repeating: 7, count: 1 << 20))
  }

  @Test("a file that was loaded is in the cache, and a missing one is an error") func load() throws
  {
    let folder = try FileSystem.makeTemporaryFolder(prefix: "page-cache")
    defer { try? FileSystem.removeTree(folder) }
    let file = folder.appending("rows")
    let bytes = [UInt8](repeating: 7, count: 3 << 20)
    try FileSystem.write(bytes, to: file)
    try FileSystem.syncFile(file)
    #if os(Linux)
      try PageCache.drop(file)
    #endif
    try PageCache.load(file)
    #expect(try PageCache.residentBytes(of: file) == bytes.count)
    #expect(throws: SystemError.self) { try PageCache.load(folder.appending("missing")) }
  }

  @Test("an empty file has nothing in memory, and a missing one is an error with its path")
  func edges() throws {
    let folder = try FileSystem.makeTemporaryFolder(prefix: "page-cache")
    defer { try? FileSystem.removeTree(folder) }
    let file = folder.appending("data")
    try FileSystem.write([], to: file)
    #expect(try PageCache.residentBytes(of: file) == 0)
    let missing = folder.appending("missing")
    #expect(throws: SystemError.self) { try PageCache.residentBytes(of: missing) }
  }
}
