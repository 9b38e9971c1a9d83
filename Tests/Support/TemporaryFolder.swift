// A folder for one test, gone with it.
package import SystemIO

/// Runs `body` with a new empty folder and removes the folder afterwards, however `body` ends.
package func withTemporaryFolder<Result>(
  in place: FilePath? = nil, _ body: (FilePath) throws -> Result
) throws -> Result {
  let folder = try FileSystem.makeTemporaryFolder(prefix: "compaction-lab-test", in: place)
  defer { try? FileSystem.removeTree(folder) }
  return try body(folder)
}

/// The same for a body that waits.
package func withTemporaryFolder<Result>(
  in place: FilePath? = nil, _ body: (FilePath) async throws -> Result
) async throws -> Result {
  let folder = try FileSystem.makeTemporaryFolder(prefix: "compaction-lab-test", in: place)
  defer { try? FileSystem.removeTree(folder) }
  return try await body(folder)
}
