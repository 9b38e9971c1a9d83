// A log beside the file: an engine has one and keeps it as it is told, or refuses both with a code.
import EngineInterface
import MetricModel
import TestSupport
import Testing

@Suite("Logs beside the file")
struct LogTests {
  @Test(
    "an engine without a log refuses its settings and a checkpoint", arguments: EngineUnderTest.all)
  func refused(_ tested: EngineUnderTest) throws {
    guard !tested.engine.capabilities.log.isSupported else { return }
    try withTemporaryFolder { folder in
      var options = SessionOptions(tables: ["rows"])
      options.log = LogSettings(keptBytes: 0)
      let error = #expect(throws: EngineError.self) { try tested.engine.open(folder, options) }
      #expect(error?.code == .unsupported)
    }
    try tested.withSession { session, _ in
      let error = #expect(throws: EngineError.self) { try session.checkpoint(.passive) }
      #expect(error?.code == .unsupported)
    }
  }

  @Test("the engine with a log makes each kind of checkpoint and keeps every row")
  func made() throws {
    let engines = EngineUnderTest.all.filter { $0.engine.capabilities.log.isSupported }
    #expect(engines.map(\.engine.id) == ["sqlite"])
    for tested in engines {
      try tested.withSession { session, _ in
        for (key, mode) in CheckpointMode.allCases.enumerated() {
          try session.write { try $0.put(Int64(key), [1, 2, 3]) }
          try #expect(!session.checkpoint(mode).isBusy)
          try #expect(session.read { try $0.count(0) } == key + 1)
        }
      }
    }
  }
}
