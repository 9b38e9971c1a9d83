// The gallery: exact, the same each time, and a single byte that differs is found and named.
import Analysis
import MetricModel
import RecordFixtures
import RecordModel
import ReportRendering
import Testing

@Suite("The gallery of exact results")
struct GalleryTests {
  private func entry(
    repetitions: Int = 1, schedule: Schedule = .stepped,
    _ change: (inout RunRecord) -> Void = { _ in }
  ) throws -> GalleryEntry? {
    var (record, samples) = try SyntheticRecord.make(repetitions: repetitions, schedule: schedule)
    change(&record)
    return GalleryEntry(record: record, samples: samples)
  }

  private func compare(_ change: (inout RunRecord) -> Void) throws -> GalleryComparison {
    try GalleryComparison(
      kept: #require(try entry()).csv, made: #require(try entry(repetitions: 1, change)).csv,
      name: "long-reader.csv")
  }

  @Test("one run or six, one hour or another: the gallery's files are the same bytes")
  func repeats() throws {
    let first = try #require(try entry())
    let second = try #require(
      try entry(repetitions: 6) { record in
        record.provenance.startedAt = "2031-12-31T23:59:59Z"
        for cell in record.cells.indices {
          for run in record.cells[cell].repetitions.indices {
            record.cells[cell].repetitions[run].timing.wall *= 7
            record.cells[cell].repetitions[run].timing.blockedAtLaunchMax *= 90
          }
        }
      })
    #expect(first.csv == second.csv)
    #expect(first.section == second.section)
    #expect(first.picture == second.picture)
  }

  @Test(
    "one byte in any exact figure of any cell is found, with scenario, engine, policy, arm and figure"
  )
  func oneByte() throws {
    let changes: [(String, WritableKeyPath<ExactSummary, ByteCount>)] = [
      ("high_water_bytes", \.highWater), ("final_bytes", \.final),
      ("time_weighted_bytes", \.timeWeighted), ("rewritten_bytes", \.rewritten!),
    ]
    let cells = try SyntheticRecord.make(repetitions: 1).record.cells
      .filter { $0.status == .measured }
    let kept = try #require(try entry()).csv
    func found(_ change: (inout ExactSummary) -> Void) throws -> [String] {
      let made = try #require(
        try entry { record in
          for index in record.cells.indices where record.cells[index].status == .measured {
            change(&record.cells[index].repetitions[0].exact)
          }
        })
      return try GalleryComparison(kept: kept, made: made.csv, name: "x.csv").differences
    }
    for (figure, path) in changes {
      let differences = try found { $0[keyPath: path] += ByteCount(1) }
      for cell in cells {
        let key = "\(cell.key.engine) · \(cell.key.policy) · \(cell.key.arm)"
        let place = "long-reader · \(key): \(figure)"
        #expect(differences.contains { $0.hasPrefix(place) }, "\(place)")
      }
    }
    #expect(try found { $0.samplesDigest += "0" }.count == cells.count)
  }

  @Test("another version of an engine, or none, is not compared and said; the other engines are")
  func versions() throws {
    let newer = try compare { record in
      record.provenance.engineVersions["lmdb"] = "1.0"
      for index in record.cells.indices where !record.cells[index].repetitions.isEmpty {
        record.cells[index].repetitions[0].exact.final += ByteCount(
          record.cells[index].key.engine == "lmdb" ? 4096 : 0)
      }
    }
    #expect(newer.differences.isEmpty && newer.compared > 10)
    #expect(newer.notes.allSatisfy { $0.contains("lmdb") && $0.contains("0.9.24") })
    let absent = try compare { record in
      for index in record.cells.indices where record.cells[index].key.engine == "sqlite" {
        record.cells[index].status = .unavailable(reason: "not there")
        record.cells[index].repetitions = []
      }
    }
    #expect(absent.differences.isEmpty)
    #expect(absent.notes.contains { $0.contains("sqlite") })
  }

  @Test("a cell that is gone, or new, is a difference")
  func cells() throws {
    let gone = try compare { $0.cells.removeFirst() }
    #expect(
      gone.differences == [
        "long-reader · native · never · blocked: in the gallery, and not in the run"
      ])
    let other = try compare { $0.cells[0].key.arm = "else" }
    #expect(other.differences.count == 2)
  }

  @Test("what does not repeat is not taken: real threads, interrupted runs, bytes that differ")
  func refused() throws {
    #expect(try entry(schedule: .threads) == nil)
    #expect(try entry { $0.provenance.interrupted = true } == nil)
    #expect(
      try entry(repetitions: 2) { $0.cells[0].repetitions[1].exact.samplesDigest = "other" } == nil)
  }
}
