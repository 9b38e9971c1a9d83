// Automatic compaction in the policies of a scenario file: modes and thresholds.
import MetricModel
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Automatic compaction in scenario files")
struct AutomaticKeyTests {
  private func parse(_ policy: String) throws -> Scenario {
    try ScenarioParser.parse(SampleScenario.text(policy: policy), file: "sample.yml")
  }

  @Test(
    "thresholds stand in a mapping, or in the policy's text",
    arguments: [
      "{ name: a, automatic: { mode: eager, start-free-share: 40 %, min-file: 64 KiB, back-off: 5 commits } }",
      "a = automatic(eager, start-free-share 40 %, min-file 64 KiB, back-off 5)",
    ])
  func thresholds(_ text: String) throws {
    let policy = try #require(try parse(text).policies.first)
    var expected = AutomaticThresholds()
    expected.startFreeShare = 0.4
    expected.minimumFile = ByteCount(64 << 10)
    expected.backOffCommits = 5
    #expect(policy.thresholds == expected)
    #expect(policy.automatic && policy.preset == .eager && policy.name == "a")
    #expect(policy.rule == "automatic(eager, start-free-share 40 %, min-file 65536 B, back-off 5)")
    #expect(try parse("{ name: a, automatic: eager }").policies.first?.thresholds == nil)
    #expect(try parse("{ name: a, automatic: {} }").policies.first?.automatic == true)
  }

  @Test(
    "a mistake in a threshold is named with its line",
    arguments: [
      ("{ automatic: { start-free-share: 97 % } }", "the share is out of range"),
      ("{ automatic: { min-file: 1 kB } }", "the size is out of range"),
      (
        "{ automatic: { start-free-share: 30 % } }",
        "target-free-share 33.3 % is not below start-free-share 30.0 %"
      ),
      ("{ automatic: { start-share: 30 % } }", "unknown key \"start-share\""),
      (
        "{ automatic: { mode: often } }",
        "expected documented, realm-compatible, eager, idle, leveled, universal or fifo, found \"often\""
      ),
    ])
  func mistakes(_ text: String, _ message: String) {
    do {
      _ = try parse(text)
      Issue.record("no mistake is reported: \(text)")
    } catch {
      let problems = (error as? ScenarioProblems)?.problems ?? []
      #expect(problems.map(\.message) == [message])
      #expect(problems.allSatisfy { $0.file == "sample.yml" && $0.line == 10 })
    }
  }
}
