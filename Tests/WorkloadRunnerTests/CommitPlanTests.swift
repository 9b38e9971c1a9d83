// The plan of a run's commits beside runs of random scenarios: refills, deletions, and writers that change how many rows
// there are, alone and beside each other.
import Foundation
import Generators
import NativeEngine
import Policies
import ScenarioModel
import Testing

@Suite("The plan of commits")
struct CommitPlanTests {
  static let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? 1

  private struct Dice: RandomNumberGenerator {
    var stream: RandomStream
    mutating func next() -> UInt64 { stream.next() }
  }

  private static func writer(_ name: String, _ dice: inout Dice) -> ClientSpec {
    var spec = WriterSpec(table: ["Item", "Other"].randomElement(using: &dice)!, updates: 1)
    switch Int.random(in: 0..<8, using: &dice) {
    case 0, 1: spec.inserts = Int.random(in: 1...4, using: &dice)
    case 2: spec.deletes = Int.random(in: 1...4, using: &dice)
    case 3:
      spec.inserts = Int.random(in: 1...4, using: &dice)
      spec.deletes = Int.random(in: 1...4, using: &dice)
    case 4:
      spec.oscillation = RowOscillation(
        minPermille: 100, maxPermille: 1000,
        periodCommits: Int.random(in: 2...20, using: &dice))
    case 5: spec.reload = Bool.random(using: &dice) ? .inOneTransaction : .inTwoTransactions
    default: break
    }
    return ClientSpec(name: name, kind: .writer(spec))
  }

  private static func scenario(_ dice: inout Dice) -> Scenario {
    let clients = (0..<3).map { writer("w\($0)", &dice) }
    let phases = (0..<4).map { number in
      var phase = PhaseSpec(
        name: "p\(number)", commits: Int.random(in: 0...12, using: &dice),
        deleteBatch: Int.random(in: 1...40, using: &dice))
      if Bool.random(using: &dice) { phase.deleteShare = Double.random(in: 0...1, using: &dice) }
      phase.refill = Bool.random(using: &dice)
      phase.clients = clients.map(\.name).shuffled(using: &dice)
        .prefix(Int.random(in: 0...2, using: &dice)).sorted()
      if phase.clients.isEmpty { phase.commits = 0 }
      return phase
    }
    let rows = Int.random(in: 1...100, using: &dice)
    return Scenario(
      name: "test", question: "?", isDurable: false,
      tables: [
        TableSpec(name: "Item", rows: rows, valueSize: .fixed(8)),
        TableSpec(name: "Other", rows: 30, valueSize: .fixed(8)),
      ],
      arms: [ArmSpec(name: "only", clients: clients)], phases: phases, launches: 2,
      policies: [.never], sampling: SamplingSpec(everyCommits: 1000))
  }

  @Test(
    "holds the commits of every phase of a stepped run, exactly where they do not depend on turns")
  func random() throws {
    var dice = Dice(stream: RandomStream(seed: Self.seed, label: "scenarios"))
    var exact = 0
    for round in 0..<150 {
      let scenario = Self.scenario(&dice)
      let plan = CommitPlan(scenario, scenario.arms[0]).phases
      let spans = try CellRunTests.run(scenario, on: NativeEngine.exact).record.phases
      #expect(spans.map(\.phase) == plan.map(\.phase.name))
      for (span, planned) in zip(spans, plan) {
        let location = "seed \(Self.seed), round \(round), launch \(span.launch), \(span.phase)"
        #expect(planned.before.contains(span.firstCommit), "\(location)")
        #expect(planned.end.contains(span.lastCommit), "\(location)")
        if planned.end.lowerBound == planned.end.upperBound { exact += 1 }
      }
    }
    #expect(exact > 400)
  }

  @Test("a deletion of 50 rows in tens has five commits, a refill of them five more")
  func numbers() {
    let writer = ClientSpec(name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 1)))
    let scenario = Scenario(
      name: "test", question: "?",
      tables: [TableSpec(name: "Item", rows: 100, valueSize: .fixed(8))],
      arms: [ArmSpec(name: "only", clients: [writer])],
      phases: [
        PhaseSpec(name: "work", commits: 7, clients: ["writer"]),
        PhaseSpec(name: "trim", deleteShare: 0.5, deleteBatch: 10, onlyInLaunches: [1]),
        PhaseSpec(name: "again", deleteBatch: 11, refill: true, onlyInLaunches: [2]),
      ],
      launches: 2, policies: [.never])
    let plan = CommitPlan(scenario, scenario.arms[0])
    #expect(plan.phases.map(\.before) == [0...0, 7...7, 12...12, 19...19])
    #expect(plan.phases.map(\.bulk) == [0...0, 5...5, 0...0, 5...5])
    #expect(plan.commits == 24...24)
    #expect(scenario.plannedCommits == 24)
  }
}
