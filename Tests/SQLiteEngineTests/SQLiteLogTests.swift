// Checkpoints on demand and the settings of the log: what each mode does, with and without a reader in its way.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import SQLiteEngine

@Suite("SQLite's log, kept as one asks")
struct SQLiteLogTests {
  /// A session whose commits make no checkpoint by themselves, unless `log` says so.
  private func withSession(
    _ log: LogSettings = LogSettings(checkpointPages: 0),
    _ body: (any EngineSession) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      var options = SessionOptions(tables: ["rows"])
      options.log = log
      let session = try SQLiteEngine().open(folder, options).session
      try body(session)
      try session.close()
    }
  }

  private func put(_ session: any EngineSession, _ keys: Range<Int64>) throws {
    let transaction = try session.beginWrite()
    for key in keys {
      try [UInt8](repeating: 7, count: 1000).withUnsafeBytes { try transaction.put(0, key, $0) }
    }
    try transaction.commit()
  }

  @Test("where there is no reader, every mode moves all pages, and only truncate cuts the log")
  func modes() throws {
    for mode in CheckpointMode.allCases {
      try withSession { session in
        try put(session, 0..<500)
        let log = try session.spaceUsage().sidecar
        #expect(log > .zero)
        let outcome = try session.require((any Checkpointing).self, for: "a checkpoint").checkpoint(
          mode)
        #expect(!outcome.isBusy)
        #expect(outcome.loggedPages == outcome.movedPages)
        // After truncate SQLite tells of an empty log.
        #expect((outcome.loggedPages > 0) == (mode != .truncate), "\(mode)")
        try #expect(session.spaceUsage().sidecar == (mode == .truncate ? .zero : log), "\(mode)")
      }
    }
  }

  @Test("with a reader of an older version passive moves a part, and the others give up")
  func reader() throws {
    for mode in CheckpointMode.allCases {
      try withSession { session in
        try put(session, 0..<100)
        let snapshot = try session.beginSnapshot(label: "reader")
        try put(session, 100..<500)
        let log = try session.spaceUsage().sidecar
        let outcome = try session.require((any Checkpointing).self, for: "a checkpoint").checkpoint(
          mode)
        #expect(outcome.isBusy == (mode != .passive), "\(mode)")
        #expect(0 < outcome.movedPages && outcome.movedPages < outcome.loggedPages, "\(mode)")
        try #expect(session.spaceUsage().sidecar == log, "\(mode)")
        try #expect(snapshot.count(0) == 100)
        snapshot.end()
        try #expect(
          !session.require((any Checkpointing).self, for: "a checkpoint").checkpoint(mode).isBusy,
          "\(mode)")
      }
    }
  }

  @Test("a commit that begins the log anew cuts it to the limit, and without one leaves its length")
  func sizeLimit() throws {
    for limit in [nil, 20_000] {
      try withSession(LogSettings(checkpointPages: 0, keptBytes: limit)) { session in
        try put(session, 0..<500)
        let log = try session.spaceUsage().sidecar
        _ = try session.require((any Checkpointing).self, for: "a checkpoint").checkpoint(.passive)
        try #expect(session.spaceUsage().sidecar == log)
        try put(session, 0..<1)
        let after = try session.spaceUsage().sidecar
        #expect(after == limit.map { ByteCount($0) } ?? log)
      }
    }
  }

  @Test("commits make a checkpoint from so many pages on, and none where they never should")
  func checkpointPages() throws {
    func log(_ settings: LogSettings?) throws -> Int {
      var bytes = 0
      try withTemporaryFolder { folder in
        var options = SessionOptions(tables: ["rows"])
        options.log = settings
        let session = try SQLiteEngine().open(folder, options).session
        for key in Int64(0)..<1500 { try put(session, key..<key + 1) }
        bytes = try session.spaceUsage().sidecar.bytes
        try session.close()
      }
      return bytes
    }
    let (never, usual) = (try log(LogSettings(checkpointPages: 0)), try log(nil))
    let often = try log(LogSettings(checkpointPages: 50))
    #expect(often < usual && usual < never)
    // Fifty pages, and the commit that comes to them.
    #expect(often < 60 * 4200)
  }

  @Test(
    "a checkpoint that keeps writers out waits for the one at work, and every row is there after")
  func besideWriter() throws {
    try withSession { session in
      let writer = try SystemThread.start(name: "writer") {
        for key in Int64(0)..<300 { try? put(session, key..<key + 1) }
      }
      var busy = 0
      for _ in 0..<50
      where try session.require((any Checkpointing).self, for: "a checkpoint").checkpoint(.truncate)
        .isBusy
      { busy += 1 }
      writer.join()
      #expect(busy == 0)
      let snapshot = try session.beginSnapshot(label: "after")
      try #expect(snapshot.count(0) == 300)
      snapshot.end()
    }
  }
}
