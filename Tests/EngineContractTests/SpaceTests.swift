// Space usage: what is exact adds up to the file, measuring changes nothing, and a pin costs what the engine says.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@Suite("Every engine accounts for its space")
struct SpaceTests {
  @Test(
    "the parts add up to the file after every commit, with snapshots held and released",
    arguments: EngineUnderTest.all)
  func partsAddUp(_ test: EngineUnderTest) throws {
    var workload = Workload(seed: testSeed(11), tables: 2)
    var random = SeededRandom(seed: testSeed(12))
    workload.largestValue = 6000
    try test.withSession(tables: ["a", "b"]) { session, _ in
      var held: [any EngineSnapshot] = []
      for commit in 0..<400 {
        // Growing, then mostly deleting.
        workload.deletes = commit < 250 ? 30 : 80
        try workload.commit(session, operations: 12)
        switch random.below(8) {
        case 0: held.append(try session.beginSnapshot(label: "\(commit)"))
        case 1 where !held.isEmpty: held.remove(at: random.below(held.count)).end()
        case 2 where !held.isEmpty: try held[random.below(held.count)].refresh()
        default: break
        }
        check(try session.spaceUsage(), test, "commit \(commit), \(workload.seedText)")
      }
      for snapshot in held { snapshot.end() }
    }
  }

  private func check(_ space: SpaceUsage, _ test: EngineUnderTest, _ place: String) {
    let parts = [space.live, space.free, space.pinned, space.pending, space.overhead]
    for part in parts { #expect(part ?? .zero >= .zero, "\(place): \(space)") }
    let sum = parts.compactMap(\.self).reduce(ByteCount.zero, +)
    if test.engine.capabilities.accounting == .exact {
      #expect(!parts.contains(nil), "exact accounting leaves no part out: \(space)")
      #expect(sum == space.file, "\(place): \(space)")
    } else {
      #expect(sum <= space.file, "\(place): \(space)")
    }
    if let used = space.usedAtLaunch {
      #expect(used > .zero, "\(place): \(space)")
      #expect(used <= space.file, "\(place): \(space)")
    }
  }

  @Test(
    "measuring after every commit leaves the same file as never measuring",
    arguments: EngineUnderTest.all)
  func measuringChangesNothing(_ test: EngineUnderTest) throws {
    func run(measuring: Bool) throws -> (SpaceUsage, bytes: Int) {
      var workload = Workload(seed: testSeed(13))
      return try test.withSession { session, folder in
        for _ in 0..<300 {
          try workload.commit(session, operations: 10)
          if measuring {
            _ = try session.spaceUsage()
            _ = try session.capability((any VersionCounting).self)?.liveVersions()
          }
        }
        return (try session.spaceUsage(), try FileSystem.size(of: test.file(in: folder)).bytes)
      }
    }
    let measured = try run(measuring: true)
    let unmeasured = try run(measuring: false)
    #expect(measured.0 == unmeasured.0)
    #expect(measured.bytes == unmeasured.bytes)
  }

  @Test(
    "a held snapshot retains bytes, in the file or beside it, and its release gives them up",
    arguments: EngineUnderTest.all)
  func pinsCost(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      try fill(session, rows: 2000, bytes: 256)
      try update(session, commits: 50, of: 2000, bytes: 256)
      let before = try session.spaceUsage()
      let snapshot = try session.beginSnapshot(label: "pin")
      try update(session, commits: 400, of: 2000, bytes: 256)
      let held = try session.spaceUsage()
      let retained = (held.pinned ?? .zero) + held.sidecar
      if test.engine.capabilities.retainsVersionsInFiles {
        #expect(retained > (before.pinned ?? .zero) + before.sidecar, "\(before) \(held)")
      }
      snapshot.end()
      try update(session, commits: 3, of: 2000, bytes: 256)
      let released = try session.spaceUsage()
      #expect(released.pinned ?? .zero == .zero, "\(released)")
      if let versions = try session.capability((any VersionCounting).self)?.liveVersions() {
        #expect(versions >= 1)
      }
      guard test.engine.capabilities.reusesSpaceUncompacted else { return }
      // What was retained is used again: the file stays where it is.
      try update(session, commits: 200, of: 2000, bytes: 256)
      let reused = try session.spaceUsage()
      let interval = test.engine.capabilities.logInterval
      #expect(
        reused.total <= released.total + interval, "\(before) \(held) \(released) \(reused)")
      if interval > .zero { #expect(reused.file <= released.file, "\(released) \(reused)") }
    }
  }

