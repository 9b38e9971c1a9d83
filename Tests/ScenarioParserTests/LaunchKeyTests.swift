// Launches in scenario files: how many, what is between them, and how they end.
import MetricModel
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Launches in scenario files")
struct LaunchKeyTests {
  private func parse(adding more: String = "") throws -> Scenario {
    let text = """
      scenario: sample
      question: What does it cost?
      data:
        Item: { rows: 40_000, value: { size: 256 B } }
      clients:
        writer: { kind: writer, transaction: { update: 10 } }
      phases:
        - work: { commits: 2_000, run: [writer] }
      policies:
        - never

      """
    return try ScenarioParser.parse(text + more, file: "sample.yml")
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
