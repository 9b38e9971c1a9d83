// Rows with links, lists, embedded objects and indexes, and migrations, on each engine: what is written is read back at the
// end of each launch, and a run repeats to the byte.
import EngineInterface
import LMDBEngine
import MetricModel
import NativeEngine
import RealmCoreEngine
import RecordModel
import SQLiteEngine
import ScenarioModel
import SystemIO
import Testing
import WorkloadRunner

@Suite("Shapes of rows")
struct ShapeTests {
  /// Their libraries must be on the machine that tests them, but for Realm Core's.
  private static let engines: [any Engine] =
    [NativeEngine.exact, NativeEngine.objects, try! LMDBEngine(), try! SQLiteEngine()]
    + [try? RealmCoreEngine()].compactMap { $0 }

  private static let shapes: [RowShape] = [.links(4), .list, .tree(2), .indexes(3)]

  /// Updates, insertions and deletions, and growing lists, over two launches with a deletion and a refill.
  private static func scenario(_ shape: RowShape) -> Scenario {
    var writer = WriterSpec(table: "Item", inserts: 2, updates: 3, deletes: 2)
    writer.keys = .zipfian(thetaPermille: 900)
    if shape == .list {
      writer.appends = 6
      writer.removals = 2
    }
    var scenario = CellRunTests.scenario(
      [ClientSpec(name: "writer", kind: .writer(writer))], commits: 40, launches: 2)
    scenario.phases.append(PhaseSpec(name: "trim", deleteShare: 0.5))
    scenario.phases.append(PhaseSpec(name: "again", commits: 10, refill: true, clients: ["writer"]))
    scenario.tables[0].shape = shape
    scenario.policies[0].onLaunch = .always
    scenario.policies[0].automatic = true
    return scenario
  }

  @Test(
    "what is written is found at the end of each launch, and the run repeats to the byte",
    arguments: engines.indices, shapes)
  func repeats(_ engine: Int, _ shape: RowShape) throws {
    let engine = Self.engines[engine]
    var scenario = Self.scenario(shape)
    scenario.policies[0].automatic = engine.capabilities.automatic.isSupported
    // A row that lacks a part, or has one more, ends the run with an error.
    let first = try CellRunTests.run(scenario, on: engine)
    #expect(first.record.exact.commits == 104)
    let second = try CellRunTests.run(scenario, on: engine)
    #expect(first.samples.map(\.observation.space) == second.samples.map(\.observation.space))
  }

  @Test("on real threads every part is found as well", arguments: shapes)
  func threads(_ shape: RowShape) throws {
    for engine in [NativeEngine.exact, NativeEngine.objects] {
      let result = try CellRunTests.run(Self.scenario(shape), on: engine, schedule: .threads)
      #expect(result.record.exact.commits == 104)
    }
  }

