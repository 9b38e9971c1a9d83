// Realm Core itself, where its library is named: what its books say is what can be reached, and its automatic compaction
// does what the adapter reports.
import EngineInterface
import FileFormats
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import RealmCoreEngine

@Suite(
  "Realm Core itself",
  .enabled(
    if: getenv("COMPACTION_LAB_REALM") != nil,
    "COMPACTION_LAB_REALM names no library of Realm Core's"))
struct RealmCoreSessionTests {
  private func open(
    _ folder: FilePath, key: [UInt8]? = nil, versions: Int? = nil,
    compacting: (@Sendable (SpaceUsage) -> Bool)? = nil
  ) throws -> OpenedSession {
    var options = SessionOptions(
      tables: ["rows"], automaticCompaction: true, encryptionKey: key,
      compactOnLaunch: compacting)
    options.maximumVersions = versions
    return try RealmCoreEngine().open(folder, options)
  }

  private func file(_ folder: FilePath) -> FilePath { folder.appending("data.realm") }

  @Test("live bytes are those of the arrays that the newest version reaches, no more and no fewer")
  func liveIsReachable() throws {
    try withTemporaryFolder { folder in
      var random = SeededRandom(seed: testSeed(41))
      let session = try open(folder).session
      for commit in 0..<60 {
        try session.write { transaction in
          for _ in 0..<20 {
            let key = Int64(random.below(400))
            if random.below(3) == 0 {
              _ = try transaction.delete(0, key)
            } else {
              try transaction.put(key, random.bytes(random.below(3000)))
            }
          }
        }
        let usage = try session.spaceUsage()
        let space = try DatabaseFileReader.report(of: file(folder)).space
        let reachable = [space.live, space.history].compactMap { $0?.exactValue }.reduce(0, +)
        #expect(usage.live == ByteCount(reachable), "commit \(commit), SEED=\(random.seed)")
        #expect(space.unreachable == .exact(0))
      }
      try session.close()
    }
  }

  @Test("a session that reads nothing holds no version, whatever other sessions write")
  func idleHoldsNothing() throws {
    try withTemporaryFolder { folder in
      let first = try open(folder).session
      let second = try open(folder).session
      try first.fill(0..<10, bytes: 100)
      for key in 0..<5 { try second.fill(key..<key + 1, bytes: 50) }
      try #expect(first.capability((any VersionCounting).self)?.liveVersions() == 1)
      let held = try first.beginSnapshot(label: "held")
      try second.fill(0..<1, bytes: 10)
      try #expect(second.capability((any VersionCounting).self)?.liveVersions() == 2)
      try #expect(held.count(0) == 10)
      held.end()
      try second.fill(0..<1, bytes: 10)
      try #expect(first.capability((any VersionCounting).self)?.liveVersions() == 1)
      try second.close()
      try first.close()
    }
  }

