// The scenarios by which devices are really run: all commits of the device, in the launches of its walk.
import FleetModel
import ScenarioModel
import Testing

@testable import Experiments

@Suite struct DeviceDesignTests {
  private static let population = Population(
    name: "tiny",
    groups: [
      DeviceGroup(
        name: "all", data: .uniform(low: 50_000, high: 90_000), value: .fixed(100),
        growth: .fixed(3000), commits: .uniform(low: 20, high: 60), writes: 2, replaced: 0.3,
        launches: .uniform(low: 2, high: 8))
    ])

  @Test("launches have all commits of the device until then", arguments: 0..<6)
  func commits(_ number: Int) throws {
    let device = Self.population.device(number)
    let design = try #require(DeviceDesign(device, Self.population, days: 20))
    var sums: [DeviceClients.Kind: Int] = [:]
    for launch in 1...design.launches {
      let commits = design.commits(inLaunch: launch)
      #expect(commits.values.allSatisfy { $0 >= 0 })
      sums.merge(commits) { $0 + $1 }
      guard launch < design.launches else { continue }
      let expected = device.commitsPerDay * design.launchDays[launch - 1]
      #expect(abs(Double(sums.values.reduce(0, +)) - expected) <= 0.5)
    }
    let all = Double(sums.values.reduce(0, +))
    #expect(abs(Double(sums[.add] ?? 0) - all * device.addShare(writes: 2)) <= 1)
  }

  @Test("each launch waits until the next one's day, and the last one does nothing")
  func phases() throws {
    let device = Self.population.device(3)
    let design = try #require(DeviceDesign(device, Self.population, days: 10))
    let scenario = design.scenario(name: "a", policies: [.never])
    var day = 0.0
    for launch in 1..<design.launches {
      day += scenario.phases(inLaunch: launch).reduce(0) { $0 + $1.idle.seconds } / 86_400
      #expect(abs(day - design.launchDays[launch - 1]) < 1e-6)
    }
    #expect(scenario.phases(inLaunch: design.launches).isEmpty)
    #expect(
      scenario.clientCommits
        == (1...design.launches).reduce(0) {
          $0 + design.commits(inLaunch: $1).values.reduce(0, +)
        })
  }
}
