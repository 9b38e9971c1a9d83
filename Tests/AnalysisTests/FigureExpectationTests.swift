// Expectations about figures of the whole run, and expectations of runs on real threads beside stepped ones.
import Analysis
import MetricModel
import Policies
import RecordModel
import ScenarioModel
import Testing

@Suite("Expectations of figures and of real threads")
struct FigureExpectationTests {
  private typealias Expectation = ScenarioModel.Expectation

  private func outcome(
    _ condition: Expectation.Condition, peaks: [Int?] = [30_000_000, 60_000_000],
    against: Expectation.Other? = nil, digests: [String] = ["a"]
  ) -> ExpectationOutcome.Result? {
    let expectation = Expectation(
      text: "it", scope: .atEnd, condition: condition, policy: "every-launch", against: against)
    var record = SmallRecord.make(
      [
        .init(policy: .never, size: 20_000_000, digests: digests),
        .init(policy: .everyLaunch, size: 10_000_000, digests: digests),
      ], expectations: [expectation])
    for (index, peak) in peaks.enumerated() {
      for run in record.cells[index].repetitions.indices {
        record.cells[index].repetitions[run].exact.peakDisk = peak.map { ByteCount($0) }
      }
    }
    record.provenance.peakDiskAbsence = peaks.contains(nil) ? "no disk here" : nil
    return ScenarioAnalysis(record: record, samples: []).expectations.first?.result
  }

  @Test("a figure holds up to its limit, which may be a number, another figure, or another cell's")
  func figures() {
    let column = "peak_disk_bytes"
    #expect(
      outcome(.figure(column: column, .atMost, .value(60_000_000)))
        == .held(evidence: "peak_disk_bytes is 60.0 MB; the limit is 60.0 MB"))
    #expect(
      outcome(.figure(column: column, .below, .value(60_000_000)))
        == .failed(evidence: "peak_disk_bytes is 60.0 MB; the limit is 60.0 MB"))
    // The high-water mark is twice the size.
    #expect(
      outcome(.figure(column: column, .atMost, .times(2.5, variable: "high_water_bytes")))
        == .failed(
          evidence: "peak_disk_bytes is 60.0 MB; the limit is 50.0 MB, 2.50 times high_water_bytes")
    )
    #expect(
      outcome(
        .figure(column: column, .atMost, .timesOther(2)), against: .policy("never"))
        == .held(evidence: "peak_disk_bytes is 60.0 MB; the limit is 60.0 MB, 2.00 times 30.0 MB"))
    #expect(
      outcome(.figure(column: "commits", .atLeast, .value(101)))
        == .failed(evidence: "commits is 100; the limit is 101"))
  }

  @Test("a figure that was not measured, or did not repeat, is not applicable and never a failure")
  func absent() {
    let condition = Expectation.Condition.figure(
      column: "peak_disk_bytes", .atMost, .value(1))
    #expect(outcome(condition, peaks: [nil, nil]) == .notApplicable(reason: "no disk here"))
    #expect(
      outcome(condition, digests: ["a", "b"])
        == .notApplicable(reason: "peak_disk_bytes is exact in stepped runs only"))
  }

  private func both(
    _ expectation: Expectation, stepped: [Int], threads: [[Int]]
  ) -> ExpectationOutcome.Result? {
    var record = SmallRecord.make(
      [.init(policy: .never, size: 20_000_000, digests: ["a"])], expectations: [expectation])
    record.provenance.schedule = .both
    record.cells[0].threadedRepetitions = threads.indices.map { index in
      var run = record.cells[0].repetitions[0]
      run.index = index + 2
      return run
    }
    let key = record.cells[0].key
    let rows = ([stepped] + threads).enumerated().map {
      CellRows(key: key, repetition: $0 + 1, rows: SmallRecord.samples($1))
    }
    return ScenarioAnalysis(record: record, samples: rows).expectations.first?.result
  }

  @Test(
    "what holds stepped must hold in every run on threads, unless it depends on the order of turns")
  func threads() throws {
    let level = (0..<31).map { 10_000_000 + min($0, 15) * 1_000_000 }
    let rising = (0..<31).map { 10_000_000 + $0 * 1_000_000 }
    var plateau = Expectation(
      text: "plateau", scope: .during(phase: "work"), condition: .plateau(variable: "totalBytes"))
    func evidence(_ result: ExpectationOutcome.Result?) -> String? {
      if case .failed(let evidence) = result { evidence } else { nil }
    }
    #expect(evidence(both(plateau, stepped: level, threads: [level, level])) == nil)
    #expect(
      evidence(both(plateau, stepped: level, threads: [level, rising]))?
        .hasPrefix("on real threads, run 2 of 2: totalBytes goes from") == true)
    #expect(
      evidence(both(plateau, stepped: rising, threads: [level]))?.hasPrefix("totalBytes goes")
        == true)
    plateau.isOfTurns = true
    guard case .held = both(plateau, stepped: level, threads: [rising]) else {
      Issue.record("an expectation of turns was checked on threads")
      return
    }
  }
}
