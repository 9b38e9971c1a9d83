// Cells without a result: one that failed is told from one that the run did not finish because it was asked to stop.
import Experiments
import Foundation
import NullEngine
import RecordFixtures
import RecordModel
import SystemIO
import TestSupport
import Testing

@Suite("Cells without a result")
struct EndedCellTests {
  /// Runs a plan whose cells are a shell script.
  private func run(
    _ script: String, _ cancellation: Cancellation? = nil
  ) throws -> (cells: [CellRecord], isInterrupted: Bool, began: Int) {
    let plan = ExperimentPlan(
      try SyntheticScenario.make(), engines: [.available(NullEngine())], schedule: .stepped,
      repetitions: 1)
    let began = LockedCount()
    var outcome: RunOutcome?
    try withTemporaryFolder { folder in
      let program = folder.appending("cell")
      try FileSystem.write(Array("#!/bin/sh\n\(script)\n".utf8), to: program)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: program.string)
      outcome = ExperimentRun(plan, executable: program, workFolder: folder, jobs: [:]).run(
        cancellation: cancellation
      ) { progress in
        guard case .began = progress else { return }
        began.increase()
        cancellation?.request()
      }
    }
    let planned = Set(plan.cells.filter { $0.status == .measured }.map(\.key))
    let found = try #require(outcome)
    return (found.cells.filter { planned.contains($0.key) }, found.interrupted, began.value)
  }

  @Test(
    "a cell whose process is ended by a signal has failed, with the signal, and the run goes on")
  func killed() throws {
    let (cells, isInterrupted, began) = try run("kill -TERM $$")
    #expect(!isInterrupted)
    #expect(began == cells.count && began > 1)
    for cell in cells {
      guard case .failed(let reason) = cell.status else {
        Issue.record("\(cell.key) is \(cell.status)")
        continue
      }
      #expect(reason == "the cell's process ended with signal 15")
    }
  }

  @Test("only a run that is asked to stop leaves cells that did not fail without a result")
  func stopped() throws {
    // The limit only ends a test that fails.
    let (cells, isInterrupted, began) = try run("exec sleep 120", try Cancellation())
    #expect(isInterrupted)
    #expect(began == 1)
    #expect(cells.allSatisfy { $0.status == .measured && $0.repetitions.isEmpty })
  }

  private final class LockedCount: @unchecked Sendable {
    private let mutex = ThreadMutex()
    private var count = 0

    var value: Int { mutex.withLock { count } }
    func increase() { mutex.withLock { count += 1 } }
  }
}
