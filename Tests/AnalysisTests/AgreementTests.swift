// When two engines count as alike: near enough, the same verdict, the same order of policies.
import MetricModel
import Policies
import RecordModel
import ScenarioModel
import Testing

@testable import Analysis

@Suite("Agreement of an engine with its reference")
struct AgreementTests {
  private let policies = ["automatic", "automatic + every-launch"].map { try! Policy(parsing: $0) }

  /// One scenario on two engines; a size for each policy, of a curve that stays or rises by half.
  private func agreement(
    _ native: [Int], _ reference: [Int], growing: Set<String> = [], failed: Bool = false
  ) -> Agreement {
    func figures(_ sizes: [Int]) -> [SmallRecord.Figures] {
      zip(policies, sizes).map {
        SmallRecord.Figures(
          policy: $0, size: $1, status: failed ? .failed(reason: "no disk space") : .measured)
      }
    }
    var record = SmallRecord.make(figures(native))
    record.scenario.tables = [70, 5].map {
      TableSpec(name: "Table\($0)", rows: $0, valueSize: .fixed(100))
    }
    record.cells += SmallRecord.make(figures(reference)).cells.map {
      var cell = $0
      cell.key.engine = "other"
      return cell
    }
    let samples = zip(record.cells, native + reference).map { cell, size in
      let rises = growing.contains(cell.key.engine)
      let curve = (0..<30).map { size + (rises ? size * $0 / 10 : 0) }
      return CellRows(key: cell.key, repetition: 1, rows: SmallRecord.samples(curve))
    }
    return Agreement(
      ScenarioAnalysis(record: record, samples: samples), engine: "native", reference: "other",
      size: "ci")
  }

  @Test("high-water marks differ relative to the reference's, and not at all within a growth step")
  func relativeDifference() {
    // The marks are twice the sizes.
    let rows = agreement([50_000_000, 10_500_000], [40_000_000, 10_000_000]).rows
    #expect(rows.map(\.relativeDifference) == [0.25, 0])
    #expect(rows.map(\.agrees) == [true, true])
    #expect(agreement([50_000_001, 1], [40_000_000, 1]).rows.map(\.agrees) == [false, true])
    #expect(agreement([29_000_000, 1], [40_000_000, 1]).rows[0].agrees == false)
  }

  @Test("growth beside a plateau is no agreement, growth beside growth is")
  func verdicts() {
    let sizes = [50_000_000, 40_000_000]
    #expect(agreement(sizes, sizes, growing: ["native"]).rows.map(\.agrees) == [false, false])
    #expect(
      agreement(sizes, sizes, growing: ["native", "other"]).rows.map(\.agrees) == [true, true])
  }

  @Test("policies are reversed if both engines order them clearly and differently")
  func order() {
    #expect(agreement([50_000_000, 40_000_000], [60_000_000, 40_000_000]).ordersAgree)
    #expect(!agreement([50_000_000, 40_000_000], [40_000_000, 50_000_000]).ordersAgree)
    // Within 5 %, or a growth step, there is no order.
    #expect(agreement([50_000_000, 40_000_000], [40_000_000, 41_000_000]).ordersAgree)
    #expect(agreement([50_000_000, 40_000_000], [40_000_000, 42_000_000]).ordersAgree)
    #expect(!agreement([50_000_000, 40_000_000], [40_000_000, 42_000_001]).ordersAgree)
    #expect(agreement([5_000_000, 4_000_000], [4_000_000, 5_000_000]).ordersAgree)
  }

  @Test("a cell that was not measured is excluded, with the reason")
  func exclusions() {
    let agreement = agreement([1, 1], [1, 1], failed: true)
    #expect(agreement.rows.isEmpty)
    #expect(
      agreement.exclusions.count == 2 && agreement.exclusions[0].reason.contains("no disk space"))
    // Nothing was measured on both, so nothing agrees.
    #expect(!agreement.agrees)
    #expect(agreement.origin.size == "ci")
    #expect(agreement.origin.rows == 75)
  }

  @Test("a file below the judged size needs as many times the data, and a little more")
  func timesTheData() {
    #expect(Agreement.dataFactorToBeJudged(highWater: ByteCount(49_999_999)) == 2)
    #expect(Agreement.dataFactorToBeJudged(highWater: ByteCount(3_000_000)) == 19)
    #expect(Agreement.dataFactorToBeJudged(highWater: Agreement.minJudgedSize) == nil)
    #expect(Agreement.dataFactorToBeJudged(highWater: ByteCount(0)) == nil)
  }
}
