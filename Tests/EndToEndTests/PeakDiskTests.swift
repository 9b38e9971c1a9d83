// The peak of disk use is exact: a disk of that size is enough for the same run, and one page less is not.
import Engines
import Experiments
import Foundation
import MetricModel
import RecordModel
import ScenarioModel
import ScenarioParser
import SystemIO
import TestSupport
import Testing
import WorkloadRunner

@Suite("The peak of disk use")
struct PeakDiskTests {
  private static let text = """
    scenario: peak
    question: How much space does it take?
    data:
      Item: { rows: 3_000, value: { size: 500 B } }
    clients:
      user: { kind: writer, transaction: { update: 20 } }
      reader: { kind: reader }
    phases:
      - trim: { delete: 40 %, commits: 40, run: [user] }
      - held: { commits: 30, run: [user, reader] }
    launches: 3
    engines: [native, lmdb, sqlite, mdbx, realm-core]
    policies: [never, every-launch]
    sample: { every: 10 commits }
    """

  /// The same with compaction within commits, of encrypted files, and with rollback journals, beside which no reader may be
  /// open while a transaction is written.
  private static let variants = [
    text,
    text.replacing("policies: [never, every-launch]", with: "policies: [automatic]")
      .replacing(
        "engines: [native, lmdb, sqlite, mdbx, realm-core]", with: "engines: [native, sqlite]"),
    text.replacing(
      "engines: [native, lmdb, sqlite, mdbx, realm-core]",
      with: """
        arms:
          - encrypted: { encrypted: yes }
        engines: [native]
        """),
    text.replacing("  reader: { kind: reader }\n", with: "")
      .replacing("run: [user, reader]", with: "run: [user]")
      .replacing(
        "engines: [native, lmdb, sqlite, mdbx, realm-core]",
        with: """
          arms:
            - delete: { log: { journal: delete } }
            - persist: { log: { journal: persist } }
          engines: [sqlite]
          """),
  ]

  /// A cell of one of these scenarios.
  struct Measured: Sendable, CustomTestStringConvertible {
    let text: String
    let key: CellKey
    var testDescription: String { "\(key.engine), \(key.policy), \(key.arm)" }
  }

  /// The engines of this machine, each with each policy that it can carry out.
  private static let cells = variants.flatMap { text -> [Measured] in
    guard let scenario = try? ScenarioParser.parse(text, file: "peak.yml") else { return [] }
    let engines = scenario.engines.compactMap(EngineCatalog.named)
    let plan = ExperimentPlan(scenario, engines: engines, schedule: .stepped, repetitions: 1)
    return plan.cells.filter { $0.status == .measured }.map { Measured(text: text, key: $0.key) }
  }

  private static let disk = try? LimitedDisk.find(
    for: BuiltCommand.executable, trial: CellProcess.diskTrial
  ).get()

  /// Whether the system lets a disk be mounted and watched. A run that fails is for the test to report.
  private static let canMeasure: Bool = {
    guard let disk, let cell = cells.first else { return false }
    return (try? run(cell, bytes: nil, on: disk)).map { $0.exact.peakDisk != nil } ?? true
  }()

  private static func run(
    _ cell: Measured, bytes: Int?, on disk: LimitedDisk.Wrapping
  ) throws -> RepetitionRecord {
    let scenario = try ScenarioParser.parse(cell.text, file: "peak.yml")
    var job = CellJob(
      scenario: scenario, key: cell.key, repetition: 1, schedule: .stepped, seed: scenario.seed,
      folder: "")
    job.measuredDisk = MeasuredDisk(bytes: bytes)
    let work = try FileSystem.makeTemporaryFolder(prefix: "peak")
    return try CellProcess.run(
      job, executable: BuiltCommand.executable, work: work, on: disk, cancellation: nil
    ) { _ in }.record
  }

