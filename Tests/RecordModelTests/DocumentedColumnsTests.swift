import Foundation
import RecordModel
import TestSupport
import Testing

@Suite("The manual's columns")
struct DocumentedColumnsTests {
  @Test("Docs/Metrics.md names every column of the sample files, and no other")
  func columns() throws {
    let text = try Repository.text("Docs/Metrics.md")
    let table = text.split(separator: "\n").filter {
      $0.hasPrefix("| all three |") || $0.hasPrefix("| `samples.csv` |")
        || $0.hasPrefix("| `timings.csv` |") || $0.hasPrefix("| `events.csv` |")
    }
    let named = table.flatMap { row in
      row.split(separator: "|")[1].matches(of: #/`(\w+)`/#).map { String($0.1) }
    }
    let columns = SampleCSV.columns + TimingCSV.columns + EventCSV.columns
    #expect(table.count == 4)
    #expect(Set(named) == Set(columns))
  }
}
