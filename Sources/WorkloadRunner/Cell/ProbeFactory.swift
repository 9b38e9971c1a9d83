// What the probes of a run do: on a second database beside the run's, or on the run's own by another process.
import EngineInterface
import Generators
import ScenarioModel
import SystemIO

extension CellRun {
  /// The probes that time a launch's opening, those of each phase that has any.
  func probes(openedIn launch: Int) -> [(client: ClientSpec, spec: ProbeSpec)] {
    guard job.schedule == .threads, launch > 1 else { return [] }
    var found: [(client: ClientSpec, spec: ProbeSpec)] = []
    for phase in job.scenario.phases(inLaunch: launch) {
      for client in arm.clients(in: phase) {
        if case .probe(let spec) = client.kind,
          !found.contains(where: { $0.client.name == client.name })
        {
          found.append((client, spec))
        }
      }
    }
    return found
  }

  /// Begins one; nil under the stepped schedule. `stretch` says what it times: `while the database is opened`.
  func startProbe(
    _ name: String, _ spec: ProbeSpec, _ stretch: String, _ place: String, waits: Bool = false
  ) throws -> Probe? {
    guard job.schedule == .threads else { return nil }
    let table = table(spec.table)
    let keys = KeyChooser(spec.keys, stream: stream("keys", name, place))
    return try Probe(
      "\(name), \(stretch)", perSecond: spec.ratePerSecond, waits: waits, recorder
    ) { [self] in
      switch (spec.target, spec.work) {
      case (.another, .reads): try readingAnother(table, keys)
      case (.another, .opens): openingAnother(table, keys)
      case (.this, _): try askingAProcess(name, table, spec, place)
      }
    }
  }

  private var otherFolder: FilePath { FilePath(folder.string + ".other") }

  private var otherOptions: SessionOptions { SessionOptions(tables: tables.map(\.spec.name)) }

  /// Makes the second database, with the first table's rows and sizes, unless it is there.
  func makeOtherDatabase() throws {
    let needs = arm.clients.contains { client in
      if case .probe(let spec) = client.kind { spec.target == .another } else { false }
    }
    guard needs, job.schedule == .threads, !FileSystem.exists(otherFolder) else { return }
    try recorder.notCounting {
      try FileSystem.makeFolders(otherFolder)
      let session = try engine.open(otherFolder, otherOptions).session
      do {
        for table in tables {
          var values = values(table, "other database")
          let transaction = try session.beginWrite()
          do {
            for key in 0..<min(table.spec.rows, Self.mostOtherRows) {
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

  private static let mostOtherRows = 1000

  private typealias Prepared = (work: Probe.Work, end: () throws -> Void)

  private func readingAnother(_ table: TableState, _ keys: KeyChooser) throws -> Prepared {
    let session = try engine.open(otherFolder, otherOptions).session
    var reader = OtherReader(table, keys, most: Self.mostOtherRows)
    return ({ try reader.read(session) }, { try session.close() })
  }

  private func openingAnother(_ table: TableState, _ keys: KeyChooser) -> Prepared {
    var reader = OtherReader(table, keys, most: Self.mostOtherRows)
    let work = { [engine, otherFolder, otherOptions] in
      let session = try engine.open(otherFolder, otherOptions).session
      do { try reader.read(session) } catch {
        try? session.close()
        throw error
      }
      try session.close()
    }
    return (work, {})
  }

  private func askingAProcess(
    _ name: String, _ table: TableState, _ spec: ProbeSpec, _ place: String
  ) throws -> Prepared {
    guard let program else {
      throw RunnerError("\(name) is another process, and this program cannot start any")
    }
    var job = ProcessJob(
      engine: engine.id, folder: folder.string, tables: tables.map(\.spec.name),
      table: table.spec, isDurable: self.job.scenario.isDurable, automatic: policy.automatic,
      preset: policy.preset, name: name,
      spec: ProcessSpec(table: spec.table, work: .reads, keys: spec.keys), seed: self.job.seed,
      stream: "\(name)/\(place)")
    job.openAs(arm)
    let child = try InteractiveProcess(program.executable, arguments: program.arguments)
    child.send(try program.line(job))
    // Answered once it is there: its start is none of the operations.
    _ = child.ask(ProcessRequest.release.rawValue)
    let work = {
      guard let answer = child.ask(ProcessRequest.probe.rawValue) else {
        throw RunnerError("the other process is gone (\(child.wait()))")
      }
      guard answer == "ok" else { throw RunnerError(answer) }
    }
    let end = {
      child.send(ProcessRequest.exit.rawValue)
      _ = child.wait()
    }
    return (work, end)
  }
}

/// Reads one row after the other of a second database.
private struct OtherReader {
  private let table: TableIndex
  private let rows: Int
  private var keys: KeyChooser
  private var checksum: UInt64 = 0

  init(_ table: TableState, _ keys: KeyChooser, most: Int) {
    self.table = table.index
    rows = min(table.spec.rows, most)
    self.keys = keys
  }

  mutating func read(_ session: any EngineSession) throws(EngineError) {
    let snapshot = try session.beginSnapshot(label: "probe")
    defer { snapshot.end() }
    var sum: UInt64 = 0
    _ = try snapshot.read(table, Int64(keys.next(rows: rows))) { sum = touch($0) }
    checksum &+= sum
  }
}
