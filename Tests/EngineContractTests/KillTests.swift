// Processes that are killed: what they were told is committed is there, whole, and what they held is given back.
import EngineInterface
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@Suite("Every engine bears the death of a process")
struct KillTests {
  @Test(
    "of a process killed while it commits, every commit that it was told of is there, and none by half",
    arguments: EngineUnderTest.all, Durability.allCases)
  func killedWriter(_ test: EngineUnderTest, _ durability: Durability) async throws {
    try await withTemporaryFolder { folder in
      let database = folder.appending("database")
      try FileSystem.makeFolders(database)
      var random = SeededRandom(seed: testSeed(41))
      // Three lives in the same file, each ended somewhere else.
      for life in 0..<3 {
        let (id, mode, commits) = (test.engine.id, durability.rawValue, 20 + random.below(60))
        let path = folder.string
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [
            id = id as String, mode = mode as String, path = path as String, life = life as Int,
            commits = commits as Int
          ] in
          let test = try EngineUnderTest.named(id)
          let durability = try #require(Durability(rawValue: mode))
          try writeUntilKilled(test, FilePath(path), durability, life: life, commits: commits)
        }
        let told = try FileSystem.size(of: folder.appending("told-\(life)")).bytes
        #expect(told >= commits, "SEED=\(random.seed)")
        let session = try test.open(database, durability: durability)
        let rows = try session.read { try $0.rows(from: firstKey(of: life)) }
        #expect(rows.count >= told * rowsOfCommit, "\(told) commits were told")
        #expect(rows.count <= (told + 1) * rowsOfCommit)
        #expect(rows.count % rowsOfCommit == 0, "half a commit is there")
        for (index, row) in rows.enumerated() {
          #expect(row.key == firstKey(of: life) + Int64(index))
          #expect(row.value == value(of: row.key))
        }
        try session.write { try $0.put(-1, [UInt8(life)]) }
        try session.close()
      }
    }
  }

  @Test(
    "space pinned by a dead process's snapshot is reused after a check for dead readers, or when all have closed the file",
    arguments: EngineUnderTest.supportingOtherProcesses)
  func deadReader(_ test: EngineUnderTest) async throws {
    try await withTemporaryFolder { folder in
      var session = try test.open(folder)
      try fill(session, rows: 2000, bytes: 256)
      let (id, path) = (test.engine.id, folder.string)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [id = id as String, path = path as String] in
        let test = try EngineUnderTest.named(id)
        let other = try test.open(FilePath(path))
        let snapshot = try other.beginSnapshot(label: "dying")
        try #require(snapshot.count(0) == 2000)
        kill(getpid(), SIGKILL)
      }
      try update(session, commits: 100, of: 2000, bytes: 256)
      if test.engine.capabilities.freesDeadReadersWhileOpen {
        _ = try session.capability((any DeadReaderFreeing).self)?.freeDeadReaders()
      } else {
        try #expect(holdsUntilClosed(session))
        try session.close()
        session = try test.open(folder)
      }
      try update(session, commits: 3, of: 2000, bytes: 256)
      let released = try session.spaceUsage()
      #expect(released.pinned ?? .zero == .zero, "\(released)")
      if let versions = try session.capability((any VersionCounting).self)?.liveVersions() {
        #expect(versions == 1)
      }
      try update(session, commits: 100, of: 2000, bytes: 256)
      try #expect(session.spaceUsage().total <= released.total)
      try #expect(session.read { try $0.count(0) } == 2000)
      try session.close()
    }
  }
}

/// Whether the dead one's version is kept still, and asking changes nothing about that.
private func holdsUntilClosed(_ session: any EngineSession) throws -> Bool {
  let freed = try session.capability((any DeadReaderFreeing).self)?.freeDeadReaders()
  try update(session, commits: 3, of: 2000, bytes: 256)
  return try freed == nil && session.capability((any VersionCounting).self)?.liveVersions() == 2
    && session.spaceUsage().pinned ?? .zero > .zero
}

private let rowsOfCommit = 10

/// Keys of different lives do not meet.
private func firstKey(of life: Int) -> Int64 { Int64(life) * 1_000_000 }

private func value(of key: Int64) -> [UInt8] {
  var random = SeededRandom(seed: UInt64(key))
  return random.bytes(100 + random.below(900))
}

/// Commits without end, a byte in `told-…` for each that returned; another thread kills the process once so many are told.
private func writeUntilKilled(
  _ test: EngineUnderTest, _ folder: FilePath, _ durability: Durability, life: Int, commits: Int
) throws {
  let session = try test.open(folder.appending("database"), durability: durability)
  let descriptor = Glibc.open(
    folder.appending("told-\(life)").string, O_WRONLY | O_CREAT | O_APPEND, 0o644)
  try #require(descriptor >= 0)
  let isEnough = Flag()
  let killer = try SystemThread.start(name: "killer") {
    while !isEnough.isSet {}
    kill(getpid(), SIGKILL)
  }
  // A write that fails ends the process too, which then has told of too few commits.
  defer {
    isEnough.set()
    killer.join()
  }
  var key = firstKey(of: life)
  for commit in 1...1_000_000 {
    try session.write { transaction in
      for _ in 0..<rowsOfCommit {
        try transaction.put(key, value(of: key))
        key += 1
      }
    }
    try #require(Glibc.write(descriptor, "+", 1) == 1)
    if commit == commits { isEnough.set() }
  }
}
