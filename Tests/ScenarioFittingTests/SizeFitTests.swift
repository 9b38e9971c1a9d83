import Generators
import Testing

@testable import ScenarioFitting

@Suite("Fits of sizes")
struct SizeFitTests {
  private func sketch(_ sizes: SizeDistribution, _ count: Int, seed: UInt64 = 1) -> SizeSketch {
    var chooser = SizeChooser(sizes, seed: seed, label: "test")
    var sketch = SizeSketch()
    for _ in 0..<count { sketch.add(chooser.next()) }
    return sketch
  }

  @Test("one size is fixed, and few sizes have their shares")
  func exact() {
    #expect(SizeFit(sketch(.fixed(512), 30)).sizes == .fixed(512))
    var few = SizeSketch()
    for size in [200, 200, 200, 4000] { for _ in 0..<25 { few.add(size) } }
    let parts = [
      SizePart(shareMillionths: 750_000, low: 200, high: 200),
      SizePart(shareMillionths: 250_000, low: 4000, high: 4000),
    ]
    #expect(SizeFit(few).sizes == .mixture(parts))
  }

  @Test(
    "a range has its bounds within 2 %", arguments: [(40, 120), (200, 600), (50_000, 200_000)],
    [UInt64(1), 2])
  func uniform(bounds: (Int, Int), seed: UInt64) {
    let fit = SizeFit(sketch(.uniform(low: bounds.0, high: bounds.1), 2000, seed: seed))
    guard case .uniform(let low, let high) = fit.sizes else {
      Issue.record("\(fit.sizes)")
      return
    }
    let width = bounds.1 - bounds.0
    #expect(low - bounds.0 <= width / 50 && bounds.1 - high <= width / 50)
  }

  @Test(
    "a log-normal distribution has its median within 6 % and sigma within 5 %",
    arguments: [(256, 1200), (8000, 800), (1000, 300)], [UInt64(1), 2])
  func logNormal(parameters: (median: Int, sigma: Int), seed: UInt64) {
    let sizes = SizeDistribution.logNormal(
      median: parameters.median, sigmaPermille: parameters.sigma, maxSize: 1 << 24)
    let fit = SizeFit(sketch(sizes, 4000, seed: seed))
    guard case .logNormal(let median, let sigma, let greatest) = fit.sizes else {
      Issue.record("\(fit.sizes)")
      return
    }
    #expect(abs(Double(median) / Double(parameters.median) - 1) < 0.06)
    #expect(abs(Double(sigma) / Double(parameters.sigma) - 1) < 0.05)
    #expect(greatest == Int(sketch(sizes, 4000, seed: seed).bytes.max))
  }

  @Test("two humps are two ranges with the gap between them")
  func mixture() {
    let sizes = SizeDistribution.mixture([
      SizePart(shareMillionths: 680_000, low: 80, high: 400),
      SizePart(shareMillionths: 320_000, low: 1000, high: 4000),
    ])
    guard case .mixture(let parts) = SizeFit(sketch(sizes, 5000)).sizes else {
      Issue.record("no mixture")
      return
    }
    #expect(parts.reduce(0) { $0 + $1.shareMillionths } == 1_000_000)
    #expect(parts.allSatisfy { $0.high <= 410 || $0.low >= 990 })
    let small = parts.filter { $0.high <= 410 }.reduce(0) { $0 + $1.shareMillionths }
    #expect(abs(small - 680_000) <= 20_000)
  }

  @Test("sizes of no simple shape are within the tolerance in ten ranges")
  func anyShape() {
    var values = SizeSketch()
    for size in 1...400 { for _ in 0..<(size % 100) { values.add(size * size) } }
    guard case .mixture(let parts) = SizeFit(values).sizes else {
      Issue.record("no mixture")
      return
    }
    var drawn = SizeSketch()
    var chooser = SizeChooser(.mixture(parts), seed: 1, label: "drawn")
    for _ in 0..<40_000 { drawn.add(chooser.next()) }
    #expect(parts.count <= 10)
    #expect(drawn.distance(to: values) < 0.04)
  }

  @Test("a quantile is within 1.6 % of the size that has it")
  func quantiles() {
    var values = SizeSketch()
    for size in 1...100_000 { values.add(size) }
    for percent in stride(from: 1, through: 99, by: 7) {
      let size = values.quantile(Double(percent) / 100)
      #expect(abs(Double(size) / Double(percent * 1000) - 1) <= 0.016)
    }
  }

  @Test("joining two sketches is as adding all values to one")
  func merged() {
    var (both, first, second) = (SizeSketch(), SizeSketch(), SizeSketch())
    for size in 1...2000 {
      both.add(size * 3)
      if size % 3 == 0 { first.add(size * 3) } else { second.add(size * 3) }
    }
    first.merge(second)
    #expect(first.cumulative.map(\.size) == both.cumulative.map(\.size))
    #expect(first.cumulative.map(\.share) == both.cumulative.map(\.share))
    #expect(abs(first.logarithms.deviation - both.logarithms.deviation) < 1e-9)
  }
}
