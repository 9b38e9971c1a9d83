// What only a second process can show: compaction beside someone who has the file, and a disk that is full.
import EngineInterface
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@Suite("Every engine bears other processes and full disks")
struct OtherProcessTests {
  @Test(
    "a launch compaction is skipped while another process reads, and works once it ended",
    arguments: EngineUnderTest.supportingOnLaunch.filter {
      $0.engine.capabilities.otherProcesses.isSupported
    })
  func skipped(_ test: EngineUnderTest) async throws {
    try await withTemporaryFolder { folder in
      let session = try test.open(folder)
      try fill(session, rows: 3000, bytes: 500)
      try delete(session, keys: 500..<3000)
      let held = try session.beginSnapshot(label: "other process")
      let before = try FileSystem.size(of: test.file(in: folder)).bytes
      let id = test.engine.id
      let path = folder.string
      await #expect(processExitsWith: .success) { [id = id as String, path = path as String] in
        let test = try EngineUnderTest.named(id)
        let opened = try test.engine.open(
          FilePath(path), SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
        guard case .skipped(_, let reason) = opened.launch, !reason.isEmpty else { exit(3) }
        try #require(opened.session.read { try $0.count(0) } == 500)
        try opened.session.close()
      }
      try #expect(FileSystem.size(of: test.file(in: folder)).bytes >= before)
      try #expect(held.count(0) == 500)
      held.end()
      try session.write { try $0.put(-5, [5]) }
      try session.close()
      let opened = try test.engine.open(
        folder, SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
      guard case .compacted = opened.launch else {
        Issue.record("\(opened.launch)")
        return
      }
      try #expect(opened.session.read { try $0.count(0) } == 501)
      try opened.session.close()
    }
  }

  @Test(
    "a launch compaction that finds too little disk space is skipped with that reason, and harms nothing",
    arguments: EngineUnderTest.inOneFile.filter { $0.engine.capabilities.onLaunch.isSupported })
  func noRoom(_ test: EngineUnderTest) async throws {
    try await withTemporaryFolder { folder in
      let session = try test.open(folder)
      try fill(session, rows: 8000, bytes: 500)
      try delete(session, keys: 6000..<8000)
      try session.close()
      let id = test.engine.id
      let path = folder.string
      await #expect(processExitsWith: .success) { [id = id as String, path = path as String] in
        let test = try EngineUnderTest.named(id)
        try limitFiles(to: 1 << 20)
        let opened = try test.engine.open(
          FilePath(path), SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
        guard case .skipped(let space, let reason) = opened.launch else {
          throw UnexpectedOutcome(outcome: opened.launch)
        }
        let least = test.engine.capabilities.cutsFreeEnd ? 3_000_000 : 4_000_000
        try #require(space.file.bytes > least)
        try #require(!reason.isEmpty)
        try #require(try opened.session.read { try $0.count(0) } == 6000)
        try opened.session.close()
      }
      let opened = try test.engine.open(
        folder, SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
      guard case .compacted = opened.launch else {
        Issue.record("\(opened.launch)")
        return
      }
      try #expect(opened.session.read { try $0.count(0) } == 6000)
      try opened.session.close()
    }
  }

  @Test(
    "an engine that has one process at a time refuses the second, and the first goes on",
    arguments: EngineUnderTest.all.filter {
      !$0.engine.capabilities.otherProcesses.isSupported
    })
  func oneAtATime(_ test: EngineUnderTest) async throws {
    try await withTemporaryFolder { folder in
      let session = try test.open(folder)
      try fill(session, rows: 300, bytes: 500)
      let id = test.engine.id
      let path = folder.string
      await #expect(processExitsWith: .success) { [id = id as String, path = path as String] in
        let test = try EngineUnderTest.named(id)
        let error = #expect(throws: EngineError.self) { try test.open(FilePath(path)) }
        try #require(error?.code == .busy, "\(String(describing: error))")
      }
      try session.write { try $0.put(1_000_000, [7]) }
      try #expect(session.read { try $0.count(0) } == 301)
      try session.close()
    }
  }

  @Test(
    "two processes have the database at once: each sees what the other committed",
    arguments: EngineUnderTest.supportingOtherProcesses)
  func together(_ test: EngineUnderTest) async throws {
    try await withTemporaryFolder { folder in
      let session = try test.open(folder)
      try fill(session, rows: 300, bytes: 500)
      let id = test.engine.id
      let path = folder.string
      await #expect(processExitsWith: .success) { [id = id as String, path = path as String] in
        let test = try EngineUnderTest.named(id)
        let other = try test.open(FilePath(path))
        try #require(other.read { try $0.count(0) } == 300)
        try other.write { try $0.put(1_000_000, [7]) }
        try other.close()
      }
      try #expect(session.read { try $0.value(1_000_000) } == [7])
      try session.write { try $0.put(1_000_001, [8]) }
      try #expect(session.read { try $0.count(0) } == 302)
      try session.close()
    }
  }

  @Test(
    "a full disk is an error, and what was committed before is there",
    arguments: EngineUnderTest.inOneFile)
  func fullDisk(_ test: EngineUnderTest) async throws {
    try await withTemporaryFolder { folder in
      let id = test.engine.id
      let path = folder.string
      await #expect(processExitsWith: .success) { [id = id as String, path = path as String] in
        let test = try EngineUnderTest.named(id)
        try fillUnderLimit(test, FilePath(path))
      }
      let session = try test.open(folder)
      let rows = try session.read { try $0.rows() }
      #expect(rows.count > 100)
      #expect(rows.count % 10 == 0, "half a commit is there")
      try session.close()
    }
  }
}

/// A launch came to something else than the test is about.
struct UnexpectedOutcome: Error { let outcome: LaunchOutcome }

/// Forbids this process files longer than that.
private func limitFiles(to bytes: UInt) throws {
  // Without this the signal that comes with the error would end the process.
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
  try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}

/// Commits rows until no file may grow any more, then checks that all that was committed can be read.
private func fillUnderLimit(_ test: EngineUnderTest, _ folder: FilePath) throws {
  try limitFiles(to: 2 << 20)
  var random = SeededRandom(seed: 1)
  let session = try test.open(folder)
  var committed: Int64 = 0
  var refusal: EngineError?
  while refusal == nil, committed < 100_000 {
    do {
      try session.write { transaction in
        for key in committed..<(committed + 10) { try transaction.put(key, random.bytes(1000)) }
      }
      committed += 10
    } catch let error as EngineError {
      refusal = error
    }
  }
  let error = try #require(refusal)
  try #require([.outOfSpace, .failed].contains(error.code), "\(error)")
  try #require(session.read { try $0.count(0) } == Int(committed))
  try session.close()
}
