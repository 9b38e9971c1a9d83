// Compaction at launch, and the compacted copy: asked once, with sizes that can be true, never at the cost of a row.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@Suite("Every engine that compacts at launch asks and obeys")
struct LaunchTests {
  @Test(
    "a new database is not asked about, and without a callback nothing is asked",
    arguments: EngineUnderTest.supportingOnLaunch)
  func nothingToAsk(_ test: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      let calls = Calls()
      let first = try test.engine.open(folder, asking(calls, answer: true))
      guard case .notCalled(let reason) = first.launch else {
        Issue.record("\(first.launch)")
        return
      }
      #expect(!reason.isEmpty)
      try first.session.close()
      let second = try test.engine.open(folder, SessionOptions(tables: ["rows"]))
      #expect(second.launch == .notAsked)
      try second.session.close()
      #expect(calls.usages.isEmpty)
    }
  }

  @Test(
    "a declined compaction leaves the file as it is", arguments: EngineUnderTest.supportingOnLaunch)
  func declined(_ test: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      try makeWaste(test, folder)
      let before = try FileSystem.size(of: test.file(in: folder))
      let calls = Calls()
      let opened = try test.engine.open(folder, asking(calls, answer: false))
      #expect(calls.usages.count == 1)
      #expect(opened.launch == .declined(calls.usages[0]))
      try #expect(opened.session.read { try $0.count(0) } == kept)
      let usage = try opened.session.spaceUsage()
      try opened.session.close()
      let after = try FileSystem.size(of: test.file(in: folder)).bytes
      if test.engine.capabilities.commitsBeforeLaunchCallback {
        #expect(calls.usages[0].file == usage.file)
        #expect(after <= before.bytes)
        if test.engine.capabilities.cutsFreeEnd {
          #expect(after <= usage.file.bytes)
        } else {
          #expect(after == (usage.file + usage.tail).bytes)
        }
      } else {
        #expect(calls.usages[0].file.bytes == before.bytes)
        #expect(after == before.bytes)
      }
    }
  }

  @Test(
    "an accepted compaction leaves owner, group, mode, attributes and access list as they were",
    arguments: EngineUnderTest.supportingOnLaunch)
  func access(_ test: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      try makeWaste(test, folder)
      let file = test.file(in: folder)
      try FileSystem.give(.telling, to: file)
      let size = try FileSystem.size(of: file).bytes
      let opened = try test.engine.open(folder, asking(Calls(), answer: true))
      try #expect(FileAccessRights(of: file) == .telling)
      let copy = folder.appending("copy")
      try opened.session.writeCompactedCopy(to: copy)
      try opened.session.close()
      try #expect(FileSystem.size(of: file).bytes < size)
      try #expect(FileAccessRights(of: file) == .telling)
      try #expect(FileAccessRights(of: copy) == .telling)
    }
  }

  @Test(
    "an accepted compaction after deleting 80 % of the rows shrinks the file and keeps the rest",
    arguments: EngineUnderTest.supportingOnLaunch, Durability.allCases)
  func accepted(_ test: EngineUnderTest, _ durability: Durability) throws {
    try withTemporaryFolder { folder in
      let rows = try makeWaste(test, folder)
      for _ in 0..<2 {
        let size = try FileSystem.size(of: test.file(in: folder)).bytes
        let calls = Calls()
        let opened = try test.engine.open(
          folder, asking(calls, answer: true, durability: durability))
        #expect(calls.usages.count == 1)
        let asked = calls.usages[0]
        let used = try #require(asked.usedAtLaunch)
        if !test.engine.capabilities.commitsBeforeLaunchCallback {
          #expect(asked.file.bytes == size)
        }
        #expect(used > .zero && used <= asked.file, "\(asked)")
        guard case .compacted(let before, let after, let rewritten) = opened.launch else {
          Issue.record("\(opened.launch)")
          return
        }
        #expect(before == asked)
        #expect(rewritten > .zero)
        try #expect(opened.session.spaceUsage() == after)
        try #expect(
          FileSystem.size(of: test.file(in: folder)).bytes == (after.file + after.tail).bytes)
        // A fifth of the rows is left; three tenths of the bytes leave room for half-full pages.
        let rest = test.engine.capabilities.uncompactedBytes
        #expect(10 * after.file <= 3 * ByteCount(wasteful) + 10 * rest, "\(after)")
        try #expect(opened.session.read { try $0.rows() } == rows)
        try opened.session.write { try $0.put(-1, [1]) }
        _ = try opened.session.write { try $0.delete(0, -1) }
        try opened.session.close()
      }
      let session = try test.open(folder)
      try #expect(session.read { try $0.rows() } == rows)
      try session.close()
    }
  }

  @Test(
    "automatic compaction and a launch callback go together",
    arguments: EngineUnderTest.supportingAutomatic)
  func automaticToo(_ test: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      let calls = Calls()
      let session = try test.open(folder, automatic: true)
      try fill(session, rows: 4000, bytes: 1000)
      try session.close()
      let opened = try test.engine.open(folder, asking(calls, answer: true, automatic: true))
      guard case .compacted = opened.launch else {
        Issue.record("\(opened.launch)")
        return
      }
      let full = try opened.session.spaceUsage()
      try delete(opened.session, keys: 200..<4000)
      try update(opened.session, commits: 600, each: 3, of: 200, bytes: 1000)
      let trimmed = try opened.session.spaceUsage()
      #expect(2 * trimmed.file < full.file, "\(full) \(trimmed)")
      let events = opened.session.drainEvents()
      #expect(events.contains { $0.kind == .automatic && $0.outcome == .finished }, "\(events)")
      #expect(opened.session.drainEvents().isEmpty)
      try #expect(opened.session.read { try $0.count(0) } == 200)
      try opened.session.close()
    }
  }

  @Test(
    "without automatic compaction the file keeps its length when rows go",
    arguments: EngineUnderTest.supportingNever)
  func never(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      try fill(session, rows: 4000, bytes: 1000)
      let full = try session.spaceUsage()
      try delete(session, keys: 200..<4000)
      try update(session, commits: 300, each: 3, of: 200, bytes: 1000)
      let trimmed = try session.spaceUsage()
      if !test.engine.capabilities.cutsFreeEnd { #expect(trimmed.file >= full.file) }
      try #expect(#require(trimmed.free) > #require(full.free))
      #expect(session.drainEvents().isEmpty)
    }
  }

  @Test("automatic compaction is refused where the engine has none", arguments: EngineUnderTest.all)
  func refused(_ test: EngineUnderTest) throws {
    guard case .notApplicable(let reason) = test.engine.capabilities.automatic else { return }
    try withTemporaryFolder { folder in
      let error = #expect(throws: EngineError.self) { try test.open(folder, automatic: true) }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains(reason) == true)
      try #expect(FileSystem.list(folder).isEmpty)
    }
  }

  @Test(
    "a compacted copy opens and holds the rows; an existing destination is left alone",
    arguments: EngineUnderTest.all)
  func compactedCopy(_ test: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      try makeWaste(test, folder)
      let session = try test.open(folder)
      let held = try session.beginSnapshot(label: "beside")
      let other = folder.appending("copy")
      try FileSystem.makeFolders(other)
      let copy = test.file(in: other)
      try session.writeCompactedCopy(to: copy)
      let usage = try session.spaceUsage()
      let bytes = try FileSystem.size(of: copy).bytes
      #expect(bytes < usage.file.bytes)
      #expect(bytes >= kept * 500)
      let error = #expect(throws: EngineError.self) { try session.writeCompactedCopy(to: copy) }
      #expect(error?.code == .alreadyExists)
      try #expect(FileSystem.size(of: copy).bytes == bytes)
      let copied = try test.open(other)
      try #expect(copied.read { try $0.rows() } == held.rows())
      try copied.close()
      held.end()
      try session.close()
    }
  }

  /// Rows that `makeWaste` leaves, and the bytes of all that it makes.
  private let kept = 800
  private let wasteful = 4000 * 500

  /// Four thousand rows, of which four fifths are deleted.
  @discardableResult
  private func makeWaste(_ test: EngineUnderTest, _ folder: FilePath) throws -> [Row] {
    let session = try test.open(folder)
    try fill(session, rows: 4000, bytes: 500)
    try delete(session, keys: kept..<4000)
    let rows = try session.read { try $0.rows() }
    try session.close()
    let least = test.engine.capabilities.cutsFreeEnd ? wasteful / 2 : wasteful
    try #expect(FileSystem.size(of: test.file(in: folder)).bytes >= least)
    return rows
  }

  private func asking(
    _ calls: Calls, answer: Bool, automatic: Bool = false, durability: Durability = .none
  ) -> SessionOptions {
    SessionOptions(
      tables: ["rows"], durability: durability, automaticCompaction: automatic,
      compactOnLaunch: {
        calls.add($0)
        return answer
      })
  }
}

/// What a launch callback was given, call by call.
final class Calls: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var given: [SpaceUsage] = []

  var usages: [SpaceUsage] { mutex.withLock { given } }
  func add(_ usage: SpaceUsage) { mutex.withLock { given.append(usage) } }
}
