// Damaged blocks and logs: refused, or without harm to any row.
import EngineInterface
import EngineTestSupport
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import DuckDBEngine

@Suite("Damage under DuckDB", .enabled(if: hasDuckDB))
struct DuckDBDamageTests {
  private static let rows = 2000

  /// Makes a closed database and returns its file.
  private func make(_ folder: FilePath) throws -> FilePath {
    let engine = try DuckDBEngine()
    let session = try engine.session(folder)
    try session.fill(0..<Self.rows, bytes: 300)
    try session.close()
    return folder.appending(engine.mainFile)
  }

  /// The rows of the database in the folder.
  private func rows(_ folder: FilePath) throws -> [[UInt8]] {
    let session = try DuckDBEngine().session(folder)
    defer { try? session.close() }
    let snapshot = try session.beginSnapshot(label: "rows")
    defer { snapshot.end() }
    var rows: [[UInt8]] = []
    _ = try snapshot.scan(0, from: .min, limit: .max) { rows.append(Array($1)) }
    return rows
  }

  @Test("a flipped bit in any block is refused as corrupt, or is in none of the rows")
  func flipped() throws {
    try withTemporaryFolder { folder in
      let file = try make(folder)
      let whole = try FileSystem.read(file)
      let expected = try rows(folder)
      var refusals = 0
      for offset in stride(from: 5, to: whole.count, by: 19_997) {
        var bytes = whole
        bytes[offset] ^= 4
        try FileSystem.write(bytes, to: file)
        do { try #expect(rows(folder) == expected, "\(offset)") } catch let error as EngineError {
          #expect(error.code == .corrupt, "\(offset) \(error)")
          refusals += 1
        }
      }
      #expect(refusals > 15)
    }
  }

  @Test("a log that is cut anywhere leaves whole commits, from the first one on")
  func cutLog() throws {
    try withTemporaryFolder { folder in
      let engine = try DuckDBEngine()
      let open = folder.appending("open")
      try FileSystem.makeFolders(open)
      let session = try engine.session(open)
      for commit in 0..<20 { try session.fill(10 * commit..<10 * commit + 10, bytes: 300) }
      let data = try FileSystem.read(open.appending(engine.mainFile))
      let log = try FileSystem.read(open.appending(engine.mainFile + ".wal"))
      try session.close()
      #expect(log.count > 200 * 300)
      for length in stride(from: 1, to: log.count, by: 6007) {
        let cut = folder.appending("\(length)")
        try FileSystem.makeFolders(cut)
        try FileSystem.write(data, to: cut.appending(engine.mainFile))
        try FileSystem.write(Array(log.prefix(length)), to: cut.appending(engine.mainFile + ".wal"))
        do {
          let count = try rows(cut).count
          #expect(count % 10 == 0 && count <= length / 300, "\(length) \(count)")
        } catch let error as EngineError { #expect(error.code == .corrupt, "\(length) \(error)") }
      }
    }
  }

  @Test("a checkpoint on a full disk costs no commit; writing waits for held snapshots to end")
  func failedCheckpoint() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.string
      await #expect(processExitsWith: .success) { [path = path as String] in
        try limitFiles(to: 1 << 20)
        let session = try DuckDBEngine().session(FilePath(path))
        var committed = 0
        let snapshot = try session.beginSnapshot(label: "held")
        let refusal = #expect(throws: EngineError.self) {
          while committed < 10_000 {
            try session.fill(committed..<committed + 10, bytes: 1000)
            committed += 10
          }
        }
        try #require(refusal?.code == .outOfSpace, "\(String(describing: refusal))")
        snapshot.end()
        try session.fill(committed..<committed + 10, bytes: 1000)
        try #require(session.count() == committed + 10)
        try session.close()
      }
      let session = try DuckDBEngine().session(folder)
      let count = try session.count()
      #expect(count > 500 && count % 10 == 0)
      try session.close()
    }
  }
}

/// Forbids this process files longer than that.
private func limitFiles(to bytes: UInt) throws {
  // Without this the signal that comes with the error would end the process.
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
  try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}
