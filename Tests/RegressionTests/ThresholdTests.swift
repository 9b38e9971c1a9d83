// What a threshold file allows, and what is said of one that is wrong.
import MetricModel
import Regression
import Testing

@Suite("Thresholds")
struct ThresholdTests {
  private static let text = """
    # what we put up with
    metric * allow 1 %
    scenario churn  engine lmdb  metric high_water_bytes  allow 8 KiB   # two pages
    policy "on-launch: totalBytes > 20 MB"  metric space_amplification  range 1 to 2.5
    metric processor_time_ns noise 3
    metric written_bytes engine sqlite any
    """

  private func allowance(_ metric: String, engine: String = "native", policy: String = "never")
    throws -> Allowance
  {
    try Thresholds(parsing: Self.text, name: "gate.txt").allowance(
      scenario: "churn", engine: engine, policy: policy, arm: "default", metric: metric)
  }

  @Test("the last line that matches a figure counts, for each kind of threshold")
  func lastCounts() throws {
    #expect(try allowance("final_bytes") == .relative(0.01))
    #expect(try allowance("high_water_bytes") == .relative(0.01))
    #expect(try allowance("high_water_bytes", engine: "lmdb") == .absolute(8192))
    let policy = "on-launch: totalBytes > 20 MB"
    #expect(try allowance("space_amplification", policy: policy) == .range(1...2.5))
    #expect(try allowance("processor_time_ns") == .noise(3))
    #expect(try allowance("written_bytes", engine: "sqlite") == .any)
    #expect(try allowance("curve") == .none)
    #expect(
      Thresholds().allowance(
        scenario: "s", engine: "e", policy: "p", arm: "a", metric: "final_bytes") == .none)
  }

  @Test(
    "a line that is wrong is named by its number, with what is wrong",
    arguments: [
      ("metric final_bytez allow 1 %", "there is no metric \"final_bytez\""),
      ("allow 1 %", "no metric is named"),
      ("metric final_bytes", "the threshold is missing"),
      ("metric final_bytes allow", "nothing follows \"allow\""),
      ("metric final_bytes allow -1", "is not a number of at least 0"),
      ("metric final_bytes allow 1 parsec", "\"parsec\" is unexpected"),
      ("metric final_bytes range 2 to 1", "ends before it begins"),
      ("metric final_bytes range 1 2", "a range is LOW to HIGH"),
      ("metric final_bytes metric final_bytes any", "metric occurs twice"),
      ("metric \"final_bytes any", "a quoted word does not end"),
      ("metric final_bytes forgive", "\"forgive\" is not a threshold"),
      ("metric final_bytes allow 5 ms", "final_bytes is in bytes, of which \"ms\" is not a unit"),
      ("metric wall_ns range 1 s to 2 MB", "wall_ns is in ns, of which \"MB\" is not a unit"),
      ("metric commits allow 3 B", "commits is in count, of which \"B\" is not a unit"),
      ("metric * allow 3 kB", "\"*\" has no unit, so \"kB\" cannot be one"),
      ("metric wall_ns noise 3 ms", "noise is a factor and has no unit \"ms\""),
    ])
  func wrong(_ line: String, _ reason: String) {
    #expect {
      try Thresholds(parsing: "# first\n" + line, name: "gate.txt")
    } throws: { error in
      "\(error)".contains("gate.txt:2: ") && "\(error)".contains(reason)
    }
  }

  @Test("each kind of threshold allows its difference, and a byte more is a finding")
  func allows() throws {
    func verdict(_ text: String, _ base: Double, _ head: Double) throws -> FigureVerdict {
      let run = try BaselineTests.run()
      var baseline = try Baseline([run])
      let old = try #require(baseline.cells[0].figures["final_bytes"])
      // The head's figure is given: the base is moved by as much as is asked, and the threshold with it.
      baseline.cells[0].figures["final_bytes"] = old - (head - base)
      let findings = try BaselineComparisonTests.findings(run, baseline, thresholds: text)
      return findings.changes.first?.verdict ?? .same
    }
    #expect(try verdict("metric final_bytes allow 10", 0, 10) == .allowed)
    #expect(try verdict("metric final_bytes allow 10", 0, 11) == .worse)
    #expect(try verdict("metric final_bytes allow 10", 0, -11) == .better)
    #expect(try verdict("metric final_bytes noise 100", 0, 1) == .worse)
    #expect(try verdict("metric final_bytes any", 0, 1e6) == .allowed)
    #expect(try verdict("metric final_bytes range 0 to 1 GB", 0, 1) == .allowed)
    #expect(try verdict("metric final_bytes range 0 to 1", 0, 1) == .worse)
    #expect(try verdict("metric final_bytes range 500 GB to 501 GB", 0, -1) == .better)
    // Nothing changed, and it never was within.
    #expect(try verdict("metric final_bytes range 0 to 1", 0, 0) == .worse)
  }
}