  @Test("the scenarios have cells of rollback journals, encrypted files and automatic compaction")
  func variety() throws {
    for text in Self.variants { _ = try ScenarioParser.parse(text, file: "peak.yml") }
    func policies(_ engine: EngineIdentifier, _ arm: String) -> Set<String> {
      Set(
        Self.cells.map(\.key).filter { $0.engine == engine.rawValue && $0.arm == arm }
          .map(\.policy))
    }
    let usual: Set = ["never", "every-launch"]
    #expect(policies(.native, "default") == usual.union(["automatic"]))
    #expect(policies(.native, "encrypted") == usual)
    if case .available = EngineCatalog.entry(of: .lmdb).availability {
      #expect(policies(.lmdb, "default") == usual)
    }
    if case .available = EngineCatalog.entry(of: .sqlite).availability {
      #expect(policies(.sqlite, "default") == usual.union(["automatic"]))
      #expect(["delete", "persist"].allSatisfy { policies(.sqlite, $0) == usual })
    }
  }

  @Test(
    "a disk of exactly the peak is enough for the same run, and one page less is not",
    .enabled(if: canMeasure, "this system lets no disk be mounted and watched"), arguments: cells)
  func exact(_ cell: Measured) throws {
    let disk = try #require(Self.disk)
    let free = try Self.run(cell, bytes: nil, on: disk)
    let peak = try #require(free.exact.peakDisk?.bytes)
    // libmdbx's file is longer than what it needs of it: pages that were never written are holes.
    let isSparse = cell.key.engine == EngineIdentifier.mdbx.rawValue
    #expect(peak > 0 && peak.isMultiple(of: 4096))
    #expect(isSparse || peak >= free.exact.highWater.bytes - 4096)
    let enough = try Self.run(cell, bytes: peak, on: disk)
    #expect(enough.exact == free.exact && enough.events == free.events, "\(peak) bytes")
    // It fails, or records a refusal or a skip that it did not have.
    guard let less = try? Self.run(cell, bytes: peak - 4096, on: disk) else { return }
    #expect(
      skipCount(less) > skipCount(free) || less.refusals != free.refusals, "\(peak) bytes")
    // At launches the policies decline nothing, whatever space there is.
    #expect(
      less.events.allSatisfy { $0.event.kind != .onLaunch || $0.event.outcome != .declined },
      "\(less.events)")
  }

  private func skipCount(_ record: RepetitionRecord) -> Int {
    record.events.count { $0.event.outcome == .skipped }
  }

  private static let crashing = text.replacing(
    "launches: 3\n", with: "launches: { count: 3, gap: 1 h, crash: 1 }\n")

  @Test("what a run measures beside the peak is the same on a disk in memory and on the machine's")
  func sameFigures() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("peak.yml")
      try FileSystem.write(text: Self.crashing, to: file)
      func record(_ option: String) async throws -> RunRecord {
        let outcome = try await BuiltCommand.run([
          "run", file.string, "--schedule", "stepped", "--repetitions", "1", "--record-only",
          option,
          "--output", folder.appending(option).string,
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let path = folder.appending(option).appending("peak").appending(RunRecord.fileName)
        return try RunRecord(json: Data(try FileSystem.read(path)))
      }
      let (measured, plain) = (try await record("--peak-disk"), try await record("--no-peak-disk"))
      #expect(plain.provenance.peakDiskAbsence == "--no-peak-disk was given")
      for (cell, other) in zip(measured.cells, plain.cells) {
        #expect(cell.status == other.status)
        var exact = cell.repetitions.map(\.exact)
        #expect(other.repetitions.allSatisfy { $0.exact.peakDisk == nil })
        if measured.provenance.peakDiskAbsence == nil {
          #expect(exact.allSatisfy { $0.peakDisk != nil }, "\(cell.key)")
        }
        for index in exact.indices { exact[index].peakDisk = nil }
        #expect(exact == other.repetitions.map(\.exact), "\(cell.key)")
      }
    }
  }
}
