// Lifetimes of pins against what their shapes promise. The figures are of 20,000 draws; the seed is fixed, so that they
// are the same every time.
import Generators
import Testing

@Suite("Lifetimes of pins")
struct LifetimeTests {
  private func sorted(_ distribution: LifetimeDistribution) -> [Int] {
    var chooser = LifetimeChooser(distribution, stream: RandomStream(seed: 7, label: "lifetimes"))
    return (0..<20_000).compactMap { _ in chooser.next() }.sorted()
  }

  private func share(_ lifetimes: [Int], above limit: Int) -> Double {
    Double(lifetimes.count { $0 > limit }) / Double(lifetimes.count)
  }

  @Test("a fixed lifetime is what it says, and never is none")
  func fixed() {
    #expect(Set(sorted(.fixed(commits: 200))) == [200])
    #expect(sorted(.never).isEmpty)
  }

  @Test("uniform lifetimes reach both their ends")
  func uniform() {
    let lifetimes = sorted(.uniform(low: 10, high: 20))
    #expect(Set(lifetimes) == Set(10...20))
  }

  @Test("of exponential lifetimes 1/e are longer than the mean, and 1/e³ than three times that")
  func exponential() {
    let lifetimes = sorted(.exponential(mean: 1000))
    #expect(abs(share(lifetimes, above: 1000) - 0.3679) < 0.01)
    #expect(abs(share(lifetimes, above: 3000) - 0.0498) < 0.005)
    let mean = Double(lifetimes.reduce(0, +)) / Double(lifetimes.count)
    #expect(abs(mean - 1000) < 25)
  }

  @Test("half of log-normal lifetimes are longer than the median, 15.9 % than e^σ times it")
  func logNormal() {
    let lifetimes = sorted(.logNormal(median: 1000, sigmaPermille: 1000))
    #expect(abs(share(lifetimes, above: 1000) - 0.5) < 0.01)
    #expect(abs(share(lifetimes, above: 2718) - 0.1587) < 0.01)
    #expect(abs(share(lifetimes, above: 368) - 0.8413) < 0.01)
  }

  @Test("of Pareto lifetimes the share beyond k times the least is k to the minus alpha")
  func pareto() {
    let lifetimes = sorted(.pareto(least: 100, alphaPermille: 1500))
    #expect(lifetimes.first.map { $0 >= 100 } == true)
    #expect(abs(share(lifetimes, above: 400) - 0.125) < 0.01)
    #expect(abs(share(lifetimes, above: 1000) - 0.0316) < 0.005)
  }

  @Test("a lifetime is a commit at least, and never longer than the longest")
  func bounds() {
    #expect(sorted(.exponential(mean: 1)).first == 1)
    let heavy = sorted(.pareto(least: 1_000_000, alphaPermille: 100))
    #expect(heavy.last == LifetimeChooser.greatest)
  }
}