  @Test(
    "where the engine tells what is kept for each pin, ending one frees its exclusive bytes exactly",
    arguments: EngineUnderTest.all)
  func exactPins(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      guard try session.capability((any PinInspecting).self)?.pins() != nil else { return }
      try fill(session, rows: 500, bytes: 256)
      var held: [any EngineSnapshot] = []
      for name in ["first", "second", "third"] {
        held.append(try session.beginSnapshot(label: name))
        try update(session, commits: 40, of: 500, bytes: 256)
      }
      for (name, snapshot) in zip(["first", "second", "third"], held) {
        let before = try session.spaceUsage()
        let pin = try #require(
          try session.capability((any PinInspecting).self)?.pins().first { $0.label == name })
        #expect(pin.retained >= pin.exclusive && pin.retained <= before.pinned ?? .zero)
        snapshot.end()
        let after = try session.spaceUsage()
        #expect(after.free == (before.free ?? .zero) + pin.exclusive)
      }
      #expect(try session.capability((any PinInspecting).self)?.pins() == [])
    }
  }

  @Test("live versions are counted where the engine knows them", arguments: EngineUnderTest.all)
  func liveVersions(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      try fill(session, rows: 10, bytes: 10)
      guard let alone = try session.capability((any VersionCounting).self)?.liveVersions() else {
        return
      }
      #expect(alone == 1)
      var held: [any EngineSnapshot] = []
      for key in 0..<3 {
        // Two on the same version: counted once.
        held.append(try session.beginSnapshot(label: "a"))
        held.append(try session.beginSnapshot(label: "b"))
        try session.write { try $0.put(Int64(key), [1]) }
      }
      try #expect(session.capability((any VersionCounting).self)?.liveVersions() == 4)
      for snapshot in held { snapshot.end() }
    }
  }

  @Test(
    "the same work twice gives the same bytes at every step", arguments: EngineUnderTest.all,
    [false, true])
  func repeats(_ test: EngineUnderTest, automatic: Bool) throws {
    if automatic, !test.engine.capabilities.automatic.isSupported { return }
    let first = try trace(test, automatic: automatic)
    let second = try trace(test, automatic: automatic)
    #expect(first == second)
    #expect(first.usages.count > 100)
  }

  private struct Trace: Equatable {
    var usages: [SpaceUsage] = []
    var events: [CompactionEvent] = []
    var outcomes: [LaunchOutcome] = []
  }

  private func trace(_ test: EngineUnderTest, automatic: Bool) throws -> Trace {
    var trace = Trace()
    var workload = Workload(seed: testSeed(17))
    workload.largestValue = 3000
    try withTemporaryFolder { folder in
      for launch in 0..<3 {
        let options = SessionOptions(
          tables: ["rows"], automaticCompaction: automatic,
          compactOnLaunch: { $0.file.bytes > 100_000 })
        let opened = try test.engine.open(folder, options)
        trace.outcomes.append(opened.launch)
        var held: [any EngineSnapshot] = []
        for commit in 0..<120 {
          workload.deletes = commit < 60 ? 20 : 85
          try workload.commit(opened.session, operations: 25)
          if commit % 20 == 5 { held.append(try opened.session.beginSnapshot(label: "\(launch)")) }
          if commit % 40 == 39 { held.removeFirst().end() }
          trace.usages.append(try opened.session.spaceUsage())
          trace.events += opened.session.drainEvents()
        }
        for snapshot in held { snapshot.end() }
        try opened.session.close()
      }
    }
    return trace
  }
}
