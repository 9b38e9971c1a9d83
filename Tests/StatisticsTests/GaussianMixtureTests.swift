// Mixtures of normal distributions, beside scikit-learn's and SciPy's.
import Foundation
import Statistics
import Testing

@Suite("Mixtures of normal distributions")
struct GaussianMixtureTests {
  private struct Case: Decodable {
    let points: [[Double]]
    let weights: [Double]
    let means: [[Double]]
    let covariances: [[[Double]]]
    let logLikelihood: Double
    let criteria: [Double]
    let best: Int
  }

  private func cases() throws -> [Case] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Reference/gaussians.json")
    return try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
  }

  @Test("weights, means, covariances and likelihoods are those of scikit-learn and SciPy")
  func reference() throws {
    let cases = try cases()
    #expect(cases.map(\.best) == [1, 2, 3])
    for item in cases {
      let count = item.weights.count
      let found = try #require(
        GaussianMixture.fit(item.points, components: count, seed: 1))
      #expect(abs(found.logLikelihood - item.logLikelihood) < 0.01)
      for (index, component) in found.components.enumerated() {
        #expect(abs(component.weight - item.weights[index]) < 2e-4)
        for (a, b) in zip(component.mean, item.means[index]) { #expect(abs(a - b) < 2e-3) }
        for (row, other) in zip(component.covariance, item.covariances[index]) {
          for (a, b) in zip(row, other) { #expect(abs(a - b) < 2e-3) }
        }
      }
      let single = try #require(GaussianMixture.fit(item.points, components: 1, seed: 1))
      #expect(abs(single.bic - item.criteria[0]) < 0.01)
      #expect(abs(found.bic - item.criteria[count - 1]) < 0.02)
    }
  }

  @Test("the criterion chooses the number of components, and members are told apart")
  func chosen() throws {
    for item in try cases() {
      let best = try #require(GaussianMixture.best(item.points, maxComponents: 4, seed: 3))
      #expect(best.components.count == item.best)
      for (index, component) in best.components.enumerated() {
        let memberships = best.memberships(of: component.mean)
        #expect(abs(memberships.reduce(0, +) - 1) < 1e-12)
        #expect(memberships.firstIndex(of: memberships.max() ?? 0) == index)
      }
    }
  }

  @Test("the same seed gives the same mixture, and points that do not differ give none")
  func limits() throws {
    let item = try cases()[2]
    #expect(
      GaussianMixture.fit(item.points, components: 3, seed: 9)
        == GaussianMixture.fit(item.points, components: 3, seed: 9))
    #expect(
      GaussianMixture.fit((0..<50).map { [Double($0), 1] }, components: 1, seed: 1) == nil)
    #expect(GaussianMixture.fit([[1, 2], [2, 3]], components: 1, seed: 1) == nil)
  }
}
