// Owner, group, mode, attributes and access lists of files that take another one's name or contents.
import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Access rights of files")
struct FileAccessRightsTests {
  /// A file with telling access rights, and where another may be made.
  private func withFiles(_ body: (FilePath, FilePath) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let original = folder.appending("original")
      try FileSystem.write([1], to: original)
      try FileSystem.give(.telling, to: original)
      try #expect(FileAccessRights(of: original) == .telling)
      try body(original, folder.appending("other"))
    }
  }

  @Test("a new file is its owner's alone, whatever the folder hands down")
  func newFile() throws {
    try withTemporaryFolder { folder in
      #if os(Linux)
        let list = FileAccessRights.accessList(reader: 99)
        try ExtendedAttributes(path: folder).replace([:], by: ["system.posix_acl_default": list])
      #endif
      let path = folder.appending("new")
      let file = try SystemStorageFile(path: path, .new)
      try #expect(FileAccessRights(of: path).mode & 0o077 == 0)
      let original = folder.appending("original")
      try FileSystem.write([1], to: original)
      try FileSystem.give(
        FileAccessRights(mode: 0o604, owner: getuid(), group: getgid()), to: original)
      try file.inheritAccess(of: original, as: .draft)
      try #expect(
        FileAccessRights(of: path)
          == FileAccessRights(mode: 0o600, owner: getuid(), group: getgid()))
      try file.inheritAccess(of: original, as: .replacement)
      try #expect(FileAccessRights(of: path) == FileAccessRights(of: original))
    }
  }

  @Test("a draft has the owner, and no other user may read it; a replacement has all")
  func replacement() throws {
    try withFiles { original, path in
      let file = try SystemStorageFile(path: path, .new)
      try file.inheritAccess(of: original, as: .draft)
      var expected = FileAccessRights.telling
      (expected.mode, expected.attributes) = (0o600, [:])
      try #expect(FileAccessRights(of: path) == expected)
      try file.inheritAccess(of: original, as: .replacement)
      try #expect(FileAccessRights(of: path) == .telling)
    }
  }

  @Test("a companion has the access list and no other attribute; a seeded file can be written")
  func roles() throws {
    try withFiles { original, path in
      let file = try SystemStorageFile(path: path, .new)
      try file.inheritAccess(of: original, as: .companion)
      var expected = FileAccessRights.telling
      expected.attributes = expected.attributes.filter { $0.key.hasPrefix("system.") }
      try #expect(FileAccessRights(of: path) == expected)
      var frozen = FileAccessRights.telling
      (frozen.mode, frozen.attributes) = (0o440, [:])
      try FileSystem.give(frozen, to: original)
      try file.inheritAccess(of: original, as: .seeded)
      try #expect(FileAccessRights(of: path).mode == 0o640)
    }
  }

  @Test(
    "a file of another group allows it no more than everyone, and loses what needs the owner",
    arguments: [
      (0o600, 0o600), (0o640, 0o600), (0o644, 0o644), (0o664, 0o644), (0o660, 0o600),
      (0o606, 0o606), (0o666, 0o666), (0o6755, 0o755),
    ])
  func otherGroup(_ mode: UInt32, _ limited: UInt32) {
    let rights = FileAccessRights(mode: mode, owner: 1, group: 1)
    #expect(rights.modeForOtherGroup == limited)
  }

  @Test("a file that replaces one in one call has its access rights, a new one the usual ones")
  func wholeFile() throws {
    try withFiles { original, path in
      try FileSystem.write([2], to: original)
      try #expect(FileAccessRights(of: original) == .telling)
      try #expect(FileSystem.read(original) == [2])
      try FileSystem.write([3], to: path)
      let mask = umask(0)
      umask(mask)
      try #expect(FileAccessRights(of: path).mode == 0o666 & ~UInt32(mask))
    }
  }
}
