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
      let error = #expect(throws: EngineError.self) {
        try session.require((any Checkpointing).self, for: "a checkpoint").checkpoint(.passive)
      }
      #expect(error?.code == .unsupported)
    }
  }

  @Test(
    "what an engine has no way to do with its file it refuses, or says that it does not",
    arguments: EngineUnderTest.all)
  func settings(_ tested: EngineUnderTest) throws {
    let capabilities = tested.engine.capabilities
    let wanted: [(EngineCapabilities.Support, (inout SessionOptions) -> Void)] = [
      (capabilities.geometry, { $0.geometry = FileGeometry(growthStep: ByteCount(1 << 20)) }),
      (capabilities.shortening, { $0.isShortenable = true }),
      (capabilities.busyTimeout, { $0.busyTimeout = 100 }),
    ]
    for (support, ask) in wanted {
      try withTemporaryFolder { folder in
        var options = SessionOptions(tables: ["rows"])
        ask(&options)
        guard support.isSupported else {
          let error = #expect(throws: EngineError.self) { try tested.engine.open(folder, options) }
          #expect(error?.code == .unsupported)
          return
        }
        let session = try tested.engine.open(folder, options).session
        try session.write { try $0.put(1, [1]) }
        try #expect(session.read { try $0.value(1) } == [1])
        try session.close()
      }
    }
    try tested.withSession { session, _ in
      try session.write { try $0.put(1, [1]) }
      // Asked without having been opened for it.
      if !capabilities.shortening.isSupported {
        #expect(try session.capability((any Shortenable).self)?.shorten(by: nil) == nil)
      }
      switch try session.capability((any PageInspecting).self)?.pageStatistics() {
      case .absent(let reason): #expect(!reason.isEmpty)
      case .tables(let tables): #expect(tables.map(\.table) == ["rows"])
      case nil: break
      }
      try #expect(session.read { try $0.value(1) } == [1])
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
          try #expect(
            !session.require((any Checkpointing).self, for: "a checkpoint").checkpoint(mode).isBusy)
          try #expect(session.read { try $0.count(0) } == key + 1)
        }
      }
    }
  }
}
