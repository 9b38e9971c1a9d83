// Files that are appended to, and the lines of files.
import TestSupport
import Testing

@testable import SystemIO

@Suite("Files that are appended to")
struct AppendedFileTests {
  @Test("each append is at the end, also after a cut, and the file is there for the next opening")
  func appends() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("file")
      do {
        let file = try #require(try AppendedFile(path))
        try file.append(Array("one\n".utf8))
        try file.append(Array("two\n".utf8))
        try file.cut(to: 4)
        #expect(file.size == 4)
      }
      let file = try #require(try AppendedFile(path))
      #expect(file.size == 4)
      try file.append(Array("three\n".utf8))
      #expect(try FileSystem.readText(path) == "one\nthree\n")
    }
  }

  @Test("a second opening is refused while the first lives; a removed file is made anew")
  func excludes() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("file")
      let first = try #require(try AppendedFile(path))
      try first.append([1])
      #expect(try AppendedFile(path) == nil)
      try first.remove()
      let second = try #require(try AppendedFile(path))
      #expect(second.size == 0)
    }
  }

  @Test("what is no regular file is refused")
  func refuses() throws {
    try withTemporaryFolder { folder in
      #expect(throws: SystemError.self) { _ = try AppendedFile(folder) }
      #expect(throws: SystemError.self) { _ = try AppendedFile("/dev/null") }
    }
  }

  @Test(
    "the lines of a file are read whole, whatever its size, with their offsets",
    arguments: [0, 1, 100, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
  func lines(length: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("file")
      let long = [UInt8](repeating: 120, count: length)
      let newline = [UInt8(ascii: "\n")]
      try FileSystem.write(long + newline + newline + long, to: path)
      var lines = try FileLines(path)
      let first = try #require(try lines.next())
      #expect(first.bytes == long && first.isComplete && first.offset == 0)
      let second = try #require(try lines.next())
      #expect(second.bytes.isEmpty && second.isComplete && second.offset == length + 1)
      let third = try lines.next()
      #expect(third?.bytes == (length == 0 ? nil : long))
      #expect(third?.isComplete != true)
      #expect(try lines.next() == nil)
    }
  }
}
