// Makes the probes of a run: on a second database beside the run's, or on the run's own by another process.
import EngineInterface
import Generators
import ScenarioModel
import SystemIO

struct ProbeFactory {
  let setup: CellSetup

  private var recorder: Recorder { setup.recorder }

  /// Returns the probes of all phases of the launch, which run also while the launch opens the database.
  func probes(openedIn launch: Int) -> [(client: ClientSpec, spec: ProbeSpec)] {
    guard setup.job.schedule == .threads, launch > 1 else { return [] }
    var found: [(client: ClientSpec, spec: ProbeSpec)] = []
    for phase in setup.scenario.phases(inLaunch: launch) {
      for client in setup.arm.clients(in: phase) {
        if case .probe(let spec) = client.kind,
          !found.contains(where: { $0.client.name == client.name })
        {
          found.append((client, spec))
        }
      }
    }
    return found
  }

  /// Starts a probe; returns nil under the stepped schedule. `period` names the time in which it runs, such as
  /// `while the database is opened`.
  func start(
    _ name: String, _ spec: ProbeSpec, _ period: String, stream: String, waits: Bool = false
  ) throws -> Probe? {
    guard setup.job.schedule == .threads else { return nil }
    let table = setup.table(spec.table)
    let keys = KeyChooser(spec.keys, stream: setup.stream("keys", name, stream))
    return try Probe(
      "\(name), \(period)", perSecond: spec.ratePerSecond, waits: waits, recorder
    ) {
      switch (spec.target, spec.work) {
      case (.another, .reads): try readsOfOther(table, keys)
      case (.another, .opens): opensOfOther(table, keys)
      case (.this, _): try requestsToProcess(name, table, spec, stream)
      }
    }
  }

  private var otherFolder: FilePath { FilePath(setup.folder.string + ".other") }

  private var otherOptions: SessionOptions { SessionOptions(tables: setup.tables.map(\.spec.name)) }

  /// Makes the second database, with the same tables and at most 1000 rows in each, if a probe needs it and it does not
  /// exist.
  func makeOtherDatabase() throws {
    let needs = setup.arm.clients.contains { client in
      if case .probe(let spec) = client.kind { spec.target == .another } else { false }
    }
    guard needs, setup.job.schedule == .threads, !FileSystem.exists(otherFolder) else { return }
    try recorder.excludingWrittenBytes {
      try FileSystem.makeFolders(otherFolder)
      let session = try setup.engine.open(otherFolder, otherOptions).session
      do {
        for table in setup.tables {
          var values = setup.values(table, "other database")
          let transaction = try session.beginWrite()
          do {
            for key in 0..<min(table.spec.rows, Self.maxOtherRows) {
              try transaction.put(table.index, Int64(key), values.next())
            }
            try transaction.commit()
          } catch {
            transaction.rollBack()
            throw error
          }
        }
      } catch {
        try? session.close()
        throw error
      }
      try session.close()
    }
  }

  func removeOtherDatabase() { try? FileSystem.removeTree(otherFolder) }

  private static let maxOtherRows = 1000

  private typealias Prepared = (work: Probe.Work, end: () throws -> Void)

  /// Returns the operation of reading a row of the second database, which stays open.
  private func readsOfOther(_ table: TableState, _ keys: KeyChooser) throws -> Prepared {
    let session = try setup.engine.open(otherFolder, otherOptions).session
    var reader = OtherReader(table, keys, maxRows: Self.maxOtherRows)
    return ({ try reader.read(session) }, { try session.close() })
  }

  /// Returns the operation of opening the second database, reading a row, and closing it.
  private func opensOfOther(_ table: TableState, _ keys: KeyChooser) -> Prepared {
    var reader = OtherReader(table, keys, maxRows: Self.maxOtherRows)
    let work = { [setup, otherFolder, otherOptions] in
      let session = try setup.engine.open(otherFolder, otherOptions).session
      do { try reader.read(session) } catch {
        try? session.close()
        throw error
      }
      try session.close()
    }
    return (work, {})
  }

  /// Returns the operation of having another process open the database, read a row, and close it.
  private func requestsToProcess(
    _ name: String, _ table: TableState, _ spec: ProbeSpec, _ stream: String
  ) throws -> Prepared {
    guard let program = setup.program else {
      throw RunnerError("\(name) is another process, and this program cannot start any")
    }
    let job = setup.processJob(
      name, ProcessSpec(table: spec.table, work: .reads, keys: spec.keys), table.spec,
      stream: "\(name)/\(stream)")
    let child = try InteractiveProcess(program.executable, arguments: program.arguments)
    child.send(try program.line(job))
    // Its response shows that the process has started, which is not part of any operation.
    _ = child.ask(ProcessRequest.release.rawValue)
    let work = {
      guard let response = child.ask(ProcessRequest.probe.rawValue) else {
        throw RunnerError("the other process has ended (\(child.wait()))")
      }
      guard response == "ok" else { throw RunnerError(response) }
    }
    let end = {
      child.send(ProcessRequest.exit.rawValue)
      _ = child.wait()
    }
    return (work, end)
  }
}

/// Reads single rows of a second database.
private struct OtherReader {
  private let table: TableIndex
  private let rows: Int
  private var keys: KeyChooser
  private var checksum: UInt64 = 0

  init(_ table: TableState, _ keys: KeyChooser, maxRows: Int) {
    self.table = table.index
    rows = min(table.spec.rows, maxRows)
    self.keys = keys
  }

  mutating func read(_ session: any EngineSession) throws(EngineError) {
    let snapshot = try session.beginSnapshot(label: "probe")
    defer { snapshot.end() }
    var sum: UInt64 = 0
    _ = try snapshot.read(table, Int64(keys.next(rows: rows))) { sum = readEveryByte(of: $0) }
    checksum &+= sum
  }
}
