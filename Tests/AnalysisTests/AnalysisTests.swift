import Analysis
import RecordFixtures
import Testing

@Suite("Probe")
struct Probe {
  @Test("probe")
  func probe() throws {
    let (record, samples) = try SyntheticRecord.make()
    let analysis = ScenarioAnalysis(record: record, samples: samples)
    print(analysis.verdict.text)
    for outcome in analysis.expectations { print(outcome) }
    for cell in analysis.cells { print(cell.key, cell.value(.highWater) as Any, cell.value(.timeWeighted) as Any, cell.value(.rewritten) as Any) }
  }
}
