// The scenarios that curves are measured by: what is written in them is what the curves count.
import FleetModel
import Generators
import ScenarioModel
import Testing

@testable import Experiments

@Suite struct CurveDesignTests {
  private static func group(pins: PinPattern? = nil) -> DeviceGroup {
    DeviceGroup(
      name: "all", data: .fixed(1e6), value: .fixed(200), commits: .fixed(100), writes: 5,
      replaced: 0.25, launches: .fixed(4), pins: pins)
  }

  private static func design(
    adding share: Double = 0.2, pins: PinPattern? = nil, data: Double = 1e6
  ) -> CurveDesign {
    CurveDesign(
      group(pins: pins), ClassParameters(value: 200, addShare: share, commitsPerLaunch: 25),
      data: data, maxTurnover: 4)
  }

  @Test(
    "bytes written before a launch are those of the scenario's commits",
    arguments: [
      design(), design(adding: 0), design(adding: 1), design(data: 400),
      design(pins: PinPattern(takeEveryCommits: 5, lifetime: .fixed(commits: 9))),
    ]) func written(_ design: CurveDesign) throws
  {
    let scenario = design.scenario(name: "a", seed: 1, checksRenewal: false)
    let plan = CommitPlan(scenario, scenario.arms[0])
    for launch in 1...design.launches {
      let phases = plan.phases.filter { $0.launch < launch }
      let commits = phases.reduce(0) { $0 + $1.clients.upperBound }
      let adding = phases.filter { $0.phase.clients[0] == "adds" }
        .reduce(0) { $0 + $1.clients.upperBound }
      let found = design.written(before: launch)
      #expect(found.bytes == Double(commits * 5 * 200))
      #expect(found.data == Double((design.rows + adding * 5) * 200))
    }
    #expect(scenario.launches == design.launches && scenario.lifecycle.isSeeded)
  }

  @Test("a run goes as far as was asked for, and its first launches are short") func turnover() {
    let design = Self.design()
    let last = design.written(before: design.compactedLaunch)
    #expect(last.bytes >= 4 * 1e6 && last.bytes < 8 * 1e6)
    #expect(design.written(before: 2).bytes <= 25 * 5 * 200)
    #expect(design.launches - design.compactedLaunch == 5)
  }

  @Test("with pins each launch has as many commits as the device's") func pins() {
    let pattern = PinPattern(takeEveryCommits: 5, lifetime: .never)
    let design = Self.design(pins: pattern)
    #expect(design.tiers.count == 1 && design.tiers[0].commits == 25)
    let scenario = design.scenario(name: "a", seed: 1, checksRenewal: true)
    #expect(scenario.phases.allSatisfy { $0.clients.contains("readers") })
    #expect(scenario.policies.map(\.name) == [CurveDesign.single, CurveDesign.twice])
  }

  @Test("kinds of commits have the shares of the class") func shares() {
    for tier in Self.design().tiers where tier.commits >= 100 {
      #expect(abs(Double(tier.additions) / Double(tier.commits) - 0.2) < 0.01)
      #expect(abs(Double(tier.replacements) / Double(tier.commits) - 0.2) < 0.01)
    }
  }

  @Test("a class whose sizes depend on an earlier compaction is refused with the reason")
  func refusal() {
    #expect(FleetMeasurement.refusal(0.01) == nil)
    #expect(FleetMeasurement.refusal(0.0123)?.contains("by up to 1.2 %") == true)
  }
}
