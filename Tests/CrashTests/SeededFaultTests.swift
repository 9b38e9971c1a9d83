import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Seeded faults")
struct SeededFaultTests {
  /// The workloads in which a fault can show, fastest first.
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
    "the crash tests find each seeded fault",
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

  @Test("without a seeded fault the same crash tests find nothing")
  func sound() throws {
    #expect(DatabaseOptions().seededFault == nil)
    #expect(try TornCommitReturn(options: DatabaseOptions()).problems == [])
  }
}
