// One byte is enough: every exact figure of every cell, and where its curve leaves the baseline's.
import Analysis
import MetricModel
import RecordFixtures
import RecordModel
import Regression
import Testing

@Suite("Exact figures compared with their baseline")
struct BaselineComparisonTests {
  static func findings(
    _ run: MeasuredRun, _ base: Baseline?, thresholds: String = ""
  ) throws -> ExactFindings {
    var findings = ExactFindings()
    let rules = try Thresholds(parsing: thresholds, name: "gate.txt")
    try BaselineComparison(thresholds: rules).compare([run], with: base, into: &findings)
    return findings
  }

  /// The whole-number figures of a repetition, as what a byte can be added to.
  static var figures: [(column: String, WritableKeyPath<ExactSummary, ByteCount>)] {
    [
      ("high_water_bytes", \.highWater), ("final_bytes", \.final),
      ("time_weighted_bytes", \.timeWeighted), ("time_weighted_open_bytes", \.timeWeightedOpen),
      ("rewritten_bytes", \.rewritten!),
    ]
  }

  @Test("the same run again has no finding, in all cells and figures")
  func same() throws {
    let run = try BaselineTests.run()
    let findings = try Self.findings(run, try Baseline([run]))
    #expect(findings.changes.isEmpty && findings.missing.isEmpty && findings.unmeasured.isEmpty)
    #expect(findings.cells == run.measured.count && findings.figures > 10 * findings.cells)
  }

  @Test("one byte more in any exact figure of any cell is found and named")
  func oneByte() throws {
    let run = try BaselineTests.run()
    let base = try Baseline([run])
    for (cell, index) in run.record.cells.indices.map({ (run.record.cells[$0], $0) })
    where cell.status == .measured {
      for (column, path) in Self.figures {
        var head = run
        for repetition in cell.repetitions.indices {
          head.record.cells[index].repetitions[repetition].exact[keyPath: path] =
            cell.repetitions[repetition].exact[keyPath: path] + ByteCount(1)
        }
        let findings = try Self.findings(head, base)
        let worse = findings.changes(.worse).filter { $0.figure == column }
        #expect(worse.count == 1, "\(cell.key.words) \(column)")
        #expect(worse.first?.key.cell == cell.key)
        #expect(worse.first.map { $0.head - $0.base } == 1)
        #expect(findings.changes.allSatisfy { $0.key.cell == cell.key })
      }
    }
  }

  @Test(
    "a page more at the worst moment is found; a peak that only one side measured is no regression")
  func peaks() throws {
    func run(peak: Int?) throws -> MeasuredRun {
      try BaselineTests.run { record in
        for cell in record.cells.indices {
          for run in record.cells[cell].repetitions.indices {
            record.cells[cell].repetitions[run].exact.peakDisk = peak.map { ByteCount($0) }
          }
        }
      }
    }
    let (with, without) = (try run(peak: 40_960), try run(peak: nil))
    let worse = try Self.findings(try run(peak: 45_056), try Baseline([with])).changes(.worse)
    #expect(worse.count == with.measured.count)
    #expect(worse.allSatisfy { $0.figure == "peak_disk_bytes" && $0.head - $0.base == 4096 })
    // The baseline of a run without it is as good as before, and the report says how to have it compared.
    let added = try Self.findings(with, try Baseline([without]))
    #expect(added.changes.isEmpty && added.missing.isEmpty && added.unmeasured.isEmpty)
    #expect(added.explanations.contains { $0.hasPrefix("peak_disk_bytes is measured now") })
    // What the baseline has is not silently left out.
    let lost = try Self.findings(without, try Baseline([with]))
    #expect(lost.changes.isEmpty && lost.unmeasured.count == with.measured.count)
    #expect(lost.unmeasured.allSatisfy { $0.reason == "this run did not measure peak_disk_bytes" })
  }

  @Test("every figure of the table that is exact can be a finding: none is left out")
  func everyFigure() throws {
    let run = try BaselineTests.run()
    let base = try Baseline([run])
    for (index, cell) in base.cells.enumerated() {
      for (name, value) in cell.figures {
        var other = base
        // The base less by one is the head more by one.
        other.cells[index].figures[name] = value - 1
        let findings = try Self.findings(run, other)
        let neutral = Metric.of(column: name)?.polarity == .neutral
        #expect(findings.changes.map(\.figure) == [name])
        #expect(findings.changes.map(\.verdict) == [neutral ? .changed : .worse])
        other.cells[index].figures[name] = value + 1
        #expect(
          try Self.findings(run, other).changes.map(\.verdict) == [neutral ? .changed : .better])
      }
    }
  }

  @Test("one byte more in one sample is located by launch, phase and commit")
  func divergence() throws {
    let run = try BaselineTests.run()
    let base = try Baseline([run])
    var head = run
    let rowIndex = head.samples[2].rows.count / 2
    head.samples[2].rows[rowIndex].observation.space.file =
      head.samples[2].rows[rowIndex].observation.space.file + ByteCount(1)
    let findings = try Self.findings(head, base)
    let change = try #require(findings.changes.first)
    #expect(findings.changes.count == 1 && change.figure == "curve" && change.verdict == .changed)
    let row = run.samples[2].rows[rowIndex]
    #expect(change.divergence?.sample == rowIndex + 1)
    #expect(change.divergence?.commit == row.observation.commits)
    #expect(change.divergence?.phase == row.phase)
    #expect(change.key.cell == run.samples[2].key)
    #expect(try Self.findings(head, base, thresholds: "metric * allow 5 %").changes == [change])
    let allowed = try Self.findings(head, base, thresholds: "metric curve any")
    #expect(allowed.changes.map(\.verdict) == [.allowed])
  }

  @Test("another scenario, arm or seed has no baseline, with the reason")
  func missing() throws {
    let run = try BaselineTests.run()
    let base = try Baseline([run])
    #expect(try Self.findings(run, nil).missing.map(\.reason) == ["no baseline was saved"])
    var other = run
    other.record.scenario.launches += 1
    #expect(
      try Self.findings(other, base).missing.first?.reason.contains("work or its sampling changed")
        == true)
    other = run
    other.record.scenario.arms[1].clients.removeLast()
    let arm = other.record.scenario.arms[1].name
    let missing = try Self.findings(other, base).missing
    #expect(!missing.isEmpty && missing.allSatisfy { $0.cell?.arm == arm })
    other = run
    other.record.provenance.seed = 2
    #expect(try Self.findings(other, base).missing.count == base.cells.count)
  }

  @Test("a cell of the baseline that head lacks is named, with the reason")
  func unmeasured() throws {
    let run = try BaselineTests.run()
    let base = try Baseline([run])
    var head = run
    let key = try #require(run.measured.first).key
    let index = try #require(head.record.cells.firstIndex { $0.key == key })
    head.record.cells[index].status = .unavailable(reason: "no library")
    let findings = try Self.findings(head, base)
    #expect(findings.unmeasured.map(\.cell) == [key])
    #expect(findings.unmeasured.first?.reason.contains("no library") == true)
  }

  @Test("an engine of another version is compared, and named as a possible cause")
  func explained() throws {
    let run = try BaselineTests.run()
    let base = try Baseline([run])
    var head = run
    head.record.provenance.engineVersions["lmdb"] = "0.9.31"
    head.record.provenance.processor = "another one"
    #expect(
      try Self.findings(head, base).explanations == ["engine lmdb: 0.9.24, and 0.9.31"])
  }
}
