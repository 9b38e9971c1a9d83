import Testing

@testable import ScenarioFitting

@Suite("Distance of curves")
struct CurveDistanceTests {
  private func curve(_ sizes: [Int], launch: Int = 1, step: Int = 10) -> [CurveDistance.Point] {
    sizes.enumerated().map { .init(launch: launch, commits: $0 * step, bytes: $1) }
  }

  @Test("equal curves have no distance")
  func equal() {
    let distance = CurveDistance(of: curve([100, 200, 300]), curve([100, 200, 300]))
    #expect(distance.mean == 0 && distance.greatest == 0 && distance.points == 3)
  }

  @Test("the distance is the mean of absolute differences, each relative to the trace")
  func mean() {
    let distance = CurveDistance(of: curve([100, 200, 400]), curve([110, 180, 400]))
    #expect(abs(distance.mean - 0.2 / 3) < 1e-12)
    #expect(abs(distance.greatest - 0.1) < 1e-12)
    #expect(distance.greatestAt.commits == 0)
  }

  @Test("curves with other numbers of commits are compared after the same share of them")
  func otherCommits() {
    let fitted = curve([100, 150, 200, 250, 300], step: 20)
    #expect(CurveDistance(of: curve([100, 200, 300]), fitted).mean == 0)
    #expect(CurveDistance(of: curve([100, 250, 300]), fitted).greatest == 0.2)
  }

  @Test("each launch is compared with the same launch")
  func launches() {
    let trace = curve([100, 100]) + curve([500, 500], launch: 2)
    let fitted = curve([100, 100]) + curve([400, 400], launch: 2)
    #expect(CurveDistance(of: trace, fitted).mean == 0.1)
  }
}
