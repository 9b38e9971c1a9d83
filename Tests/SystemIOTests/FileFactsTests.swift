// The facts of a file without its times are equal to those that the C library returns with them.
import Testing

@testable import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Facts of files")
struct FileFactsTests {
  private let folder: FilePath

  init() throws {
    folder = try FileSystem.makeTemporaryFolder(prefix: "facts")
  }

  @Test("A file with a hole has the identity, length and blocks that stat finds")
  func sameAsStat() throws {
    defer { try? FileSystem.removeTree(folder) }
    let path = folder.appending("sparse")
    let descriptor = open(path.string, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    #expect(pwrite(descriptor, [UInt8](repeating: 1, count: 5000), 5000, 1 << 20) == 5000)
    #expect(fsync(descriptor) == 0)
    var expected = stat()
    #expect(fstat(descriptor, &expected) == 0)
    for facts in [try FileFacts(of: path), try FileFacts(ofOpen: descriptor, path)] {
      #expect(facts.device == UInt64(truncatingIfNeeded: expected.st_dev))
      #expect(facts.node == UInt64(expected.st_ino))
      #expect(facts.size.bytes == (1 << 20) + 5000)
      #expect(facts.size.allocatedBytes == 512 * Int(expected.st_blocks))
      #expect(facts.size.allocatedBytes < facts.size.bytes)
    }
  }

  @Test("A link leads to the file, and a missing file is an error with its path")
  func links() throws {
    defer { try? FileSystem.removeTree(folder) }
    let (path, link) = (folder.appending("file"), folder.appending("link"))
    try FileSystem.write([UInt8](repeating: 1, count: 10), to: path)
    #expect(symlink(path.string, link.string) == 0)
    #expect(try FileFacts(of: link).node == FileFacts(of: path).node)
    let error = #expect(throws: SystemError.self) { try FileFacts(of: folder.appending("none")) }
    #expect(error?.isNotFound == true)
    #expect(error?.path == folder.appending("none").string)
  }
}