  @Test(
    "a link, an element, an embedded object or an index entry that is lost ends the run",
    arguments: [
      (RowShape.links(4), "Item_links"), (.links(4), "Item_backlinks"), (.list, "Item_list"),
      (.tree(2), "Item_tree"), (.indexes(3), "Item_indexes"),
    ])
  func losses(_ shape: RowShape, _ table: String) throws {
    #expect {
      try CellRunTests.run(Self.scenario(shape), on: LosingEngine(table: table))
    } throws: { error in
      (error as? EngineError)?.code == .corrupt
    }
  }

  @Test("a refused transaction leaves the parts as they were")
  func refusals() throws {
    var scenario = Self.scenario(.links(4))
    scenario.policies[0] = .never
    scenario.arms[0].limits = LimitSpec(versions: 3)
    scenario.arms[0].clients.append(
      ClientSpec(
        name: "pins",
        kind: .pins(PinsSpec(table: "Item", takeEveryCommits: 2, lifetime: .fixed(commits: 9)))))
    scenario.phases[0].clients.append("pins")
    let result = try CellRunTests.run(scenario, on: NativeEngine.exact)
    #expect((result.samples.last?.observation.refusals ?? 0) > 0)
  }

  @Test(
    "migrations change every row, launch after launch, and the run repeats to the byte",
    arguments: engines.indices)
  func migrations(_ engine: Int) throws {
    let engine = Self.engines[engine]
    var scenario = CellRunTests.scenario([CellRunTests.writer], commits: 20, launches: 4)
    scenario.policies[0].automatic = !engine.capabilities.never.isSupported
    scenario.tables.append(TableSpec(name: "Other", rows: 30, valueSize: .fixed(10)))
    scenario.phases[0].migration = .values
    scenario.phases.append(PhaseSpec(name: "renamed", onlyInLaunches: [2, 3]))
    scenario.phases[1].migration = .name
    // Rows that a migration did not change as it should, or changed too much, end the run with an error.
    let first = try CellRunTests.run(scenario, on: engine)
    #expect(first.record.exact.commits == 4 * 21 + 2)
    let second = try CellRunTests.run(scenario, on: engine)
    #expect(first.samples.map(\.observation.space) == second.samples.map(\.observation.space))
  }

  @Test("a session does not migrate while a snapshot of it is held")
  func heldSnapshot() throws {
    for engine in Self.engines {
      let folder = try FileSystem.makeTemporaryFolder(prefix: "runner-test")
      defer { try? FileSystem.removeTree(folder) }
      let session = try engine.open(
        folder,
        SessionOptions(
          tables: ["Item"], automaticCompaction: !engine.capabilities.never.isSupported)
      ).session
      guard let migrating = session.capability((any Migrating).self) else {
        try session.close()
        continue
      }
      let snapshot = try session.beginSnapshot(label: "held")
      #expect { try migrating.migrate(.values) } throws: { error in
        (error as? EngineError)?.code == .snapshotsHeld
      }
      snapshot.end()
      try migrating.migrate(.values)
      try session.close()
    }
  }
}

/// The native engine, which loses every hundredth row that is put into a table.
private struct LosingEngine: Engine {
  let table: String
  let id = NativeEngine.exact.id
  let capabilities = NativeEngine.exact.capabilities
  let mainFile = NativeEngine.exact.mainFile
  let sidecarFiles: [String] = []

  func open(_ folder: FilePath, _ options: SessionOptions) throws(EngineError) -> OpenedSession {
    var opened = try NativeEngine.exact.open(folder, options)
    opened.session = Session(
      inner: opened.session, table: options.tables.firstIndex(of: table) ?? -1)
    return opened
  }

  private final class Session: EngineSession, @unchecked Sendable {
    private let inner: any EngineSession
    private let table: TableIndex
    /// Puts of the table so far. Used by the one writer.
    private var puts = 0

    init(inner: any EngineSession, table: TableIndex) {
      self.inner = inner
      self.table = table
    }

    func isLost(_ table: TableIndex) -> Bool {
      guard table == self.table else { return false }
      puts += 1
      return puts.isMultiple(of: 100)
    }

    func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
      try inner.beginSnapshot(label: label)
    }
    func beginWrite() throws(EngineError) -> any EngineTransaction {
      Transaction(inner: try inner.beginWrite(), session: self)
    }
    func spaceUsage() throws(EngineError) -> SpaceUsage { try inner.spaceUsage() }
    var bytesWritten: ByteCount? { inner.bytesWritten }
    func drainEvents() -> [CompactionEvent] { inner.drainEvents() }
    func writeCompactedCopy(to path: FilePath) throws(EngineError) {
      try inner.writeCompactedCopy(to: path)
    }
    func close() throws(EngineError) { try inner.close() }
  }

  private final class Transaction: EngineTransaction {
    private let inner: any EngineTransaction
    private let session: Session

    init(inner: any EngineTransaction, session: Session) {
      self.inner = inner
      self.session = session
    }

    func put(
      _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
    ) throws(EngineError) {
      if session.isLost(table) { return }
      try inner.put(table, key, value)
    }
    func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
      try inner.delete(table, key)
    }
    func read(
      _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(EngineError) -> Bool {
      try inner.read(table, key, body)
    }
    func commit() throws(EngineError) { try inner.commit() }
    func rollBack() { inner.rollBack() }
  }
}