  @Test("a frozen version costs its rows alone, a live one the history of changes since as well")
  func frozen() throws {
    func live(_ holding: Holding?) throws -> (live: ByteCount, versions: Int?) {
      try withTemporaryFolder { folder in
        let session = try open(folder).session
        try session.fill(0..<200, bytes: 500)
        let held = try holding.map {
          try session.require((any VersionHolding).self, for: "holding").hold($0, label: "held")
        }
        for round in 0..<50 { try session.fill(round..<round + 20, bytes: 500) }
        var found: [UInt8] = []
        if let held { #expect(try held.read(0, 30) { found = Array($0) } && found.count == 500) }
        try #expect(held.map { try $0.count(0) } ?? 200 == 200)
        let usage = try session.spaceUsage()
        let versions = try session.capability((any VersionCounting).self)?.liveVersions()
        try held?.refresh()
        try #expect(session.capability((any VersionCounting).self)?.liveVersions() == 1)
        held?.end()
        try session.close()
        return (try #require(usage.live), versions)
      }
    }
    let (none, frozen, alive) = (try live(nil), try live(.frozen), try live(.live))
    #expect(frozen.live == none.live)
    #expect(alive.live > none.live)
    #expect([none.versions, frozen.versions, alive.versions] == [1, 2, 2])
  }

  @Test("what began before the opening is told as gone on with, and its end with both lengths")
  func resumed() throws {
    try withTemporaryFolder { folder in
      var session = try open(folder).session
      try session.fill(0..<2000, bytes: 1000)
      try session.delete(100..<2000)
      while try session.capability((any AutomaticCompactionReporting).self)?.automaticStage()
        != .evacuating
      { try session.fill(0..<1, bytes: 1000) }
      let length = try session.spaceUsage().file
      try session.close()
      session = try open(folder).session
      var events = session.drainEvents()
      #expect(events.map(\.outcome) == [.resumed])
      for _ in 0..<300 where events.last?.outcome != .finished {
        try session.fill(0..<1, bytes: 1000)
        events += session.drainEvents()
      }
      // What its last step freed is free one commit later.
      #expect(events.map(\.outcome) == [.resumed, .waiting, .finished])
      #expect(events.last?.before == length)
      try #expect(session.spaceUsage().file == events.last?.after)
      try session.close()
    }
  }

  @Test(
    "what a version sees that was read before the deletion keeps automatic compaction from beginning"
  )
  func pinDelays() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder).session
      try session.fill(0..<2000, bytes: 1000)
      let held = try session.beginSnapshot(label: "held")
      try session.delete(100..<2000)
      for _ in 0..<50 { try session.fill(0..<1, bytes: 1000) }
      #expect(session.drainEvents().isEmpty)
      try #expect(
        session.capability((any AutomaticCompactionReporting).self)?.automaticStage() == .idle)
      try #expect(
        session.capability((any AutomaticCompactionReporting).self)?.automaticRefusal()?.contains(
          "not more than twice") == true)
      held.end()
      var commits = 0
      repeat {
        try session.fill(0..<1, bytes: 1000)
        commits += 1
      } while try session.capability((any AutomaticCompactionReporting).self)?.automaticStage()
        == .idle && commits < 10
      #expect(session.drainEvents().map(\.outcome) == [.started])
      try #expect(
        session.capability((any AutomaticCompactionReporting).self)?.automaticStage() == .evacuating
      )
      try #expect(
        session.capability((any AutomaticCompactionReporting).self)?.automaticRefusal() == nil)
      try session.close()
    }
  }

  @Test("automatic compaction cuts the file; the disk has its space back at the next opening")
  func cuts() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder).session
      try session.fill(0..<2000, bytes: 1000)
      let full = try session.spaceUsage()
      try session.delete(100..<2000)
      var events: [CompactionEvent] = []
      for _ in 0..<300 where events.last?.outcome != .finished {
        try session.fill(0..<1, bytes: 1000)
        events += session.drainEvents()
      }
      #expect(events.first?.outcome == .started)
      let end = try #require(events.last)
      #expect(end.outcome == .finished)
      let usage = try session.spaceUsage()
      #expect(usage.file == end.after && end.after < end.before)
      #expect(end.before == full.file)
      #expect(usage.file + usage.tail == full.file + full.tail)
      try session.close()
      let again = try open(folder).session
      let reopened = try again.spaceUsage()
      #expect(reopened.tail == .zero && reopened.file == usage.file)
      try #expect(FileSystem.size(of: file(folder)).bytes == reopened.file.bytes)
      try #expect(again.count() == 100)
      try again.close()
    }
  }

  @Test("more versions than the limit are refused, and more can be written once a version went")
  func versionLimit() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, versions: 4).session
      var held: [any EngineSnapshot] = []
      let error = #expect(throws: EngineError.self) {
        for key in 0..<10 {
          try session.fill(key..<key + 1, bytes: 10)
          held.append(try session.beginSnapshot(label: "\(key)"))
        }
      }
      #expect(error?.code == .snapshotsHeld)
      #expect(error?.message.contains("exceeded the limit of 4") == true)
      try #expect(session.count() == held.count)
      for snapshot in held { snapshot.end() }
      try session.close()
      let again = try open(folder, versions: 4).session
      try again.fill(20..<21, bytes: 10)
      try again.close()
    }
  }

  @Test("an encrypted file opens with its key and no other; a copy has the key that was asked for")
  func encryption() throws {
    let key = [UInt8](0..<64)
    let other = [UInt8](repeating: 9, count: 64)
    try withTemporaryFolder { folder in
      let session = try open(folder, key: key).session
      try session.fill(0..<500, bytes: 500)
      let usage = try session.spaceUsage()
      try #expect(usage.file.bytes == FileSystem.size(of: file(folder)).bytes)
      #expect(usage.free == nil)
      let copies = folder.appending("copies")
      try FileSystem.makeFolders(copies)
      try session.require((any Rekeyable).self, for: "another key").writeCompactedCopy(
        to: file(copies), underKey: other)
      try session.close()
      #expect(throws: EngineError.self) { try open(folder) }
      #expect(throws: EngineError.self) { try open(folder, key: other) }
      #expect(throws: EngineError.self) { try open(copies, key: key) }
      for (place, key) in [(folder, key), (copies, other)] {
        let session = try open(place, key: key).session
        try #expect(session.count() == 500)
        try session.close()
      }
    }
  }

  @Test("an encrypted file's launch is asked with sizes, and compacts")
  func encryptedLaunch() throws {
    let key = [UInt8](0..<64)
    try withTemporaryFolder { folder in
      let session = try open(folder, key: key).session
      try session.fill(0..<500, bytes: 500)
      try session.delete(50..<500)
      try session.close()
      let opened = try open(folder, key: key) { $0.usedAtLaunch ?? .zero < $0.file }
      guard case .compacted(let before, let after, _) = opened.launch else {
        Issue.record("\(opened.launch)")
        return
      }
      #expect(after.file < before.file)
      try #expect(opened.session.count() == 50)
      try opened.session.close()
    }
  }

  @Test("an existing file is left alone by a launch while another session of the process has it")
  func otherSession() throws {
    try withTemporaryFolder { folder in
      let first = try open(folder).session
      try first.fill(0..<500, bytes: 500)
      let second = try open(folder) { _ in true }
      guard case .notCalled(let reason) = second.launch else {
        Issue.record("\(second.launch)")
        return
      }
      #expect(reason.contains("this process has it open"))
      try second.session.close()
      try first.close()
    }
  }
}

extension EngineSession {
  func write(_ body: (any EngineTransaction) throws -> Void) throws {
    let transaction = try beginWrite()
    try body(transaction)
    try transaction.commit()
  }

  /// Writes the rows in one commit.
  func fill(_ keys: Range<Int>, bytes: Int) throws {
    try write { transaction in
      for key in keys {
        try transaction.put(Int64(key), [UInt8](repeating: UInt8(key % 251), count: bytes))
      }
    }
  }

  func delete(_ keys: Range<Int>) throws {
    try write { transaction in
      for key in keys { _ = try transaction.delete(0, Int64(key)) }
    }
  }

  func count() throws -> Int {
    let snapshot = try beginSnapshot(label: "counting")
    defer { snapshot.end() }
    return try snapshot.count(0)
  }
}

extension EngineTransaction {
  func put(_ key: Int64, _ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try put(0, key, $0) }
  }
}
