// The order of turns: kept under either schedule, read again from its text, and taken again to the same bytes.
import Generators
import MetricModel
import RecordModel
import ScenarioModel
import SystemIO
import Testing
import WorkloadRunner

@Suite("Interleavings")
struct InterleavingTests {
  private let clients = [
    CellRunTests.writer,
    ClientSpec(
      name: "line",
      kind: .queuedWriters(
        QueuedWriterSpec(writer: WriterSpec(table: "Item", updates: 1), threads: 2))),
    ClientSpec(
      name: "window",
      kind: .frozen(
        FrozenSpec(table: "Item", takeEveryCommits: 3, window: 2))),
    ClientSpec(
      name: "reader",
      kind: .reader(
        ReaderSpec(table: "Item", whileBlocked: .refreshes(everyCommits: 7)))),
  ]

  private func run(
    _ engine: LoggingEngine, seed: UInt64 = 1, schedule: Schedule = .stepped,
    _ interleaving: Interleaving? = nil
  ) throws -> RepetitionResult {
    let folder = try FileSystem.makeTemporaryFolder(prefix: "interleaving-test")
    defer { try? FileSystem.removeTree(folder) }
    let scenario = CellRunTests.scenario(clients, commits: 120)
    let job = CellJob(
      scenario: scenario, key: CellKey(engine: engine.id, policy: "never", arm: "only"),
      repetition: 1, schedule: schedule, seed: seed, folder: folder.string,
      interleaving: interleaving, keepsInterleaving: true)
    return try CellRun(job, on: engine).run()
  }

  private func commits(_ order: Interleaving) -> Int {
    order.phases.flatMap(\.turns).filter { ["writer", "line"].contains($0.client) }
      .reduce(0) { $0 + $1.count }
  }

  @Test("a kept order has every commit, and survives being written and read")
  func text() throws {
    let order = try #require(try run(LoggingEngine()).interleaving)
    #expect(commits(order) == 120)
    #expect(try Interleaving(parsing: order.text(about: ["a remark"])) == order)
  }

  @Test("the order of one seed, taken again under another, gives the turns of the first")
  func replay() throws {
    let order = try #require(try run(LoggingEngine(), seed: 1).interleaving)
    let other = try #require(try run(LoggingEngine(), seed: 2).interleaving)
    #expect(order != other)
    #expect(try run(LoggingEngine(), seed: 2, order).interleaving == order)
  }

  @Test("the order of the same seed gives the same trace: nothing but the order was drawn")
  func sameTrace() throws {
    let engines = [LoggingEngine(), LoggingEngine()]
    let order = try #require(try run(engines[0]).interleaving)
    _ = try run(engines[1], order)
    #expect(engines[0].trace.lines == engines[1].trace.lines)
  }

  @Test("an order of real threads is taken again, twice the same, with all its commits")
  func fromThreads() throws {
    let order = try #require(try run(LoggingEngine(), schedule: .threads).interleaving)
    #expect(commits(order) == 120)
    let engines = [LoggingEngine(), LoggingEngine()]
    for engine in engines {
      let again = try #require(try run(engine, order).interleaving)
      #expect(commits(again) == 120)
    }
    #expect(engines[0].trace.lines == engines[1].trace.lines)
  }

  @Test("a turn of an unknown client ends the run with its name")
  func stranger() throws {
    var order = Interleaving()
    order.beginPhase(launch: 1, name: "work")
    order.addTurn(of: "stranger")
    #expect { try run(LoggingEngine(), order) } throws: { "\($0)".contains("stranger") }
  }

  @Test(
    "what is no interleaving is refused with its line",
    arguments: [
      ("", "line 1"), ("something else", "line 1"),
      ("compaction-lab interleaving 1\n3 writer\n", "line 2"),
      ("compaction-lab interleaving 1\nphase 0 a\n", "line 2"),
      ("compaction-lab interleaving 1\nphase 1 a\nwriter\n", "line 3"),
      ("compaction-lab interleaving 1\nphase 1 a\n99999999999 writer\n", "line 3"),
    ])
  func refused(_ text: String, _ line: String) {
    #expect { try Interleaving(parsing: text) } throws: { "\($0)".hasPrefix(line) }
  }
}
