// Calls on paired runs with known answers: made-up times, no clock.
import Analysis
import Generators
import Statistics
import Testing

/// Times around `center` with noise of about `noise`, and now and then an outlier, as real ones have.
private func times(_ count: Int, _ center: Double, noise: Double, _ label: String) -> [Double] {
  var stream = RandomStream(seed: 7, label: label)
  return (0..<count).map { index in
    let wiggle = Double(stream.next(in: -1000...1000)) / 1000 * noise
    return center * (1 + wiggle) * (index % 17 == 3 ? 1.6 : 1)
  }
}

private func series(
  _ count: Int, head factor: Double, noise: Double = 0.02, _ label: String = "a"
) -> PairedSeries {
  // What disturbs a block disturbs all its runs.
  let blocks = times(count, 1, noise: 0.2, "\(label) blocks")
  func arm(_ name: String, _ factor: Double) -> [Double] {
    zip(blocks, times(count, 1e6 * factor, noise: noise, "\(label) \(name)")).map { $0 * $1 }
  }
  return PairedSeries(
    name: label, unit: .nanoseconds, base: arm("base", 1), head: arm("head", factor),
    control: arm("control", 1))
}

@Suite("Verdicts on paired runs")
struct PairedComparisonTests {
  private let rules = ComparisonRules()

  @Test("a change beyond the tolerance gets a verdict by its direction, and its ratio is estimated")
  func beyond() throws {
    for (factor, call) in [(1.1, PairedComparison.Verdict.regressed), (0.9, .improved)] {
      let verdict = PairedComparison.compare([series(60, head: factor)], rules, level: 0.02)[0]
      #expect(verdict.verdict == call)
      let ratio = try #require(verdict.ratio)
      #expect(abs(ratio.ratio / factor - 1) < 0.02)
      #expect(try #require(ratio.interval).contains(factor))
      #expect(try #require(verdict.resampled).contains(factor))
      #expect(verdict.pValue < 0.02 && verdict.flipPValue < 0.02)
      #expect((verdict.rankBiserial > 0.9) == (factor > 1))
    }
  }

  @Test("where more is better, the same change gets the opposite verdict")
  func polarity() {
    var rates = series(60, head: 1.1)
    rates.polarity = .higherIsBetter
    #expect(PairedComparison.compare([rates], rules, level: 0.02)[0].verdict == .improved)
  }

  @Test(
    "an interval that begins at the tolerance itself is not beyond it, whatever the tests reject")
  func touching() throws {
    let heads = [Double](repeating: 2, count: 40) + (1...20).map { 2 + Double($0) / 10 }
    let touching = PairedSeries(
      name: "a", unit: .nanoseconds, base: [Double](repeating: 1, count: 60), head: heads,
      control: [])
    let verdict = PairedComparison.compare(
      [touching], ComparisonRules(tolerance: 1), level: 0.02)[0]
    #expect(verdict.ratio?.interval?.low == 2)
    #expect(verdict.pValue < 0.02 && verdict.flipPValue < 0.02)
    #expect(verdict.verdict == .inconclusive)
  }

  @Test("a real change within the tolerance is equivalent, however precise its estimate")
  func within() throws {
    let verdict = PairedComparison.compare(
      [series(120, head: 1.01, noise: 0.005)], rules, level: 0.05)[0]
    #expect(verdict.verdict == .equivalent)
    #expect(try #require(verdict.ratio?.interval).low > 1, "the change is real")
  }

  @Test("noise that hides the tolerance is inconclusive, with the smallest detectable change")
  func noisy() {
    let verdict = PairedComparison.compare([series(30, head: 1, noise: 0.5)], rules, level: 0.02)[0]
    #expect(verdict.verdict == .inconclusive)
    #expect(verdict.smallestEffect > 0.1 && verdict.smallestEffect < 1)
    let quiet = PairedComparison.compare([series(120, head: 1, noise: 0.01)], rules, level: 0.02)[0]
    #expect(quiet.smallestEffect < 0.05)
  }

  @Test("few pairs, zeros and single runs are inconclusive")
  func tooLittle() {
    #expect(
      PairedComparison.compare([series(4, head: 3)], rules, level: 0.02)[0].verdict == .inconclusive
    )
    let zeros = PairedSeries(
      name: "z", unit: .nanoseconds, base: [0, 1, 2], head: [1, 2, 3], control: [1, 1, 1])
    let verdict = PairedComparison.compare([zeros], rules, level: 0.02)[0]
    #expect(verdict.verdict == .inconclusive && verdict.ratio == nil)
    #expect(
      PairedComparison.compare([series(1, head: 2)], rules, level: 0.02)[0].verdict == .inconclusive
    )
  }

  @Test("the A/A check passes on a quiet machine, and fails on a drifting one")
  func certificate() {
    let quiet = series(60, head: 1.5)
    #expect(PairedComparison.aaCheck([quiet], rules, level: 0.02)[0].verdict == .equivalent)
    var drifting = quiet
    drifting.control = drifting.control.map { $0 * 1.1 }
    #expect(PairedComparison.aaCheck([drifting], rules, level: 0.02)[0].verdict == .regressed)
  }

  @Test("deciding figures are corrected together, so many of them raise the bar")
  func corrected() {
    let one = PairedComparison.compare([series(12, head: 1.05)], rules, level: 0.05)[0]
    let many = PairedComparison.compare(
      (0..<40).map { series(12, head: 1.05, "m\($0)") }, rules, level: 0.05)
    #expect(one.verdict == .regressed)
    #expect(many.allSatisfy { $0.pValue >= one.pValue })
    #expect(many.contains { $0.verdict == .inconclusive })
  }

  @Test("a build compared with itself gets a false alarm in fewer than 5 of 100 comparisons")
  func falseAlarms() {
    let calls = (0..<100).map { index in
      PairedComparison.compare(
        [series(30, head: 1, noise: 0.15, "false \(index)")], ComparisonRules(tolerance: 0.001),
        level: 0.05)[0].verdict
    }
    #expect(calls.count { $0 == .regressed || $0 == .improved } < 5)
  }
}
