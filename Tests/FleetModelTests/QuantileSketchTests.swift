// Quantiles in bounded memory, beside those of all values sorted.
import FleetModel
import Generators
import Testing

@Suite struct QuantileSketchTests {
  private func values(_ count: Int, seed: UInt64 = 1) -> [Double] {
    var stream = RandomStream(seed: seed)
    return (0..<count).map { _ in 5e6 * PortablePower.ofE(2 * StandardNormal.next(from: &stream)) }
  }

  private func sketch(_ values: some Sequence<Double>) -> QuantileSketch {
    var sketch = QuantileSketch()
    for value in values { sketch.add(value) }
    return sketch
  }

  @Test("a quantile is off by at most 1/256 of itself", arguments: [0.01, 0.5, 0.9, 0.99, 0.999])
  func error(_ share: Double) throws {
    let all = values(30_000)
    let rank = Int((share * 30_000).rounded(.up))
    let exact = all.sorted()[rank - 1]
    let found = try #require(sketch(all).quantile(share))
    #expect(abs(found / exact - 1) <= QuantileSketch.maxError)
  }

  @Test("the extremes are exact") func extremes() throws {
    let all = values(1000)
    let sketch = sketch(all)
    #expect(sketch.minimum == all.min() && sketch.maximum == all.max())
    #expect(sketch.quantile(1) == all.max())
  }

  @Test("parts merge to the same bits in any order") func merge() {
    let all = values(5000)
    let parts = [sketch(all[..<10]), sketch(all[10..<4000]), sketch(all[4000...])]
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
      var merged = QuantileSketch()
      for index in order { merged.merge(parts[index]) }
      #expect(merged == sketch(all))
    }
  }

  @Test("the interval has the quantile of the distribution in 93 % of samples or more")
  func coverage() throws {
    // The median and the p90 of the log-normal distribution that is drawn from.
    for (share, truth) in [(0.5, 5e6), (0.9, 5e6 * PortablePower.ofE(2 * 1.2815515655446004))] {
      let covered = (0..<400).count { seed in
        let interval = sketch(values(300, seed: UInt64(seed))).interval(of: share)
        return interval.map { $0.contains(truth) } ?? false
      }
      #expect(covered >= 372, "\(share): \(covered) of 400")
    }
  }

  @Test("a quantile beyond the sample has no interval") func few() {
    #expect(sketch(values(50)).interval(of: 0.999) == nil)
    #expect(QuantileSketch().quantile(0.5) == nil)
  }

  @Test("the share above a limit counts whole bins") func share() {
    let sketch = sketch([0, 0.5, 1, 100, 1000, 1e12])
    #expect(sketch.share(above: 500) == 2.0 / 6)
    #expect(sketch.share(above: 0.9) == 4.0 / 6)
  }
}
