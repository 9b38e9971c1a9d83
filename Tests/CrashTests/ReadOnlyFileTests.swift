import StorageEngine
import SystemIO
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Files that may not be written")
struct ReadOnlyFileTests {
  @Test(
    "a file without write permission is refused by name and not changed",
    .enabled(if: geteuid() != 0, "permissions do not bind root; the read-only file system does"))
  func permission() async throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("rows.db")
      let before = try makeDatabase(path)
      #expect(chmod(path.string, 0o444) == 0)
      try expectRefusal(path, before)
    }
  }

  @Test(
    "a database on a read-only file system is refused by name and not changed",
    .enabled("a small file system can be mounted", SmallFileSystem.isAvailable))
  func readOnlyFileSystem() async throws {
    try await withTemporaryFolder { folder in
      try await SmallFileSystem.with(size: "4m", at: folder) {
        let path = folder.appending("rows.db")
        let before = try makeDatabase(path)
        try await SmallFileSystem.makeReadOnly(folder)
        try expectRefusal(path, before)
      }
    }
  }

  private func makeDatabase(_ path: FilePath) throws -> [UInt8] {
    let database = try Database.open(path: path)
    try database.apply([RowChange(key: 1, value: [1, 2, 3])])
    try database.close()
    return try FileSystem.read(path)
  }

  private func expectRefusal(_ path: FilePath, _ before: [UInt8]) throws {
    let error = try #require(throws: StorageError.self) { try Database.open(path: path) }
    #expect(error.code == .permissionDenied)
    #expect(error.description.contains(path.string))
    #expect(try FileSystem.read(path) == before)
  }
}
