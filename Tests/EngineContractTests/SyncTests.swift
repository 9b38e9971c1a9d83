// What each engine waits for, counted: fairness is that a durable commit is one on every engine, and that the price of it
// is known. The table of Docs/Engines.md is what is counted here.
import EngineInterface
import MetricModel
import SystemIO
import Testing

@Suite(
  "What each engine syncs is counted, not assumed",
  .enabled("a process must be allowed to trace its child") { SyncCounter.hindrance == nil })
struct SyncTests {
  private static let journals = JournalMode.allCases.filter { $0 != .writeAhead }

  private static func subjects(_ durability: Durability) -> [SyncSubject] {
    // Realm Core syncs each commit: there is no other way to have it.
    EngineUnderTest.all.filter { durability == .full || $0.engine.id != "realm-core" }.flatMap {
      test in
      let usual = SyncSubject(engine: test.engine, durability: durability)
      let others = journals.map {
        SyncSubject(engine: test.engine, durability: durability, journal: $0)
      }
      return [usual] + (test.engine.capabilities.log.isSupported ? others : [])
    }
  }

  @Test("a durable commit waits for the disk at least once", arguments: subjects(.full))
  func durable(_ subject: SyncSubject) throws {
    let found = try SyncCounter.counted(subject)
    #expect(found.all >= SyncCounter.commits, "\(found)")
  }

  @Test(
    "a commit that need not be durable waits for nothing, but now and then with libmdbx",
    arguments: subjects(.none))
  func notDurable(_ subject: SyncSubject) throws {
    let found = try SyncCounter.counted(subject)
    if subject.engine.id == "mdbx" {
      #expect(0 < found.all && found.all < SyncCounter.commits / 2, "\(found)")
    } else {
      #expect(found == SyncCalls())
    }
  }

  @Test(
    "the table of Docs/Engines.md is what was counted, where the versions are those of the page")
  func table() throws {
    let shown = ["native", "lmdb", "sqlite", "mdbx"]
    let subjects = Durability.allCases.map { durability in
      Self.subjects(durability).filter { shown.contains($0.engine.id) }
    }
    let versions = [["version", ""] + subjects[0].map(\.engine.capabilities.version)]
    var rows = [["durability", "calls"] + subjects[0].map { "`\($0.name)`" }] + versions
    for (durability, subjects) in zip(Durability.allCases, subjects) {
      let found = try subjects.map { try SyncCounter.counted($0) }
      let names = Set(found.flatMap(\.calls.keys)).union(["fdatasync"]).sorted()
      for name in names {
        rows.append([durability.rawValue, "`\(name)`"] + found.map { "\($0.calls[name] ?? 0)" })
      }
      rows.append([durability.rawValue, "synced writes"] + found.map { "\($0.syncedWrites)" })
    }
    let text = EnginesPage.table(rows)
    // Other versions may do otherwise: then the page says what these do not, and nobody is to blame.
    let page = try EnginesPage.text()
    let isOfPage = page.contains(
      EnginesPage.table([versions[0], versions[0]]).prefix { $0 != "\n" })
    if isOfPage || EnginesPage.isToBeWritten {
      try EnginesPage.hold("syncs", to: text, filter: "SyncTests")
    }
  }
}
