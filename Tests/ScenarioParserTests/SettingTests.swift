// The keys of a client as a scenario is explained by them: those whose values are not the default.
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Settings of clients")
struct SettingTests {
  private func settings(_ client: String) throws -> [String] {
    let text = """
      scenario: sample
      question: What does it cost?
      data:
        Item: { rows: 40_000, value: { size: 256 B } }
      clients:
        writer: { kind: writer, transaction: { update: 10 } }
        other: \(client)
      phases:
        - work: { commits: 2_000, run: [writer, other] }
      policies:
        - never

      """
    let scenario = try ScenarioParser.parse(text, file: "sample.yml")
    return ScenarioKeys.settings(of: try #require(scenario.arms.first?.clients.last))
  }

  @Test(
    "a client's settings are the keys that a file has to give for it, as the file writes them",
    arguments: [
      ("{ kind: reader }", []), ("{ kind: reader, reads: 1, keys: uniform }", []),
      (
        "{ kind: queues, queues: 8, targeted: true, reads: 2_000, release: never }",
        ["queues: 8", "targeted: true", "reads: 2_000", "release: never"]
      ),
      (
        "{ kind: frozen, take-every: 1, window: unlimited }",
        ["take-every: 1 commit", "window: unlimited"]
      ),
      ("{ kind: process, does: pins, open-until: launch }", ["does: pins", "open-until: launch"]),
      ("{ kind: writer, transaction: { update: 1 }, arrivals: steady }", ["arrivals: steady"]),
      (
        "{ kind: queued-writers, transaction: { update: 1 }, think-time: 10 ms, threads: 4 }",
        ["think-time: 10 ms", "threads: 4"]
      ),
      (
        "{ kind: lookups, threads: 8, read: 2, snapshot: for each transaction, arrivals: poisson }",
        ["threads: 8", "read: 2", "arrivals: poisson"]
      ),
    ])
  func settings(_ client: String, _ expected: [String]) throws {
    #expect(try settings(client) == expected)
  }
}
