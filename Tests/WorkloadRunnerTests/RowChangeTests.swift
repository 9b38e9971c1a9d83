// How the rows of a table come and go: in one direction and back, and which of them a deletion takes.
import Generators
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Changes of a table's rows")
struct RowChangeTests {
  @Test("an oscillation is full at its begin, least in its middle, and full again, over and over")
  func triangle() {
    let oscillation = RowOscillation(minPermille: 200, maxPermille: 600, periodCommits: 8)
    let rows = (1...16).map { oscillation.rows(of: 1000, afterCommit: $0) }
    #expect(rows.prefix(8) == [500, 400, 300, 200, 300, 400, 500, 600])
    #expect(rows.suffix(8) == rows.prefix(8))
  }

  @Test("an oscillating writer leaves the row count of its last commit, and reads its rows")
  func oscillating() throws {
    let oscillation = RowOscillation(minPermille: 100, maxPermille: 1000, periodCommits: 20)
    let writer = ClientSpec(
      name: "writer", kind: .writer(oscillation.writer(reading: 1)))
    for (commits, rows) in [(10, 10), (15, 55), (20, 100), (27, 37)] {
      let engine = LoggingEngine()
      _ = try CellRunTests.run(CellRunTests.scenario([writer], commits: commits), on: engine)
      #expect(engine.trace.withState { $0.versions.last?.count } == rows, "\(commits) commits")
    }
  }

  @Test("half of the rows go: every other one, the older ones, or any")
  func deletions() throws {
    func left(_ which: DeletedRows, seed: UInt64 = 1) throws -> [Int64] {
      var scenario = CellRunTests.scenario(
        [CellRunTests.writer],
        phase: PhaseSpec(name: "trim", deleteShare: 0.5, deleteBatch: 30))
      scenario.arms[0].deletedRows = which
      scenario.seed = seed
      let engine = LoggingEngine()
      _ = try CellRunTests.run(scenario, on: engine)
      return engine.trace.withState { $0.versions.last?.keys.sorted() ?? [] }
    }
    #expect(try left(.spread) == (0..<50).map { $0 * 2 })
    #expect(try left(.first) == Array(50..<100))
    let random = try left(.random)
    #expect(random.count == 50 && random != (0..<50).map { $0 * 2 } && random != Array(50..<100))
    #expect(try left(.random) == random)
    #expect(try left(.random, seed: 2) != random)
  }
}

extension RowOscillation {
  fileprivate func writer(reading reads: Int) -> WriterSpec {
    var writer = WriterSpec(table: "Item", reads: reads)
    writer.oscillation = self
    return writer
  }
}
