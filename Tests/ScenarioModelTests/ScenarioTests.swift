// The model's own arithmetic: which phase in which launch, which policy with which arm.
import Policies
import ScenarioModel
import Testing

@Suite("Scenario")
struct ScenarioTests {
  private let scenario = Scenario(
    name: "sample", question: "?",
    tables: [TableSpec(name: "Item", rows: 10, valueSize: .fixed(8))],
    arms: [
      ArmSpec(name: "all", clients: [writer, reader]),
      ArmSpec(name: "alone", clients: [writer], policies: ["automatic"]),
    ],
    phases: [
      PhaseSpec(name: "first", commits: 5, onlyInLaunches: [1], clients: ["writer"]),
      PhaseSpec(name: "always", commits: 7, clients: ["reader", "writer"]),
      PhaseSpec(name: "trim", deleteShare: 0.8, onlyInLaunches: [2, 3]),
    ],
    launches: 3, policies: [.never, .automatic])

  private static let writer = ClientSpec(
    name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 1)))
  private static let reader = ClientSpec(name: "reader", kind: .reader(ReaderSpec(table: "Item")))

  @Test("a launch has its own phases, in order")
  func phasesOfALaunch() {
    #expect(scenario.phases(inLaunch: 1).map(\.name) == ["first", "always"])
    #expect(scenario.phases(inLaunch: 3).map(\.name) == ["always", "trim"])
  }

  @Test("commits of clients are summed over launches, deletions left out")
  func commits() {
    #expect(scenario.clientCommits == 5 + 3 * 7)
  }

  @Test("never is put before policies that lack it, in arms where there is something to compare")
  func comparator() {
    var other = scenario
    other.policies = [.automatic]
    other.arms[1].policies = ["automatic", "never"]
    other.arms.append(ArmSpec(name: "idle", clients: [], policies: ["never"]))
    let added = other.addingComparator()
    #expect(added.policies.map(\.rule) == ["never", "automatic"])
    #expect(added.addedComparator == "never")
    #expect(added.arms.map { added.policies(of: $0).count } == [2, 2, 0])
    #expect(added.addingComparator() == added && scenario.addingComparator() == scenario)
    other.comparator = .nothing
    #expect(other.addingComparator() == other)
    other.comparator = .never
    other.policies[0].name = "never"
    #expect(other.addingComparator().policies.map(\.name) == ["never (comparator)", "never"])
  }

  @Test("an arm without a list is run with every policy, one with a list with those")
  func policiesOfArms() {
    #expect(scenario.policies(of: scenario.arms[0]).map(\.name) == ["never", "automatic"])
    #expect(scenario.policies(of: scenario.arms[1]).map(\.name) == ["automatic"])
  }

  @Test("a phase runs the arm's clients that it names, in the arm's order")
  func clientsOfAPhase() {
    let phase = scenario.phases[1]
    #expect(scenario.arms[0].clients(in: phase).map(\.name) == ["writer", "reader"])
    #expect(scenario.arms[1].clients(in: phase).map(\.name) == ["writer"])
  }
}
