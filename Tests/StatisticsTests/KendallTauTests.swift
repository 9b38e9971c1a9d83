// Kendall's τ, beside figures of SciPy's `kendalltau`.
import Testing

@testable import Statistics

@Suite struct KendallTauTests {
  @Test("τ-b leaves out ties, as SciPy's does") func ties() throws {
    let tau = KendallTau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])
    #expect(abs(try #require(tau.value) - -0.471_404_520_791_031_73) < 1e-15)
    #expect(KendallTau([1, 2, 3], [5, 6, 9]).value == 1)
    #expect(KendallTau([1, 2, 3], [9, 6, 5]).value == -1)
  }

  @Test("of values that are all alike there is no order") func constant() {
    #expect(KendallTau([1, 1, 1], [1, 2, 3]).value == nil)
    #expect(KendallTau().value == nil)
  }

  @Test("pairs that are close in the second list are left out") func close() {
    var tau = KendallTau()
    tau.add([1, 2, 3], [101, 100, 110], apart: 0.03)
    #expect(tau.value == 1 && tau.pairCount == 2)
    tau.add([1, 2], [0, 0], apart: 0)
    #expect(tau.pairCount == 2)
  }

  @Test("pairs of different lists are not compared") func pooled() throws {
    var tau = KendallTau()
    tau.add([1, 2], [10, 20])
    tau.add([100, 200], [2, 1])
    #expect(tau.concordant == 1 && tau.discordant == 1)
    #expect(tau.value == 0)
  }
}
