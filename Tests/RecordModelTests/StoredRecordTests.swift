// Records that earlier versions wrote, kept as files.
import Foundation
import RecordModel
import TestSupport
import Testing

@Suite("Stored records of earlier versions")
struct StoredRecordTests {
  private func text(_ name: String) throws -> String {
    try Repository.text("Tests/RecordModelTests/Records/format-6/\(name)")
  }

  @Test("a record of format 6 is read with its seal, as of one schedule")
  func formatSix() throws {
    let record = try RunRecord(json: Data(try text("record.json").utf8))
    #expect(record.integrity == .verified && record.format == 6)
    #expect(record.provenance.schedule == .stepped)
    #expect(record.cells.map(\.repetitions.count) == [2, 2])
    for cell in record.cells {
      #expect(cell.threadedRepetitions == nil && cell.timedRepetitions == cell.repetitions)
    }
    let samples = try SampleCSV.read(try text("samples.csv"), name: "samples.csv")
    #expect(record.rowsOfBytes(samples) == samples && record.rowsOfThreads(samples).isEmpty)
    for rows in samples {
      let cell = try #require(record.cells.first { $0.key == rows.key })
      #expect(cell.repetitions[0].exact.samplesDigest == SampleDigest.of(rows.rows))
    }
  }
}
