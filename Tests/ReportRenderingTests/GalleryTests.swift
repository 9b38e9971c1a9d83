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
    repetitions: Int = 1, schedule: RunSchedule = .stepped,
    _ change: (inout RunRecord) -> Void = { _ in }
  ) throws -> GalleryEntry? {
    var (record, samples) = try SyntheticRecord.make(repetitions: repetitions, schedule: schedule)
    change(&record)
    return GalleryEntry(record: record, samples: samples)
  }

  private func compare(_ change: (inout RunRecord) -> Void) throws -> GalleryComparison {
    try GalleryComparison(
      stored: #require(try entry()).csv, measured: #require(try entry(repetitions: 1, change)).csv,
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
    // Runs on real threads beside the stepped one leave no trace in it.
    let both = try #require(try entry(repetitions: 6, schedule: .both))
    #expect(both.csv == first.csv && both.section == first.section)
    #expect(both.picture == first.picture)
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
    let stored = try #require(try entry()).csv
    func found(_ change: (inout ExactSummary) -> Void) throws -> [String] {
      let measured = try #require(
        try entry { record in
          for index in record.cells.indices where record.cells[index].status == .measured {
            change(&record.cells[index].repetitions[0].exact)
          }
        })
      return try GalleryComparison(stored: stored, measured: measured.csv, name: "x.csv")
        .differences
    }
    for (figure, path) in changes {
      let differences = try found { $0[keyPath: path] += ByteCount(1) }
      for cell in cells {
        let key = "\(cell.key.engine) · \(cell.key.policy) · \(cell.key.arm)"
        let cellLabel = "long-reader · \(key): \(figure)"
        #expect(differences.contains { $0.hasPrefix(cellLabel) }, "\(cellLabel)")
      }
    }
    #expect(try found { $0.samplesDigest += "0" }.count == cells.count)
  }

  @Test(
    "an engine in another version is not compared, and reported; the other engines are compared")
  func versions() throws {
    let newer = try compare { record in
      record.provenance.engineVersions["lmdb"] = "1.0"
      for index in record.cells.indices where !record.cells[index].repetitions.isEmpty {
        record.cells[index].repetitions[0].exact.final += ByteCount(
          record.cells[index].key.engine == "lmdb" ? 4096 : 0)
      }
    }
    #expect(newer.differences.isEmpty && newer.compared > 10)
    #expect(newer.skipped.allSatisfy { $0.reason.contains("0.9.24") })
    #expect(newer.skipped.flatMap(\.cells).allSatisfy { $0.contains("lmdb") })
  }

  @Test(
    "cells that this machine, or that of the gallery, cannot run are left out, counted and with the reason"
  )
  func unavailable() throws {
    func withoutDisk(_ record: inout RunRecord) {
      for index in record.cells.indices where record.cells[index].key.engine == "sqlite" {
        record.cells[index].status = .unavailable(reason: "unshare: not permitted")
        record.cells[index].repetitions = []
      }
    }
    let cells = try SyntheticRecord.make(repetitions: 1).record.cells
    let affected = cells.count { $0.key.engine == "sqlite" }
    let here = try compare(withoutDisk)
    #expect(here.differences.isEmpty && here.compared == cells.count - affected)
    #expect(
      here.skipped.map(\.reason) == ["this machine cannot run them (unshare: not permitted)"])
    #expect(here.skipped[0].cells.count == affected)
    #expect(here.skipped[0].cells.allSatisfy { $0.contains("sqlite") })
    let there = try GalleryComparison(
      stored: #require(try entry(withoutDisk)).csv, measured: #require(try entry()).csv,
      name: "long-reader.csv")
    #expect(there.differences.isEmpty && there.compared == here.compared)
    #expect(
      there.skipped.map(\.reason) == [
        "the machine of the gallery could not run them (unshare: not permitted)"
      ])
    let unsupported = try compare { record in
      for index in record.cells.indices where record.cells[index].key.engine == "sqlite" {
        record.cells[index].status = .notApplicable(reason: "no such mechanism")
        record.cells[index].repetitions = []
      }
    }
    #expect(!unsupported.differences.isEmpty, "a capability that the engine lost is a difference")
  }

  @Test("a missing cell and a new cell are differences")
  func cells() throws {
    let gone = try compare { $0.cells.removeFirst() }
    #expect(
      gone.differences == [
        "long-reader · native · never · blocked: in the gallery, and not in the run"
      ])
    let other = try compare { $0.cells[0].key.arm = "else" }
    #expect(other.differences.count == 2)
  }

  @Test(
    "runs that are not reproducible are refused: real threads, interrupted runs, differing bytes")
  func refused() throws {
    #expect(try entry(schedule: .threads) == nil)
    #expect(try entry { $0.provenance.interrupted = true } == nil)
    #expect(
      try entry(repetitions: 2) { $0.cells[0].repetitions[1].exact.samplesDigest = "other" } == nil)
  }
}
