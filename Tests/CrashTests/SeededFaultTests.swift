import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Seeded faults")
struct SeededFaultTests {
  /// The lives in which a mistake can show, those that show it soonest first.
  private func workloads(_ fault: SeededFault) -> [CrashWorkload] {
    switch fault {
    case .droppedSync, .reuseOneCommitEarly, .noRecoverySync: [.mixed]
    case .slotBeforeData: [.bulk]
    case .noFolderSync: [.replacing, .relaunching]
    case .truncateEarly: [.compaction]
    case .tornSlotKept: []
    }
  }

  @Test(
    "the crash tests find each mistake that the engine can be told to make",
    arguments: SeededFault.allCases)
  func found(_ fault: SeededFault) throws {
    for workload in workloads(fault) {
      var options = workload.options
      options.seededFault = fault
      let life = CrashLife(workload, seed: testSeed(), options: options, mostProblems: 1)
      life.run(steps: workload.stepsToCrash)
      #expect(!life.problems.isEmpty, "\(fault) went unnoticed in \(life.cuts) power cuts")
      print(
        "\(fault): found after \(life.cuts) power cuts: \(life.problems.first?.prefix(300) ?? "never")"
      )
    }
    if fault == .tornSlotKept {
      var options = DatabaseOptions()
      options.seededFault = fault
      let found = try TornCommitReturn(options: options).problems
      #expect(!found.isEmpty, "a torn commit came back unnoticed")
    }
  }

  @Test("without a mistake the same lives are sound: what is found is the mistake")
  func sound() throws {
    #expect(DatabaseOptions().seededFault == nil)
    #expect(try TornCommitReturn(options: DatabaseOptions()).problems == [])
  }
}
