import StorageEngine
import SystemIO
import TestSupport
import Testing

@Suite("Full disks")
struct FullDiskTests {
  @Test("at the process's file size limit a commit fails as out of space, and earlier ones stay")
  func fileSizeLimit() async throws {
    try await withTemporaryFolder { folder in
      try await fill(folder.appending("limited.db"), ["limit", "300000"])
    }
  }

  @Test(
    "on a full file system a commit fails as out of space, and earlier ones stay",
    .enabled("a small file system can be mounted", SmallFileSystem.isAvailable))
  func smallFileSystem() async throws {
    try await withTemporaryFolder { folder in
      try await SmallFileSystem.with(size: "400k", at: folder) {
        try await fill(folder.appending("full.db"), [])
      }
    }
  }

  /// Lets the writer fill the available space, then checks what it left.
  private func fill(_ file: FilePath, _ arguments: [String]) async throws {
    let writer = WriterProcess(file: file, seed: 11)
    let outcome = try await writer.run(arguments)
    let lines = outcome.outputText.split(separator: "\n").map(String.init)
    #expect(outcome.ending.isSuccess, "\(outcome.ending): \(outcome.errorText)")
    #expect(lines.last == "error outOfSpace")
    let acknowledged = try #require(lines.compactMap { Int($0) }.last)
    #expect(lines.dropLast().last == "readable \(acknowledged)")
    let database = try Database.open(path: file)
    let rows = try database.rows()
    let series = NumberedCommits(seed: writer.seed)
    var expected: RowModel = [:]
    for number in 1...acknowledged { expected = expected.applying(series.changes(of: number)) }
    #expect(rows == expected)
    #expect(try database.audit().violations == [])
    try database.close()
  }
}
