import Generators
import ScenarioModel
import Testing

@testable import ScenarioFitting

@Suite("Fits of lifetimes")
struct LifetimeFitTests {
  /// Returns lifetimes drawn from the distribution; those longer than `cut` were cut there.
  private func draw(
    _ lifetime: LifetimeDistribution, cut: Int = .max, seed: UInt64 = 1
  ) -> (lives: [Int], cut: [Int]) {
    var chooser = LifetimeChooser(
      lifetime, stream: RandomStream(seed: seed, label: "test", index: 0))
    let lives = (0..<1000).compactMap { _ in chooser.next() }
    return (lives.filter { $0 <= cut }, lives.filter { $0 > cut }.map { _ in cut })
  }

  private func fit(
    _ lifetime: LifetimeDistribution, cut: Int = .max, seed: UInt64 = 1
  ) -> LifetimeDistribution {
    let drawn = draw(lifetime, cut: cut, seed: seed)
    return LifetimeFit(lives: drawn.lives, cut: drawn.cut).lifetime
  }

  @Test("a fixed lifetime stays what it is")
  func fixed() {
    #expect(fit(.fixed(commits: 200)) == .fixed(commits: 200))
    #expect(fit(.fixed(commits: 1)) == .fixed(commits: 1))
  }

  @Test(
    "a mean is recovered within 10 %, whether or not a third is cut", arguments: [Int.max, 220])
  func exponential(cut: Int) {
    guard case .exponential(let mean) = fit(.exponential(mean: 200), cut: cut) else {
      Issue.record("\(fit(.exponential(mean: 200), cut: cut))")
      return
    }
    #expect(abs(mean - 200) <= 20)
  }

  @Test("a range has its bounds within 2 %")
  func uniform() {
    guard case .uniform(let low, let high) = fit(.uniform(low: 10, high: 200)) else {
      Issue.record("\(fit(.uniform(low: 10, high: 200)))")
      return
    }
    #expect(low - 10 <= 4 && 200 - high <= 4)
  }

  @Test(
    "a median is recovered within 10 %, whether or not some are cut", arguments: [Int.max, 400])
  func logNormal(cut: Int) {
    let found = fit(.logNormal(median: 200, sigmaPermille: 1000), cut: cut)
    guard case .logNormal(let median, let sigma) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(abs(median - 200) <= 20)
    #expect(abs(sigma - 1000) <= 100)
  }

  @Test("a heavy tail has its exponent within 10 %")
  func pareto() {
    let found = fit(.pareto(least: 50, alphaPermille: 1500))
    guard case .pareto(let least, let alpha) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(least == 50)
    #expect(abs(alpha - 1500) <= 150)
  }

  @Test("a sample of a long series is even and bounded")
  func reservoir() {
    var sample = Reservoir()
    for value in 1...100_000 { sample.add(value) }
    #expect(sample.values.count == Reservoir.capacity)
    #expect(sample.count == 100_000)
    let mean = Double(sample.values.reduce(0, +)) / Double(Reservoir.capacity)
    #expect(abs(mean - 50_000) < 3000)
  }
}
