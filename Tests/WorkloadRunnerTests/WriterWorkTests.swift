// What a writer's transaction comes to: the table anew, values of other sizes, and how many there are in an arm.
import Generators
import MetricModel
import ScenarioModel
import Testing

@Suite("A writer's work")
struct WriterWorkTests {
  /// Of 40 transactions on a table of 100 rows of 32 bytes.
  private func exact(
    _ reload: WriterSpec.Reload?, sizes: SizeDistribution? = nil, commits: [String: Int]? = nil
  ) throws -> (operations: Int, requested: ByteCount, commits: Int) {
    var spec = WriterSpec(table: "Item", updates: reload == nil ? 1 : 0)
    spec.reload = reload
    spec.valueSize = sizes
    let client = ClientSpec(name: "writer", kind: .writer(spec))
    var scenario = CellRunTests.scenario([client])
    scenario.arms[0].commits = commits
    let exact = try CellRunTests.run(scenario, on: LoggingEngine()).record.exact
    return (exact.operations, exact.requested, exact.commits)
  }

  @Test("a reload in one transaction deletes and inserts every row each time")
  func reloadAtOnce() throws {
    let exact = try exact(.inOneTransaction)
    #expect(exact == (40 * 200, ByteCount(40 * 100 * (8 + 32)), 40))
  }

  @Test("a reload in two transactions deletes in one and inserts in the next")
  func reloadInTwo() throws {
    let exact = try exact(.inTwoTransactions)
    #expect(exact == (40 * 100, ByteCount(20 * 100 * (8 + 32)), 40))
  }

  @Test("a reload leaves as many rows as the table began with, under new keys")
  func reloadedRows() throws {
    var spec = WriterSpec(table: "Item")
    spec.reload = .inTwoTransactions
    let clients = [ClientSpec(name: "writer", kind: .writer(spec))]
    let engine = LoggingEngine()
    // Eleven transactions: the last one of the phase empties the table.
    _ = try CellRunTests.run(CellRunTests.scenario(clients, commits: 11), on: engine)
    #expect(engine.trace.withState { $0.versions.last?.isEmpty == true })
    let other = LoggingEngine()
    _ = try CellRunTests.run(CellRunTests.scenario(clients, commits: 12), on: other)
    let keys = other.trace.withState { Set($0.versions[$0.versions.count - 1].keys) }
    #expect(keys == Set(600..<700))
  }

  @Test("a writer's own sizes replace the table's")
  func ownSizes() throws {
    #expect(try exact(nil, sizes: .fixed(500)).requested == ByteCount(40 * (8 + 500)))
    #expect(try exact(nil).requested == ByteCount(40 * (8 + 32)))
  }

  @Test("an arm's own commits replace the phase's")
  func ownCommits() throws {
    #expect(try exact(nil, commits: ["work": 7]).commits == 7)
    #expect(try exact(nil, commits: ["other": 7]).commits == 40)
  }

  @Test("a larger size has more commits in each arm too")
  func sized() {
    let client = CellRunTests.writer
    var scenario = CellRunTests.scenario([client])
    scenario.arms[0].commits = ["work": 7]
    let full = scenario.sized(.full)
    #expect(full.arms[0].commits(in: full.phases[0]) == 70)
    #expect(full.clientCommits == 70)
    let middle = scenario.sized(.middle)
    #expect(middle.arms[0].commits(in: middle.phases[0]) == 21 && middle.clientCommits == 21)
    #expect(middle.tables[0].rows == 3 * scenario.tables[0].rows)
    #expect(scenario.sized(.ci) == scenario)
  }

  @Test("more data: as many times the rows and the changes of a commit, in as many commits")
  func holding() throws {
    var writer = WriterSpec(table: "Item", inserts: 2, updates: 3, deletes: 1, reads: 7)
    writer.oscillation = RowOscillation(minPermille: 100, maxPermille: 1000, periodCommits: 30)
    var scenario = CellRunTests.scenario([
      ClientSpec(name: "writer", kind: .writer(writer)),
      ClientSpec(name: "line", kind: .queuedWriters(QueuedWriterSpec(writer: writer))),
      ClientSpec(
        name: "other", kind: .process(ProcessSpec(table: "Item", work: .writes, rows: 4))),
      ClientSpec(name: "reads", kind: .process(ProcessSpec(table: "Item", work: .reads, rows: 4))),
    ])
    scenario.arms[0].limits = LimitSpec(versions: 8, addressSpace: 100, disk: 10)
    scenario.arms[0].inPhases["work"] = [ClientSpec(name: "writer", kind: .writer(writer))]
    let larger = scenario.holding(times: 5)
    #expect(larger.tables[0].rows == 5 * scenario.tables[0].rows)
    #expect(larger.clientCommits == scenario.clientCommits)
    #expect(larger.phases[0].deleteBatch == 5 * scenario.phases[0].deleteBatch)
    #expect(
      larger.arms[0].limits == LimitSpec(versions: 8, addressSpace: 500, disk: 50))
    writer.inserts = 10
    writer.updates = 15
    writer.deletes = 5
    let changed = ClientSpec(name: "writer", kind: .writer(writer))
    #expect(larger.arms[0].clients[0] == changed)
    #expect(larger.arms[0].inPhases["work"] == [changed])
    let rows: [Int?] = larger.arms[0].clients.dropFirst().map { client in
      switch client.kind {
      case .queuedWriters(let queued): queued.writer.updates
      case .process(let process): process.rows
      default: nil
      }
    }
    #expect(rows == [15, 20, 4])
    #expect(scenario.holding(times: 1) == scenario)
  }

  @Test("a larger size oscillates more slowly, so that each commit changes as many rows")
  func sizedSway() {
    var writer = WriterSpec(table: "Item", updates: 1)
    writer.oscillation = RowOscillation(minPermille: 100, maxPermille: 1000, periodCommits: 30)
    let clients: [ClientSpec] = [
      ClientSpec(name: "writer", kind: .writer(writer)),
      ClientSpec(name: "line", kind: .queuedWriters(QueuedWriterSpec(writer: writer))),
    ]
    let full = CellRunTests.scenario(clients).sized(.full)
    let periods: [Int?] = full.arms[0].clients.map { client in
      switch client.kind {
      case .writer(let writer): writer.oscillation?.periodCommits
      case .queuedWriters(let queued): queued.writer.oscillation?.periodCommits
      default: nil
      }
    }
    #expect(periods == [300, 300])
    let rows = RowOscillation(minPermille: 100, maxPermille: 1000, periodCommits: 300)
    let small = RowOscillation(minPermille: 100, maxPermille: 1000, periodCommits: 30)
    #expect(rows.rows(of: 5000, afterCommit: 10) == 10 * small.rows(of: 500, afterCommit: 1))
  }
}
