// Robustness against another mix, beside direct optimization; and resamples that are shared.
import Foundation
import Statistics
import Testing

@Suite("Mixtures and shared resamples")
struct WorstMixtureTests {
  private struct Case: Decodable {
    let costs: [Double]
    let weights: [Double]
    let divergence: Double
    let mean: Double
  }

  @Test("the worst mean within a divergence is that of direct optimization with SciPy")
  func reference() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Reference/mixtures.json")
    let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
    #expect(cases.count == 200)
    for item in cases {
      let mean = WorstMixture.mean(
        of: item.costs, weights: item.weights, within: item.divergence)
      #expect(abs(mean - item.mean) <= 2e-5 * max(1, mean), "\(item.costs) \(item.divergence)")
    }
  }

  @Test("without room it is the mean, with room enough the worst cost, and it never falls between")
  func limits() {
    let (costs, weights) = ([0.1, 0.4, 0.3], [1.0, 1, 2])
    let mean = (0.1 + 0.4 + 2 * 0.3) / 4
    #expect(abs(WorstMixture.mean(of: costs, weights: weights, within: 0) - mean) < 1e-9)
    #expect(WorstMixture.mean(of: costs, weights: weights, within: .infinity) == 0.4)
    #expect(WorstMixture.mean(of: costs, weights: weights, within: 2) == 0.4)
    #expect(WorstMixture.mean(of: [0.2, 0.2], weights: [1, 3], within: 0.5) == 0.2)
    var last = mean - 1e-9
    for step in 1...40 {
      let worst = WorstMixture.mean(
        of: costs, weights: weights, within: Double(step) * 0.05)
      #expect(worst >= last)
      last = worst
    }
  }

  @Test("shared resamples cancel what values have in common")
  func paired() {
    let (a, b) = ((1...20).map(Double.init), (1...20).map { Double($0) + 3 })
    let draws = PairedResamples(of: 20, resamples: 500, seed: 3)
    let differences = draws.values { draw in
      draw.reduce(0) { $0 + b[$1] - a[$1] } / 20
    }
    #expect(differences.allSatisfy { abs($0 - 3) < 1e-12 })
    let means = draws.values { draw in draw.reduce(0) { $0 + a[$1] } / 20 }
    let interval = PairedResamples.interval(of: means)
    // Mean 10.5, standard error 5.77 / √20.
    #expect(interval.contains(10.5) && interval.low > 7 && interval.high < 14)
    #expect(draws.values { Double($0.count) } == Array(repeating: 20, count: 500))
    let again = PairedResamples(of: 20, resamples: 500, seed: 3)
    #expect(again.values { draw in draw.reduce(0) { $0 + a[$1] } / 20 } == means)
  }
}
