// Launches that open the database on a background thread.
import Dispatch
import MetricModel
import NativeEngine
import RecordModel
import ScenarioModel
import SystemIO
import TestSupport
import Testing

@testable import WorkloadRunner

@Suite("Opening in the background")
struct BackgroundOpeningTests {
  @Test("the launching thread takes its turns while a background opening lasts")
  func turns() throws {
    let wanted = 20
    let isFree = DispatchSemaphore(value: 0)
    let here = SystemThread.currentID
    var turns = 0
    var isHere = true
    let opening = BackgroundOpening {
      turns += 1
      isHere = isHere && SystemThread.currentID == here
      if turns == wanted { isFree.signal() }
    }
    // Ends once the other thread has had its turns.
    let outcome = try opening.run {
      (isFree.wait(timeout: HangGuard.waitEnd), SystemThread.currentID)
    }
    #expect(outcome.value.0 == .success)
    #expect(outcome.value.1 != here)
    #expect(turns >= wanted && isHere)
  }

  @Test("where it is opened changes no byte of the database")
  func sameBytes() throws {
    var scenario = CellRunTests.scenario([CellRunTests.writer], launches: 3)
    scenario.tables[0].rows = 3000
    scenario.policies[0].onLaunch = .always
    let engines = [NativeEngine.exact, NativeEngine.objects]
    for engine in engines {
      scenario.arms[0].opensInBackground = nil
      let plain = try CellRunTests.run(scenario, on: engine)
      scenario.arms[0].opensInBackground = true
      let background = try CellRunTests.run(scenario, on: engine)
      #expect(plain.record.exact.final == background.record.exact.final)
      #expect(plain.record.exact.rewritten == background.record.exact.rewritten)
      #expect(
        plain.samples.map(\.observation.space) == background.samples.map(\.observation.space))
      #expect(background.record.events.map(\.event.outcome).contains(.finished))
    }
  }
}
