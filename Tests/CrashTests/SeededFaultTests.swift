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
    case .noDeferredSync, .tornSlotKept: []
    }
  }

  @Test(
    "the crash tests find each seeded fault, and nothing without it",
    arguments: SeededFault.allCases)
  func found(_ fault: SeededFault) throws {
    for workload in workloads(fault) {
      let life = life(workload, fault, steps: workload.stepsToCrash)
      #expect(!life.problems.isEmpty, "\(fault) went unnoticed in \(life.cuts) power cuts")
      print(
        "\(fault): found after \(life.cuts) power cuts: \(life.problems.first?.prefix(300) ?? "never")"
      )
      // The same steps with the same seed.
      let sound = self.life(workload, nil, steps: life.stepCount)
      #expect(sound.problems == [], "without \(fault), seed \(testSeed())")
      #expect(sound.cuts > 0)
    }
    if fault == .noDeferredSync {
      var options = DatabaseOptions()
      options.seededFaults = fault.faults
      let change = RowChange(key: 7, value: [7])
      let found = try CopiedFile(options: options).powerCuts(in: [change], seed: testSeed())
      #expect(!found.problems.isEmpty, "a copy that was not durable went unnoticed")
      #expect(try CopiedFile().powerCuts(in: [change], seed: testSeed()).problems == [])
    }
    if fault == .tornSlotKept {
      var options = DatabaseOptions()
      options.seededFaults = fault.faults
      let found = try TornCommitReturn(options: options).problems
      #expect(!found.isEmpty, "a torn commit came back unnoticed")
      #expect(try TornCommitReturn(options: DatabaseOptions()).problems == [])
    }
  }

  private func life(_ workload: CrashWorkload, _ fault: SeededFault?, steps: Int) -> CrashLife {
    var options = workload.options
    options.seededFaults = fault?.faults
    let life = CrashLife(workload, seed: testSeed(), options: options, maxProblems: 1)
    life.run(steps: steps)
    return life
  }

  @Test("no fault is seeded by default")
  func noneByDefault() {
    #expect(DatabaseOptions().seededFaults == nil)
    #expect(CrashWorkload.allCases.allSatisfy { $0.options.seededFaults == nil })
  }
}
