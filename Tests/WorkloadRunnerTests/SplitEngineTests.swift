// A database divided over several files: rows, versions and sums must be those of one.
import EngineInterface
import MetricModel
import NativeEngine
import RecordModel
import ScenarioModel
import SystemIO
import TestSupport
import Testing
import WorkloadRunner

@Suite("A database divided over several files")
struct SplitEngineTests {
  private static let tables = SessionOptions(tables: ["Item"])

  /// Hands a session over four files to `body`, and the engines of the files behind it.
  private func withSession(
    files: Int = 4, failing: Int? = nil, reportsPinOf: String? = nil,
    _ body: (any EngineSession, FilesEngine) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let engine = FilesEngine(files: files, failing: failing, reportsPinOf: reportsPinOf)
      let session = try SplitEngine(engine, files: files).open(folder, Self.tables).session
      try body(session, engine)
      try session.close()
    }
  }

  @Test("the row of key n is in file n mod k, also below zero, and is read back from there")
  func rows() throws {
    try withSession { session, engine in
      try session.put([-5, -1, 0, 1, 2, 6, 7, .max, .min])
      #expect(engine.keys(0) == [.min, 0])
      #expect(engine.keys(1) == [1])
      #expect(engine.keys(2) == [2, 6])
      #expect(engine.keys(3) == [-5, -1, 7, .max])
      let snapshot = try session.beginSnapshot(label: "test")
      defer { snapshot.end() }
      #expect(try snapshot.count(0) == 9)
      #expect(try snapshot.read(0, 6) { _ in })
      #expect(try !snapshot.read(0, 10) { _ in })
    }
  }

  @Test("a scan gives all files' rows in key order, from its key on and not beyond its limit")
  func scans() throws {
    try withSession { session, _ in
      var random = SeededRandom(seed: testSeed(7))
      let keys = Set((0..<300).map { _ in Int64(random.below(900)) - 450 })
      // Rows of one file alone lie close together as well.
      let all = keys.union((0..<200).map { $0 * 4 }).sorted()
      try session.put(all)
      let snapshot = try session.beginSnapshot(label: "test")
      defer { snapshot.end() }
      for (from, limit) in [(Int64.min, Int.max), (-7, 5), (0, 100), (3, 1), (900, 9), (0, 0)] {
        var seen: [Int64] = []
        let found = try snapshot.scan(0, from: from, limit: limit) { key, value in
          seen.append(key)
          #expect(value.elementsEqual(RowBytes.of(key)))
        }
        #expect(
          seen == Array(all.filter { $0 >= from }.prefix(limit)), "SEED=\(random.seed) from \(from)"
        )
        #expect(found == seen.count)
      }
    }
  }

  @Test("a snapshot sees no later commit in any file until it is refreshed")
  func isolation() throws {
    try withSession { session, _ in
      try session.put([0, 1, 2, 3])
      let snapshot = try session.beginSnapshot(label: "test")
      try session.put([4, 5, 6, 7])
      #expect(try snapshot.count(0) == 4)
      try snapshot.refresh()
      #expect(try snapshot.count(0) == 8)
      snapshot.end()
    }
  }

  @Test("no snapshot sees a part of a transaction over several files, while threads write and read")
  func wholeTransactions() throws {
    try withSession { session, _ in
      try session.put([0, 1, 2, 3], value: 0)
      let writer = try SystemThread.start(name: "writer") {
        for value in 1...200 { try? session.put([0, 1, 2, 3], value: UInt8(value)) }
      }
      var torn = 0
      for _ in 0..<500 {
        let snapshot = try session.beginSnapshot(label: "reader")
        var seen: Set<UInt8> = []
        for key in Int64(0)..<4 { _ = try snapshot.read(0, key) { seen.insert($0[0]) } }
        if seen.count != 1 { torn += 1 }
        snapshot.end()
      }
      writer.join()
      #expect(torn == 0)
    }
  }

  @Test("a write transaction commits the files whose rows it changed and no other")
  func touched() throws {
    try withSession { session, engine in
      try session.put([0, 1, 2, 3])
      let before = engine.commits
      let transaction = try session.beginWrite()
      try RowBytes.of(9).withUnsafeBytes { try transaction.put(0, 9, $0) }
      #expect(try transaction.delete(0, 2))
      #expect(try !transaction.delete(0, 4))
      #expect(try transaction.read(0, 3) { _ in })
      try transaction.commit()
      #expect(zip(engine.commits, before).map { $0 - $1 } == [0, 1, 1, 0])
      let undone = try session.beginWrite()
      #expect(try undone.delete(0, 1))
      undone.rollBack()
      #expect(engine.keys(1) == [1, 9])
    }
  }

  @Test(
    "a commit that fails in one file leaves the files before it changed, and the next can begin")
  func failure() throws {
    try withSession(failing: 2) { session, engine in
      #expect(throws: EngineError.self) { try session.put([0, 1, 2, 3]) }
      #expect((0..<4).map { engine.keys($0).count } == [1, 1, 0, 0])
      try session.put([4])
      #expect(engine.keys(0) == [0, 4])
    }
  }

  @Test("space is summed over the files, and so are the retained bytes of a pin")
  func sums() throws {
    try withSession(reportsPinOf: "reader") { session, engine in
      try session.put(Array(0..<10))
      let parts = engine.engines.map { $0.trace.usage() }
      let sum = try session.spaceUsage()
      #expect(sum.file == parts.reduce(.zero) { $0 + $1.file })
      #expect(sum.live == parts.reduce(ByteCount.zero) { $0 + ($1.live ?? .zero) })
      #expect(sum.free == ByteCount(400))
      #expect(sum.total == sum.file)
      #expect(session.bytesWritten == nil)
      let snapshot = try session.beginSnapshot(label: "reader")
      try session.put([0, 1, 4])
      let pins = try session.capability((any PinInspecting).self)?.pins()
      // One commit of the first rows in each file, and one more in two of them; half is for the pin alone.
      #expect(
        pins == [EnginePin(label: "reader", retained: ByteCount(6), exclusive: ByteCount(2))])
      snapshot.end()
      #expect(try session.capability((any PinInspecting).self)?.pins() == [])
    }
  }

  @Test("with a snapshot held it does not close, and everything can still be read")
  func held() throws {
    try withSession { session, _ in
      try session.put([0, 1])
      let snapshot = try session.beginSnapshot(label: "test")
      #expect(throws: EngineError.self) { try session.close() }
      #expect(try snapshot.count(0) == 2)
      snapshot.end()
    }
  }

  @Test("a copy of several files is refused, and so are limits and savepoints")
  func refused() throws {
    try withTemporaryFolder { folder in
      let split = SplitEngine(FilesEngine(files: 2), files: 2)
      #expect(!split.capabilities.savepoints.isSupported)
      #expect(!split.capabilities.otherProcesses.isSupported)
      var options = Self.tables
      options.maximumVersions = 8
      #expect(throws: EngineError.self) { try split.open(folder, options) }
      let session = try split.open(folder, Self.tables).session
      #expect(throws: EngineError.self) {
        try session.writeCompactedCopy(to: folder.appending("copy"))
      }
      try session.close()
    }
  }

  @Test("a limit on addresses is divided evenly, and a row that one file refuses is undone there")
  func addresses() throws {
    var scenario = CellRunTests.scenario([], commits: 600)
    let writer = ClientSpec(
      name: "writer",
      kind: .writer(WriterSpec(table: "Item", inserts: 1, load: LoadSpec())))
    scenario.arms[0].clients = [writer]
    scenario.phases[0].clients = ["writer"]
    scenario.tables[0].valueSize = .fixed(8000)
    scenario.arms[0].limits = LimitSpec(addressSpace: 4 << 20)
    let one = try CellRunTests.run(scenario, on: NativeEngine.exact)
    scenario.arms[0].files = 4
    let four = try CellRunTests.run(scenario, on: NativeEngine.exact)
    // A file of 1 MiB has its header, its tree and its growth steps as well.
    let refusals = [one, four].map { $0.samples.last?.observation.refusals ?? 0 }
    #expect(refusals.allSatisfy { 0 < $0 && $0 < 600 }, "\(refusals)")
    #expect(four.samples.allSatisfy { $0.observation.space.file <= ByteCount(4 << 20) })
  }

  @Test(
    "the policy is asked at launch for each file with its own size, and the event names the file")
  func launches() throws {
    var scenario = CellRunTests.scenario([CellRunTests.writer], launches: 2)
    scenario.policies[0].onLaunch = .always
    scenario.arms[0].files = 4
    let engine = FilesEngine(files: 4)
    let result = try CellRunTests.run(scenario, on: engine)
    let events = result.record.events.map(\.event).filter { $0.kind == .onLaunch }
    #expect(
      events.map(\.outcome) == Array(repeating: .skipped, count: 4)
        + Array(repeating: .finished, count: 4))
    #expect(events.suffix(4).map(\.before) == engine.engines.map { _ in ByteCount(25 * 32 + 100) })
    #expect((1...4).allSatisfy { events[$0 + 3].reason.hasPrefix("file \($0) of 4: ") })
    #expect(result.record.exact.rewritten == ByteCount(28))
    #expect(result.timings.last?.statSize == ByteCount(4 * 3500))
  }

  @Test("a crash in the middle of a transaction leaves no part of it in any file")
  func crashes() throws {
    var scenario = CellRunTests.scenario([CellRunTests.writer], launches: 2)
    scenario.arms[0].files = 3
    scenario.lifecycle.crashes = [1]
    let engine = FilesEngine(files: 3)
    _ = try CellRunTests.run(scenario, on: engine)
    #expect((0..<3).map { engine.keys($0).count } == [34, 33, 33])
  }

  @Test("no trace is made of several files")
  func traces() {
    var scenario = CellRunTests.scenario([CellRunTests.writer])
    #expect(scenario.unsupportedReason(recording: scenario.arms[0]) == nil)
    scenario.arms[0].files = 4
    #expect(
      scenario.unsupportedReason(recording: scenario.arms[0])?.contains("several files") == true)
  }
}

