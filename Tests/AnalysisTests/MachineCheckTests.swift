// The A/A check of a run, and what a report says of a machine that was disturbed.
import Analysis
import MetricModel
import RecordModel
import Testing

@Suite("The check of the machine")
struct MachineCheckTests {
  /// A record of six blocks in which the second run of each takes `factor` times as long as the first.
  private func record(factor: (Int) -> Double?) -> RunRecord {
    var record = SmallRecord.make([
      .init(policy: .never, size: 40_000_000), .init(policy: .everyLaunch, size: 10_000_000),
    ])
    record.provenance.schedule = .threads
    for cell in record.cells.indices {
      for run in record.cells[cell].repetitions.indices {
        var timing = record.cells[cell].repetitions[run].timing
        timing.wall = 1_000_000_000 + run * 1_000_000
        timing.processorTime = 500_000_000 + run * 1_000_000
        record.cells[cell].repetitions[run].timing = timing
        guard let factor = factor(run) else { continue }
        timing.wall = Int(Double(timing.wall) * factor)
        record.cells[cell].controls =
          (record.cells[cell].controls ?? []) + [ControlRun(repetition: run + 1, timing: timing)]
      }
    }
    return record
  }

  @Test("two runs that hardly differ pass, and the report states it with the number of pairs")
  func passes() throws {
    let analysis = ScenarioAnalysis(
      record: record { $0.isMultiple(of: 2) ? 1.01 : 0.99 }, samples: [])
    let check = try #require(analysis.machineCheck)
    #expect(check.isPassed && check.pairs == 12 && check.failed.isEmpty)
    #expect(
      check.sentence.hasPrefix("A/A check passed (two runs of each cell in each block, 12 pairs)"))
    #expect(analysis.recommendation.context.contains(check.sentence))
  }

  @Test(
    "two runs of which the second always takes a third longer do not pass, and that is a warning")
  func fails() throws {
    let analysis = ScenarioAnalysis(record: record { _ in 1.33 }, samples: [])
    let check = try #require(analysis.machineCheck)
    #expect(check.failed.map(\.name) == ["wall time"])
    #expect(
      check.sentence.hasPrefix("A/A check not passed") && check.sentence.contains("wall time ("))
    #expect(analysis.recommendation.warnings.contains(check.sentence))
  }

  @Test("without second runs there is no check, and one whose first run is missing makes no pair")
  func none() {
    #expect(ScenarioAnalysis(record: record { _ in nil }, samples: []).machineCheck == nil)
    var record = record { $0 == 0 ? 1 : nil }
    for cell in record.cells.indices { record.cells[cell].repetitions.removeFirst() }
    #expect(ScenarioAnalysis(record: record, samples: []).machineCheck == nil)
  }

  @Test(
    "under steal or throttling the verdict warns of the times, and on a quiet machine it does not")
  func disturbed() {
    func warnings(_ change: (inout MachineConditions) -> Void) -> [String] {
      var record = record { _ in nil }
      var conditions = MachineConditions()
      change(&conditions)
      record.provenance.conditions = conditions
      return ScenarioAnalysis(record: record, samples: []).recommendation.warnings
    }
    #expect(
      warnings { $0.steal = 0.01 }.isEmpty && warnings { $0.throttledMilliseconds = 0 }.isEmpty)
    #expect(
      warnings { $0.steal = 0.072 } == [
        "While times were measured, the host took 7.20 % of processor time (steal); compare them with care."
      ])
    #expect(
      warnings {
        $0.throttledMilliseconds = 1
        $0.heatThrottles = 2
      } == [
        "While times were measured, a quota stopped the run for 1 ms (throttling) and processors were slowed down by heat"
          + " 2 times (throttling); compare them with care."
      ])
    #expect(warnings { $0.others = 0.26 }.count == 1 && warnings { $0.others = 0.25 }.isEmpty)
  }
}
