// Launches: their gaps, their hours, and those that end by a crash.
import EngineInterface
import MetricModel
import RecordModel
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Lifecycles")
struct LifecycleTests {
  private func openings(_ lifecycle: LifecycleSpec, launches: Int, gapHours: Double) throws
    -> [Double]
  {
    var scenario = CellRunTests.scenario([CellRunTests.writer], commits: 1, launches: launches)
    scenario.gapBetweenLaunches = VirtualTime(seconds: gapHours * 3600)
    scenario.lifecycle = lifecycle
    let samples = try CellRunTests.run(scenario, on: LoggingEngine()).samples
    return (2...launches).compactMap { launch in
      samples.first { $0.observation.launch == launch }.map { $0.observation.time.seconds / 3600 }
    }
  }

  @Test("without a spread every gap is the same")
  func fixed() throws {
    let times = try openings(LifecycleSpec(), launches: 4, gapHours: 5)
    #expect(times.map { Int($0) } == [5, 10, 15])
  }

  @Test("log-normal gaps differ, lie around their median, and are the same again")
  func spread() throws {
    let lifecycle = LifecycleSpec(gapSigmaPermille: 1000)
    let times = try openings(lifecycle, launches: 200, gapHours: 6)
    let gaps = zip([0] + times, times).map { $1 - $0 }
    #expect(Set(gaps).count > 190)
    // Half of 199 gaps, give or take six standard deviations.
    #expect((57...142).contains(gaps.count { $0 < 6 }))
    #expect(try openings(lifecycle, launches: 200, gapHours: 6) == times)
  }

  @Test("a launch that falls into the night is moved to the morning")
  func awake() throws {
    let lifecycle = LifecycleSpec(
      gapSigmaPermille: 1000, awake: LifecycleSpec.Hours(from: 7, to: 23))
    let times = try openings(lifecycle, launches: 200, gapHours: 6)
    let hours = times.map { $0.truncatingRemainder(dividingBy: 24) }
    #expect(hours.allSatisfy { (7.0..<23).contains($0) })
    #expect(hours.contains { $0 == 7 } && hours.contains { $0 > 8 })
    #expect(times == times.sorted())
  }

  @Test("a crash ends a launch without its unfinished rows, and the next one finds all the others")
  func crash() throws {
    var scenario = CellRunTests.scenario([CellRunTests.writer], commits: 10, launches: 3)
    scenario.lifecycle.crashes = [1, 2]
    let engine = LoggingEngine()
    let result = try CellRunTests.run(scenario, on: engine)
    #expect(result.record.exact.commits == 30)
    #expect(engine.trace.lines.count { $0 == "begin check after a crash" } == 2)
    #expect(engine.trace.lines.count { $0 == "close" } == 3)
  }

  @Test("a row that is lost in a crash fails the cell")
  func lostRow() throws {
    var scenario = CellRunTests.scenario([CellRunTests.writer], commits: 10, launches: 2)
    scenario.lifecycle.crashes = [1]
    let engine = LoggingEngine()
    engine.trace.withState { $0.losesARowWhenOpened = true }
    #expect {
      try CellRunTests.run(scenario, on: engine)
    } throws: { error in
      let error = error as? EngineError
      return error?.code == .corrupt
        && error?.message == "after a crash table Item has 99 rows of 100"
    }
  }
}
