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
  @Test("a file without write permission is refused by name and stays as it is")
  func permission() async throws {
    guard geteuid() != 0 else {
      print("skipped: permissions do not bind root; the read-only file system stands in")
      return
    }
    try withTemporaryFolder { folder in
      let path = folder.appending("rows.db")
      let before = try makeDatabase(path)
      #expect(chmod(path.string, 0o444) == 0)
      try expectRefusal(path, before)
    }
  }

  @Test("on a read-only file system a database is refused by name and stays as it is")
  func readOnlyFileSystem() async throws {
    try await withTemporaryFolder { folder in
      guard let mount = ChildProcess.findExecutable("mount"),
        let unmount = ChildProcess.findExecutable("umount"),
        try await ChildProcess(
          mount, arguments: ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder.string]
        ).run().ending.isSuccess
      else {
        print("skipped: a file system can only be mounted by root")
        return
      }
      let result: Result<Void, any Error>
      do {
        let path = folder.appending("rows.db")
        let before = try makeDatabase(path)
        let again = ChildProcess(mount, arguments: ["-o", "remount,ro", folder.string])
        #expect(try await again.run().ending.isSuccess)
        try expectRefusal(path, before)
        result = .success(())
      } catch {
        result = .failure(error)
      }
      #expect(try await ChildProcess(unmount, arguments: [folder.string]).run().ending.isSuccess)
      try result.get()
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
