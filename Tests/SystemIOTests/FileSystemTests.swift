import SystemIO
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Files and folders by path")
struct FileSystemTests {
  @Test("what was written is read back, an older file is replaced, and no draft stays behind")
  func contents() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("data")
      try FileSystem.write(text: "first, and longer", to: path)
      try FileSystem.write([1, 2, 0, 255], to: path)
      #expect(try FileSystem.read(path) == [1, 2, 0, 255])
      #expect(try FileSystem.list(folder) == ["data"])
    }
  }

  @Test("the folder of a bare name is the current one, and can be synced")
  func bareName() throws {
    try FileSystem.syncFolder(FilePath("data").removingLastComponent())
  }

  @Test("a storage file whose name is not UTF-8 is opened and locked under that very name")
  func strangeName() throws {
    try withTemporaryFolder { folder in
      var name = Array(folder.string.utf8CString.dropLast()) + [47, 100, -1, -2, 0]
      let path = name.withUnsafeMutableBufferPointer { FilePath(platformString: $0.baseAddress!) }
      let file = try SystemStorageFile(path: path, .new)
      try file.resize(to: 4096)
      #expect(try file.size == 4096)
      let second = try #require(throws: SystemError.self) {
        try SystemStorageFile(path: path, .existing)
      }
      #expect(second.isLocked)
    }
  }

  @Test(
    "what is written to a pipe goes through it, and the pipe stays; without a reader it is an error"
  )
  func pipe() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("pipe")
      try #require(mkfifo(path.string, 0o600) == 0)
      #expect(throws: SystemError.self) { try FileSystem.write(text: "lost", to: path) }
      let reader = open(path.string, O_RDONLY | O_NONBLOCK)
      try #require(reader >= 0)
      defer { close(reader) }
      try FileSystem.write(text: "through", to: path)
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = read(reader, &bytes, 100)
      #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "through")
      #expect(try FileSystem.list(folder) == ["pipe"])
      try FileSystem.write(text: "gone", to: "/dev/null")
      var facts = stat()
      #expect(stat("/dev/null", &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR)
    }
  }

  @Test("a failed write says which path, and leaves the file and the folder as they were")
  func failedWrite() throws {
    try withTemporaryFolder { folder in
      let target = folder.appending("taken")
      try FileSystem.makeFolders(target.appending("inside"))
      let error = try #require(throws: SystemError.self) {
        try FileSystem.write(text: "x", to: target)
      }
      #expect(error.path == target.string)
      #expect(error.call == "rename")
      #expect(try FileSystem.list(folder) == ["taken"])
    }
  }

  @Test("an error while the draft is written has the name of the file, not the draft's")
  func failedDraft() throws {
    try withTemporaryFolder { folder in
      let target = folder.appending("missing/data")
      let error = try #require(throws: SystemError.self) {
        try FileSystem.write(text: "x", to: target)
      }
      #expect(error.path == target.string && error.call == "open")
    }
  }

  @Test("a link that waits where the draft will be is not written through")
  func waitingLink() throws {
    try withTemporaryFolder { folder in
      let outside = folder.appending("outside")
      try FileSystem.write(text: "precious", to: outside)
      let inside = folder.appending("inside")
      try FileSystem.makeFolders(inside)
      try makeLink(to: outside, at: inside.appending(".data.\(ProcessFacts.currentID).draft"))
      try FileSystem.write(text: "new", to: inside.appending("data"))
      #expect(try FileSystem.readText(outside) == "precious")
      #expect(try FileSystem.readText(inside.appending("data")) == "new")
      #expect(try FileSystem.list(inside) == ["data"])
    }
  }

  @Test("a path that is too long leaves no folder behind, and none that was there is lost")
  func longPath() throws {
    try withTemporaryFolder { folder in
      try FileSystem.makeFolders(folder.appending("kept/empty"))
      let deep = folder.appending("kept/" + String(repeating: "y/", count: 2500))
      let error = try #require(throws: SystemError.self) { try FileSystem.makeFolders(deep) }
      #expect(error.code == ENAMETOOLONG)
      #expect(try FileSystem.list(folder.appending("kept")) == ["empty"])
    }
  }

  @Test("folders are made with those above, and a tree is removed without following links")
  func trees() throws {
    try withTemporaryFolder { folder in
      let deep = folder.appending("a").appending("b").appending("c")
      try FileSystem.makeFolders(deep)
      try FileSystem.makeFolders(deep)
      #expect(FileSystem.isFolder(deep))
      let kept = folder.appending("kept")
      try FileSystem.makeFolders(kept)
      try FileSystem.write(text: "precious", to: kept.appending("file"))
      try makeLink(to: kept, at: deep.appending("link"))
      try FileSystem.removeTree(folder.appending("a"))
      try FileSystem.removeTree(folder.appending("a"))
      #expect(!FileSystem.exists(folder.appending("a")))
      #expect(try FileSystem.readText(kept.appending("file")) == "precious")
    }
  }

  @Test("a folder where a file is in the way is refused with EEXIST")
  func folderInTheWay() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("file")
      try FileSystem.write(text: "x", to: path)
      let error = try #require(throws: SystemError.self) { try FileSystem.makeFolders(path) }
      #expect(error.call == "mkdir" && error.path == path.string)
    }
  }

  @Test("sizes add up, a missing file counts nothing in a set and is an error alone")
  func sizes() throws {
    try withTemporaryFolder { folder in
      let one = folder.appending("one")
      let two = folder.appending("two")
      try FileSystem.write([UInt8](repeating: 7, count: 5000), to: one)
      try FileSystem.write([UInt8](repeating: 7, count: 3), to: two)
      let missing = folder.appending("missing")
      let together = try FileSystem.size(of: [one, missing, two])
      #expect(together.bytes == 5003)
      let parts = try FileSystem.size(of: one) + FileSystem.size(of: two)
      #expect(together == parts)
      #expect(parts.allocatedBytes >= 5003 || parts.allocatedBytes == 0)
      let error = try #require(throws: SystemError.self) { try FileSystem.size(of: missing) }
      #expect(error.isNotFound)
      #expect(error.description.hasPrefix(missing.string + ": stat: "))
    }
  }

  @Test("a renamed file replaces the one that had the name")
  func renaming() throws {
    try withTemporaryFolder { folder in
      try FileSystem.write(text: "new", to: folder.appending("new"))
      try FileSystem.write(text: "old", to: folder.appending("old"))
      try FileSystem.rename(folder.appending("new"), to: folder.appending("old"))
      #expect(try FileSystem.readText(folder.appending("old")) == "new")
      #expect(try FileSystem.list(folder) == ["old"])
    }
  }

  @Test("a relative path becomes absolute and loses its dots")
  func absolutePaths() throws {
    #expect(try FileSystem.absolute("/a/./b/../c") == "/a/c")
    #expect(try FileSystem.absolute("x").isAbsolute)
  }

  #if os(Linux)
    @Test("the file system of /proc is named by its number and that of /dev/shm by its name")
    func fileSystemNames() throws {
      #expect(try FileSystem.typeName(at: "/proc") == "0x9fa0")
      #expect(try FileSystem.typeName(at: "/dev/shm") == "tmpfs")
      #expect(try FileSystem.freeBytes(at: "/dev/shm") > 0)
    }
  #endif
}
