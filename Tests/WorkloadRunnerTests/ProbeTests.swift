// Probes: what they time, when, and that they leave bytes alone.
import EngineInterface
import NativeEngine
import Policies
import RecordModel
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Probes")
struct ProbeTests {
  private func run(
    _ work: ProbeSpec.Work, _ schedule: Schedule, policy: Policy.LaunchRule = .always
  ) throws -> RepetitionResult {
    let spec = ProbeSpec(table: "Item", target: .another, work: work, ratePerSecond: 1000)
    let probe = ClientSpec(name: "probe", kind: .probe(spec))
    var scenario = CellRunTests.scenario([CellRunTests.writer, probe], commits: 20, launches: 3)
    scenario.policies[0].onLaunch = policy
    return try CellRunTests.run(scenario, on: NativeEngine.exact, schedule: schedule)
  }

  @Test(
    "another database is timed while this one is opened, and later, by itself",
    arguments: ProbeSpec.Work.allCases)
  func another(_ work: ProbeSpec.Work) throws {
    let result = try run(work, .threads)
    let loads = result.record.timing.openLoads
    let probes = loads.filter { $0.client.hasPrefix("probe") }
    #expect(probes.map(\.client) == ["probe, later", "probe, while the database is opened"])
    // Once in each launch at least; the first one finds nothing to open.
    #expect(probes[0].intended.count >= 3 && probes[1].intended.count >= 2)
    #expect(probes.allSatisfy { $0.intended.count == $0.service.count })
    #expect(probes.allSatisfy { $0.intended.max >= $0.service.max && $0.ratePerSecond == 1000 })
    #expect(result.samples.allSatisfy { !$0.events.contains("refused") })
  }

  @Test("under the stepped schedule they do nothing, and every byte is as without them")
  func stepped() throws {
    let result = try run(.opens, .stepped)
    #expect(result.record.timing.openLoads.isEmpty)
    var scenario = CellRunTests.scenario([CellRunTests.writer], commits: 20, launches: 3)
    scenario.policies[0].onLaunch = .always
    let without = try CellRunTests.run(scenario, on: NativeEngine.exact)
    #expect(without.samples.map(\.observation) == result.samples.map(\.observation))
  }

  @Test("no trace is made of them")
  func traces() {
    let spec = ProbeSpec(table: "Item", target: .another, work: .reads)
    let scenario = CellRunTests.scenario([
      CellRunTests.writer, ClientSpec(name: "probe", kind: .probe(spec)),
    ])
    #expect(scenario.unsupportedReason(recording: scenario.arms[0])?.contains("probes") == true)
  }
}
