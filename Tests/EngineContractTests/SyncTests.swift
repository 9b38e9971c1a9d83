// What each engine waits for, counted: fairness is that a durable commit is one on every engine, and that the price of it
// is known. The table of Reports/Engines is what is counted here.
import EngineInterface
import MetricModel
import SystemIO
import Testing

@Suite(
  "What each engine syncs is counted, not assumed",
  .enabled("a process must be allowed to trace its child") { SyncCounter.unsupportedReason == nil })
struct SyncTests {
  private static let journals = JournalMode.allCases.filter { $0 != .writeAhead }

  private static func subjects(_ durability: Durability) -> [SyncSubject] {
    EngineUnderTest.all.filter {
      durability == .full || $0.engine.capabilities.undurableSyncs != .all
    }.flatMap { test in
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
    "a commit that need not be durable waits for nothing, but now and then where the engine declares it",
    arguments: subjects(.none))
  func notDurable(_ subject: SyncSubject) throws {
    let found = try SyncCounter.counted(subject)
    if subject.engine.capabilities.undurableSyncs == .some {
      #expect(0 < found.all && found.all < SyncCounter.commits / 2, "\(found)")
    } else {
      #expect(found == SyncCalls())
    }
  }

  @Test(
    "each column of the table in Reports/Engines is what was counted, where the version is the page's"
  )
  func table() throws {
    let subjects = Self.subjects(.full).filter {
      $0.engine.capabilities.undurableSyncs != .all && !$0.engine.id.hasPrefix("native-")
    }
    let columns = try subjects.map { try SyncColumn(counting: $0) }
    if EnginesPage.isToBeWritten {
      let text = EnginesPage.table(SyncColumn.rows(columns))
      try EnginesPage.hold("syncs", to: text, filter: "SyncTests")
    }
    let page = try SyncColumn.columns(of: EnginesPage.table(named: "syncs"))
    // A library that is not here has no column, and another version of it may do otherwise.
    for column in columns where page[column.name]?.version == column.version {
      #expect(page[column.name] == column)
    }
    #expect(page["native"]?.version == columns.first { $0.name == "native" }?.version)
  }
}
