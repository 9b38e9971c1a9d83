// When a writer's transactions come, as it is written.
import Generators
import MetricModel
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Loads in scenario files")
struct LoadTests {
  private func parse(_ keys: String) throws -> LoadSpec? {
    let text = """
      scenario: sample
      question: What does it cost?
      data:
        Item: { rows: 1_000, value: { size: 256 B } }
      clients:
        writer: { kind: writer, transaction: { update: 10 }\(keys) }
      phases:
        - work: { commits: 2_000, run: [writer] }
      policies:
        - never

      """
    let scenario = try ScenarioParser.parse(text, file: "sample.yml")
    guard case .writer(let writer) = scenario.arms[0].clients[0].kind else { return nil }
    return writer.load
  }

  @Test(
    "loads",
    arguments: [
      ("", LoadSpec()), (", arrivals: after each", LoadSpec()),
      (
        ", think-time: 20 ms, rate: 5 per s",
        LoadSpec(
          arrivals: .afterEach(think: VirtualTime(microseconds: 20_000)), rate: .perSecond(5))
      ),
      (
        ", arrivals: steady, rate: 10_000 per s",
        LoadSpec(arrivals: .scheduled(.steady, nil), rate: .perSecond(10_000))
      ),
      (
        ", arrivals: poisson, wave: 80 % over 1 d",
        LoadSpec(
          arrivals: .scheduled(
            .poisson, RateWave(swingPermille: 800, periodMicroseconds: 86_400_000_000)))
      ),
      (
        ", arrivals: bursts of 50, rate: 70 % of maximum",
        LoadSpec(arrivals: .scheduled(.bursts(of: 50), nil), rate: .shareOfMaximum(0.7))
      ),
    ])
  func loads(_ keys: String, _ load: LoadSpec) throws {
    #expect(try parse(keys) == load)
  }

  @Test(
    "mistakes in loads",
    arguments: [
      (", rate: 50 % of maximum", "a share of the maximum needs a schedule to keep to"),
      (", wave: 50 % over 1 d", "a closed loop has no wave"),
      (", arrivals: steady, think-time: 1 s", "a schedule leaves no time to think"),
      (", arrivals: steady, wave: 99 % over 1 d", "the wave is out of range"),
      (", arrivals: bursts of 0", "0 is out of range"),
      (
        ", arrivals: sometimes",
        "expected after each, steady, poisson or bursts of 50, found \"sometimes\""
      ),
      (", arrivals: steady, rate: 2000 % of maximum", "the share is out of range"),
    ])
  func mistakes(_ keys: String, _ message: String) throws {
    do {
      _ = try parse(keys)
      Issue.record("no mistake is told")
    } catch let problems as ScenarioProblems {
      #expect(problems.problems.map(\.message) == [message])
    }
  }
}