/// Opens an engine in memory for each folder, and remembers which.
private struct FilesEngine: Engine {
  let engines: [LoggingEngine]

  init(files: Int, failing: Int? = nil, reportsPinOf: String? = nil) {
    engines = (0..<files).map {
      LoggingEngine(
        failsAfterCommits: $0 == failing ? 0 : nil, mainFile: "data", sidecarFiles: ["log"],
        files: ["data": 3000, "log": 500, "lock": 100], reportsPinOf: reportsPinOf)
    }
  }

  var id: String { engines[0].id }
  var mainFile: String { engines[0].mainFile }
  var sidecarFiles: [String] { engines[0].sidecarFiles }
  var capabilities: EngineCapabilities { engines[0].capabilities }

  func open(_ folder: FilePath, _ options: SessionOptions) throws(EngineError) -> OpenedSession {
    guard let number = folder.string.split(separator: "-").last.flatMap({ Int($0) }) else {
      preconditionFailure("\(folder) is no folder of a file")
    }
    return try engines[number - 1].open(folder, options)
  }

  func keys(_ file: Int) -> [Int64] {
    engines[file].trace.withState { $0.versions.last?.keys.sorted() ?? [] }
  }

  var commits: [Int] {
    engines.map { $0.trace.lines.count { $0 == "commit" } }
  }
}

private enum RowBytes {
  static func of(_ key: Int64) -> [UInt8] { withUnsafeBytes(of: key.littleEndian) { Array($0) } }
}

extension EngineSession {
  fileprivate func put(_ keys: [Int64], value: UInt8? = nil) throws {
    let transaction = try beginWrite()
    do {
      for key in keys {
        try (value.map { [$0] } ?? RowBytes.of(key)).withUnsafeBytes {
          try transaction.put(0, key, $0)
        }
      }
      try transaction.commit()
    } catch {
      transaction.rollBack()
      throw error
    }
  }
}
