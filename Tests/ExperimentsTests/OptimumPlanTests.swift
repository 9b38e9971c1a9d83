// The runs that an optimum is computed from.
import EngineInterface
import Experiments
import NativeEngine
import RecordFixtures
import RecordModel
import ScenarioModel
import Testing

@Suite("The plan of an optimum")
struct OptimumPlanTests {
  private func plan(
    launches: Int, checks: Int = 0, isAutomatic: Bool = false,
    _ change: (inout Scenario) -> Void = { _ in }
  ) throws -> OptimumPlan {
    var scenario = try SyntheticScenario.make()
    scenario.launches = launches
    change(&scenario)
    return OptimumPlan(
      scenario, engines: [.available(NativeEngine.exact)], checks: checks, isAutomatic: isAutomatic)
  }

  private func schedules(_ plan: OptimumPlan) -> [String] {
    plan.plan.scenario.policies.map(\.name).filter { $0.hasPrefix("at ") }
  }

  @Test("there is a run without a compaction, one for each launch but the first, and one at all")
  func matrix() throws {
    #expect(
      schedules(try plan(launches: 4))
        == ["at no launch", "at launch 2", "at launch 3", "at launch 4", "at every launch"])
    // With one launch to decide at, that is every launch.
    #expect(schedules(try plan(launches: 2)) == ["at no launch", "at every launch"])
  }

  @Test("an app that ships with its database can compact it at the first launch, too")
  func seeded() throws {
    let plan = try plan(launches: 2) { $0.lifecycle.isSeeded = true }
    #expect(
      schedules(plan) == ["at no launch", "at launch 1", "at launch 2", "at every launch"])
  }

  @Test("with moments in the background there is a run for each of them, too")
  func moments() throws {
    let plan = try plan(launches: 3) {
      $0.lifecycle.background = [BackgroundSpec(.charging, gapPermille: 500)]
      $0.policies = [.everyLaunch]
    }
    #expect(
      plan.plan.scenario.policies.map { "\($0.name): \($0.rule)" } == [
        "at no launch: on-launch: opening == 0",
        "while charging before launch 2: on-launch: opening == 2",
        "at launch 2: on-launch: opening == 3",
        "while charging before launch 3: on-launch: opening == 4",
        "at launch 3: on-launch: opening == 5", "at every opening: on-launch: opening >= 1",
        // Without a condition on the opening it does not compact in the background.
        "every-launch: every-launch",
      ])
    #expect(plan.plan.scenario.policies.dropLast().allSatisfy { $0.decidesInBackground })
  }

  @Test("drawn schedules have two compactions or more, differ, and are no more than there are")
  func checks() throws {
    let drawn = schedules(try plan(launches: 4, checks: 100)).dropFirst(5)
    #expect(drawn.sorted() == ["at launches 2, 3", "at launches 2, 4", "at launches 3, 4"])
    #expect(schedules(try plan(launches: 40, checks: 7)).count == 41 + 7)
  }

  @Test("a policy that is a launch schedule is not run again")
  func aliases() throws {
    for (isAutomatic, expected) in [(false, false), (true, true)] {
      let plan = try plan(launches: 3, isAutomatic: isAutomatic) {
        $0.policies = [.never, .everyLaunch]
      }
      let names = plan.plan.scenario.policies.map(\.name)
      #expect(names.contains("never"))
      #expect(names.contains("every-launch") == expected)
    }
  }

  @Test("an arm with policies of its own has every launch schedule, and only its own policies")
  func arms() throws {
    let plan = try plan(launches: 2) {
      $0.policies = [.never, .automatic]
      $0.arms = [$0.arms[0]]
      $0.arms[0].policies = ["automatic"]
    }
    #expect(
      plan.plan.cells.map(\.key.policy) == ["at no launch", "at every launch", "automatic"])
  }

  @Test("what is run does not depend on the objective or on expectations")
  func objective() throws {
    let plan = try plan(launches: 2)
    #expect(plan.plan.scenario.objective == nil)
    #expect(plan.plan.scenario.expectations.isEmpty)
  }
}
