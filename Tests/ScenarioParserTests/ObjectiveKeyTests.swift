// `objective:` in a scenario, and the same keys on the command line.
import MetricModel
import Objective
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Keys of an objective")
struct ObjectiveKeyTests {
  private func parse(_ objective: String) throws -> Scenario {
    let text = """
      scenario: sample
      question: What does it cost?
      data:
        Item: { rows: 100, value: { size: 256 B } }
      clients:
        writer: { kind: writer, transaction: { update: 10 } }
      phases:
        - work: { commits: 20, run: [writer] }
      policies:
        - never
      \(objective)

      """
    return try ScenarioParser.parse(text, file: "sample.yml")
  }

  @Test(
    "a scenario without an objective has none, and the default's prices go for what it leaves out")
  func defaults() throws {
    #expect(try parse("").objective == nil)
    let objective = try #require(try parse("objective: { max-size: 20 MB }").objective)
    #expect(objective.prices == Prices())
    #expect(objective.limits.maxSize == ByteCount(20_000_000))
    #expect(objective.limits.maxDisk == nil)
  }

  @Test("prices and limits are those of the file")
  func values() throws {
    let objective = try #require(
      try parse(
        "objective: { space: 0.5, rewritten: 2, blocked: 0.25, max-disk: 1 GB, max-launch: 400 ms, max-rewritten: 5 MiB }"
      ).objective)
    #expect(objective.prices == (try Prices(space: 0.5, rewritten: 2, blocked: 0.25)))
    #expect(objective.limits.maxSize == nil)
    #expect(objective.limits.maxDisk == ByteCount(1_000_000_000))
    #expect(objective.limits.maxLaunch == 400_000_000)
    #expect(objective.limits.maxRewritten == ByteCount(5 << 20))
  }

  @Test("a larger size multiplies the limits of bytes with the data, and no price")
  func sizes() throws {
    let objective = try #require(
      try parse("objective: { space: 2, max-size: 20 MB, max-launch: 1 s }").sized(.middle)
        .objective)
    #expect(objective.limits.maxSize == ByteCount(60_000_000))
    #expect(objective.limits.maxLaunch == 1_000_000_000)
    #expect(objective.prices.space == 2)
  }

  @Test(
    "mistakes are named with their place",
    arguments: [
      ("{ space: -1 }", "expected a price such as 0.5, found \"-1\""),
      ("{ space: 1_001 }", "the price is out of range"),
      ("{ rewritten: 0.0000001 }", "the price is out of range"),
      ("{ space: 0, rewritten: 0 }", "all prices are zero"),
      ("{ max-sise: 20 MB }", "did you mean \"max-size\"?"),
    ])
  func mistakes(objective: String, message: String) {
    #expect {
      _ = try parse("objective: \(objective)")
    } throws: {
      "\($0)".contains(message)
    }
    #expect {
      _ = try ScenarioParser.objective(objective, option: "--objective")
    } throws: {
      "\($0)".contains(message)
    }
  }

  @Test("on the command line the braces may be left out")
  func option() throws {
    let expected = try #require(try parse("objective: { space: 2, max-size: 1 MB }").objective)
    for text in ["space: 2, max-size: 1 MB", "{ space: 2, max-size: 1 MB }"] {
      #expect(try ScenarioParser.objective(text, option: "--objective") == expected)
    }
  }
}
