// Launches in scenario files: how many, what is between them, and how they end.
import MetricModel
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Launches in scenario files")
struct LaunchKeyTests {
  private func parse(adding more: String = "") throws -> Scenario {
    try ScenarioParser.parse(SampleScenario.text() + more, file: "sample.yml")
  }

  @Test(
    "launches have gaps, hours and crashes, and may begin with a seed file; arms may be encrypted")
  func lifecycles() throws {
    let scenario = try parse(
      adding: """
        launches: { count: 9, gap: log-normal 6 h sigma 1.2, active-hours: 7 h to 23 h, crash: [2, 4 to 5] }
        seed-file: true
        arms:
          - plain:
          - encrypted: { encrypted: true }
          - background: { opens-in-background: true }

        """)
    #expect(scenario.launches == 9)
    #expect(scenario.gapBetweenLaunches == VirtualTime(seconds: 6 * 3600))
    #expect(
      scenario.lifecycle
        == LifecycleSpec(
          gapSigmaPermille: 1200, awake: LifecycleSpec.Hours(from: 7, to: 23), crashes: [2, 4, 5],
          isSeeded: true))
    #expect(scenario.arms.map(\.isEncrypted) == [false, true, false])
    #expect(scenario.arms.map(\.opensInBackground) == [nil, nil, true])
    #expect(try parse().lifecycle == LifecycleSpec())
  }

  @Test("launches that begin cold are numbered from 2")
  func coldStarts() throws {
    #expect(
      try parse(adding: "launches: { count: 5, cold: [2, 4 to 5] }\n").lifecycle.coldStarts
        == [2, 4, 5])
    #expect(try parse(adding: "launches: 5\n").lifecycle.coldStarts == nil)
  }

  @Test(
    "moments in the background divide the gap evenly, unless they have shares of their own",
    arguments: [
      ("charging", [BackgroundSpec(.charging, gapPermille: 500)]),
      (
        "[idle, charging]",
        [BackgroundSpec(.idle, gapPermille: 333), BackgroundSpec(.charging, gapPermille: 666)]
      ),
      ("charging at 30 %", [BackgroundSpec(.charging, gapPermille: 300)]),
      (
        "[charging at 12.5 %, idle]",
        [BackgroundSpec(.charging, gapPermille: 125), BackgroundSpec(.idle, gapPermille: 666)]
      ),
    ])
  func background(_ text: String, moments: [BackgroundSpec]) throws {
    let scenario = try parse(adding: "launches: { count: 3, background: \(text) }\n")
    #expect(scenario.lifecycle.background == moments)
    #expect(scenario.openings.count == 3 + 2 * moments.count)
    #expect(try parse(adding: "launches: 3\n").lifecycle.background == nil)
  }

  @Test("a moment lies between two launches, and no phase has its name")
  func backgroundMistakes() {
    for (text, message) in [
      (
        "launches: { count: 1, background: charging }",
        "there is no time between launches for the background"
      ),
      (
        "launches: { count: 3, gap: 0 s, background: charging }",
        "there is no time between launches for the background"
      ),
      (
        "launches: { count: 3, background: charging, compaction-killed: 2 }",
        "a compaction is killed before launches, and the background opens the database between"
      ),
      (
        "launches: { count: 3, background: work }",
        "expected idle or charging, as in charging at 30 %, found \"work\""
      ),
    ] {
      do {
        _ = try parse(adding: text + "\n")
        Issue.record("no mistake is reported: \(text)")
      } catch {
        let problems = (error as? ScenarioProblems)?.problems ?? []
        #expect(problems.map(\.message) == [message])
        #expect(problems.allSatisfy { $0.file == "sample.yml" && $0.line == 11 })
      }
    }
  }

  @Test(
    "a mistake in a launch key is reported as such, and as nothing else",
    arguments: [
      (
        "gap: log-normal 6 h",
        "expected a gap such as log-normal 8 h sigma 1, found \"log-normal 6 h\""
      ),
      ("gap: log-normal 6 h sigma 9", "the gap is out of range"),
      ("active-hours: 23 h to 7 h", "the hours are out of range"),
      ("active-hours: mornings", "expected hours such as 7 h to 23 h, found \"mornings\""),
      ("crash: 4", "4 is out of range"),
      ("background: [charging, charging]", "charging is there already"),
      ("background: charging at 100 %", "the share is out of range"),
      ("background: [charging at 60 %, idle at 40 %]", "idle is not after charging"),
    ])
  func lifecycleMistakes(_ key: String, _ message: String) {
    do {
      _ = try parse(adding: "launches: { count: 3, \(key) }\n")
      Issue.record("no mistake is reported")
    } catch {
      #expect((error as? ScenarioProblems)?.problems.map(\.message) == [message])
    }
  }
}
