// Damaged, foreign and missing files, and a disk that is full: refused, without harm to what is there.
import EngineInterface
import EngineTestSupport
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import WiredTigerEngine

@Suite("Damage and full disks under WiredTiger", .enabled(if: hasWiredTiger))
struct WiredTigerDamageTests {
  /// Makes a closed database of two thousand rows.
  private func make(_ folder: FilePath) throws {
    let session = try WiredTigerEngine().session(folder)
    try session.fill(0..<2000, bytes: 300)
    try session.close()
  }

  private func data(_ folder: FilePath) -> FilePath { folder.appending(WiredTigerFolder.name) }

  /// Cuts the end off a file; nil for half of it.
  private func cut(_ name: String, _ missing: Int?, in folder: FilePath) throws {
    let file = data(folder).appending(name)
    let bytes = try FileSystem.read(file)
    try FileSystem.write(Array(bytes.dropLast(missing ?? bytes.count / 2)), to: file)
  }

  @Test(
    "a file that is cut is found, or every row can be read",
    arguments: ["rows.wt", "WiredTiger.wt", "WiredTiger.turtle"], [1, 100, nil])
  func cut(_ name: String, missing: Int?) throws {
    try withTemporaryFolder { folder in
      try make(folder)
      try cut(name, missing, in: folder)
      do {
        let session = try WiredTigerEngine().session(folder)
        #expect((try? session.count()) ?? 2000 == 2000)
        try? session.close()
      } catch let error as EngineError {
        #expect(error.code == .corrupt, "\(error)")
      }
    }
  }

  @Test("bytes that are changed are found by a block's checksum")
  func changed() throws {
    try withTemporaryFolder { folder in
      try make(folder)
      let file = data(folder).appending("rows.wt")
      var bytes = try FileSystem.read(file)
      for offset in stride(from: 8192, to: bytes.count, by: 4096) { bytes[offset + 100] ^= 1 }
      try FileSystem.write(bytes, to: file)
      let error = #expect(throws: EngineError.self) {
        let session = try WiredTigerEngine().session(folder)
        defer { try? session.close() }
        _ = try session.count()
      }
      #expect(error?.code == .corrupt, "\(String(describing: error))")
    }
  }

  @Test(
    "a database that lost a file of its own is refused, and none of its files goes",
    arguments: ["WiredTiger.turtle", "WiredTiger.wt"])
  func missing(_ name: String) throws {
    try withTemporaryFolder { folder in
      try make(folder)
      try FileSystem.removeFile(data(folder).appending(name))
      let before = try FileSystem.list(data(folder)).sorted()
      let error = #expect(throws: EngineError.self) { try WiredTigerEngine().session(folder) }
      #expect(error?.code == .corrupt)
      #expect(error?.message.contains(name) == true)
      try #expect(FileSystem.list(data(folder)).sorted() == before)
    }
  }

  @Test("a table of which the file is missing is refused")
  func missingTable() throws {
    try withTemporaryFolder { folder in
      try make(folder)
      try FileSystem.removeFile(data(folder).appending("rows.wt"))
      let error = #expect(throws: EngineError.self) { try WiredTigerEngine().session(folder) }
      #expect(error?.code == .corrupt, "\(String(describing: error))")
    }
  }

  @Test("a database whose creation was broken off is created again")
  func brokenOff() throws {
    try withTemporaryFolder { folder in
      try FileSystem.makeFolders(data(folder))
      for name in ["WiredTiger", "WiredTiger.lock"] {
        try FileSystem.write([], to: data(folder).appending(name))
      }
      try make(folder)
    }
  }

  @Test("a full disk is an error of each write until the next opening, and no commit is lost")
  func fullDisk() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.string
      await #expect(processExitsWith: .success) { [path = path as String] in
        try limitFiles(to: 100 << 10)
        let session = try WiredTigerEngine().session(FilePath(path))
        var committed = 0
        let refusal = #expect(throws: EngineError.self) {
          while committed < 100_000 {
            try session.fill(committed..<committed + 10, bytes: 1000)
            committed += 10
          }
        }
        try #require(refusal?.code == .outOfSpace, "\(String(describing: refusal))")
        // From then on WiredTiger refuses everything, and gives no reason.
        for _ in 0..<3 {
          let error = #expect(throws: EngineError.self) { try session.fill(0..<1, bytes: 100) }
          try #require(error?.code == .outOfSpace, "\(String(describing: error))")
        }
        try #require(session.spaceUsage().file > .zero)
        try session.close()
        try limitFiles(to: rlim_t.max)
        let again = try WiredTigerEngine().session(FilePath(path))
        let rows = try again.count()
        // Of the commit that failed it is not known.
        try #require(rows == committed || rows == committed + 10, "\(rows) of \(committed)")
        try again.fill(0..<10, bytes: 1000)
        try again.close()
      }
      let session = try WiredTigerEngine().session(folder)
      try #expect(session.count() >= 90)
      try session.close()
    }
  }

  @Test("a launch compaction without disk space is skipped with that reason, and harms nothing")
  func noDiskSpace() async throws {
    try await withTemporaryFolder { folder in
      let session = try WiredTigerEngine().session(folder)
      try session.fill(0..<8000, bytes: 500)
      try session.delete((0..<8000).filter { $0 % 100 >= 40 })
      try session.close()
      let path = folder.string
      await #expect(processExitsWith: .success) { [path = path as String] in
        try limitFiles(to: 100 << 10)
        let opened = try WiredTigerEngine().open(
          FilePath(path), SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
        try limitFiles(to: rlim_t.max)
        guard case .skipped(_, let reason) = opened.launch else {
          Issue.record("\(opened.launch)")
          return
        }
        #expect(reason.contains("no disk space"), "\(reason)")
        try #expect(opened.session.count() == 3200)
        try opened.session.fill(0..<10, bytes: 300)
        try opened.session.close()
      }
    }
  }
}

/// Forbids this process files longer than that.
private func limitFiles(to bytes: rlim_t) throws {
  // Without this the signal that comes with the error would end the process.
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
  try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}
