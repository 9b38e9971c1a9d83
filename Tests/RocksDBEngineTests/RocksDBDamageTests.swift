// Damaged, foreign and missing files, and a disk that is full: refused, without harm to what is there.
import EngineInterface
import EngineTestSupport
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import RocksDBEngine

@Suite("Damage and full disks under RocksDB", .enabled(if: hasRocksDB))
struct RocksDBDamageTests {
  /// Makes a closed database of two thousand rows.
  private func make(_ folder: FilePath) throws {
    let session = try RocksDBEngine().session(folder)
    try session.fill(0..<2000, bytes: 300)
    try session.close()
  }

  private func files(_ folder: FilePath) throws -> [FilePath] {
    try FileSystem.list(folder.appending(DatabaseFolder.name)).map {
      folder.appending(DatabaseFolder.name).appending($0)
    }
  }

  /// Cuts the end off the first file of a kind; nil for half of it.
  private func cut(_ kind: String, _ missing: Int?, in folder: FilePath) throws {
    let file = try #require(
      files(folder).first { $0.string.hasSuffix(kind) || $0.string.contains("/\(kind)") })
    let bytes = try FileSystem.read(file)
    try FileSystem.write(Array(bytes.dropLast(missing ?? bytes.count / 2)), to: file)
  }

  @Test(
    "a file that is cut is found, or every row can be read", arguments: ["CURRENT", ".sst"],
    [1, 100, nil])
  func cut(_ kind: String, missing: Int?) throws {
    try withTemporaryFolder { folder in
      try make(folder)
      try cut(kind, missing, in: folder)
      do {
        let session = try RocksDBEngine().session(folder)
        #expect((try? session.count()) ?? 2000 == 2000)
        try session.close()
      } catch let error as EngineError {
        #expect(error.code == .corrupt, "\(error)")
      }
    }
  }

  /// A finding: RocksDB reads a manifest as a log, and takes one that ends early for an older state.
  @Test(
    "of a manifest that lost its last records the rows that they listed are gone without an error")
  func cutManifest() throws {
    try withTemporaryFolder { folder in
      try make(folder)
      try cut("MANIFEST-", 100, in: folder)
      let session = try RocksDBEngine().session(folder)
      try #expect(session.count() < 2000)
      try session.close()
    }
  }

  @Test("a database that lost the file CURRENT is refused, and none of its files goes")
  func noCurrent() throws {
    try withTemporaryFolder { folder in
      try make(folder)
      try FileSystem.removeFile(folder.appending(DatabaseFolder.name).appending("CURRENT"))
      let before = try files(folder)
      let error = #expect(throws: EngineError.self) { try RocksDBEngine().session(folder) }
      #expect(error?.code == .corrupt)
      #expect(error?.message.contains("CURRENT") == true)
      try #expect(files(folder) == before)
    }
  }

  @Test("a database whose creation was broken off is created again")
  func brokenOff() throws {
    try withTemporaryFolder { folder in
      let data = folder.appending(DatabaseFolder.name)
      try FileSystem.makeFolders(data)
      for name in ["LOCK", "IDENTITY", "MANIFEST-000001"] {
        try FileSystem.write([], to: data.appending(name))
      }
      try make(folder)
    }
  }

  @Test("a full disk is an error, and what was committed before is there")
  func fullDisk() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.string
      await #expect(processExitsWith: .success) { [path = path as String] in
        try limitFiles(to: 100 << 10)
        let session = try RocksDBEngine().session(FilePath(path))
        var committed = 0
        let refusal = #expect(throws: EngineError.self) {
          while committed < 100_000 {
            try session.fill(committed..<committed + 10, bytes: 1000)
            committed += 10
          }
        }
        try #require(refusal?.code == .outOfSpace, "\(String(describing: refusal))")
        try #require(session.count() == committed)
        try session.close()
      }
      let session = try RocksDBEngine().session(folder)
      let rows = try session.count()
      #expect(rows >= 90)
      #expect(rows % 10 == 0, "half a commit is there")
      try session.fill(0..<10, bytes: 1000)
      try session.close()
    }
  }

  @Test("a launch compaction without disk space is skipped with that reason, and harms nothing")
  func noDiskSpace() async throws {
    try await withTemporaryFolder { folder in
      try make(folder)
      let path = folder.string
      await #expect(processExitsWith: .success) { [path = path as String] in
        try limitFiles(to: 100 << 10)
        let opened = try RocksDBEngine().open(
          FilePath(path), SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
        guard case .skipped(_, let reason) = opened.launch else {
          Issue.record("\(opened.launch)")
          return
        }
        #expect(reason.contains("File too large"), "\(reason)")
        try #expect(opened.session.count() == 2000)
        try opened.session.fill(0..<10, bytes: 300)
        try opened.session.close()
      }
      let opened = try RocksDBEngine().open(
        folder, SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
      guard case .compacted = opened.launch else {
        Issue.record("\(opened.launch)")
        return
      }
      try #expect(opened.session.count() == 2000)
      try opened.session.close()
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
