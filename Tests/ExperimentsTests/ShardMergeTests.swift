// Journals of shards are put together only if all are there, whole, of one plan, and of the same bytes where two ran a cell.
import EngineInterface
import Foundation
import MetricModel
import NullEngine
import RecordFixtures
import RecordModel
import RunJournal
import ScenarioModel
import SystemIO
import TestSupport
import Testing

@testable import Experiments

@Suite("Merging of shards")
struct ShardMergeTests {
  static let count = 3

  private func plan() throws -> ExperimentPlan {
    ExperimentPlan(
      try SyntheticScenario.make(), engines: [.available(NullEngine())], schedule: .stepped,
      repetitions: 2)
  }

  /// A result whose figures depend on the run alone.
  private func result(_ run: JournalRun) -> RepetitionResult {
    let size = ByteCount(1000 + run.cell.policy.utf8.count * 10 + run.cell.arm.utf8.count)
    return RepetitionResult(
      record: RepetitionRecord(
        index: run.repetition,
        exact: ExactSummary(
          highWater: size, final: size, finalLive: nil, timeWeighted: size, timeWeightedOpen: size,
          rewritten: nil, written: nil, requested: size, commits: 1, operations: 1,
          samplesDigest: "0"),
        timing: TimingSummary(
          commitLatency: .none, readLatency: .none, blockedAtLaunchTotal: 0,
          blockedAtLaunchMax: 0, wall: 0, processorTime: 0, peakMemory: size),
        events: [], phases: [], pins: []),
      samples: [], timings: [])
  }

  private struct Change {
    var page = "4096 B"
    var failed: CellKey?
    var withoutEnd = false
    var value: (JournalRun, inout RepetitionResult) -> Void = { _, _ in }
  }

  /// Writes the journal of a shard below the folder.
  private func write(
    _ index: Int, in folder: FilePath, name: String? = nil, _ change: Change = Change()
  ) throws -> ShardJournal {
    let shard = try #require(Shard(index, of: Self.count))
    var plan = try plan()
    plan.restrict(to: shard)
    var runs = ShardRuns()
    runs.add(plan)
    let content = ShardContent(
      shard, of: .run, folder: ["synthetic"],
      groups: [SweepRecord.Group(scenario: plan.scenario, cells: plan.cells)], runs: runs.own,
      checks: runs.checks, total: runs.total)
    let folder = folder.appending(name ?? shard.folderName)
    try FileSystem.makeFolders(folder)
    let identity = PlanIdentity(
      facts: [Fingerprint.Fact("page", change.page)],
      localFacts: [Fingerprint.Fact("build", "\(index)")])
    let journal = try Journal(
      in: folder, of: identity, shard: content, command: "compaction-lab run x.yml",
      startedAt: "2026-11-0\(index)")
    for run in runs.own + runs.checks where run.cell != change.failed {
      var result = result(run)
      change.value(run, &result)
      try journal.append(run, resultJSON: Array(try JSONEncoder().encode(result)))
    }
    var provenance = try SyntheticRecord.make().record.provenance
    provenance.startedAt = "2026-11-0\(index)"
    provenance.processor = "processor \(index)"
    provenance.shards = [ShardOrigin(shard, on: "host-\(index)", provenance, blocks: [])]
    let failed = plan.cells.filter { $0.key == change.failed }.map { cell in
      var cell = cell
      cell.status = .failed(reason: "no memory")
      return ShardEnd.Cell(cell)
    }
    if !change.withoutEnd { try journal.appendEnd(ShardEnd(provenance, cells: failed)) }
    return try ShardJournal(journal.path)
  }

  private func problems(_ body: (FilePath) throws -> [ShardJournal]) throws -> [String] {
    try withTemporaryFolder { folder in
      let journals = try body(folder)
      return try #require(throws: MergeError.self) { _ = try ShardMerge(journals) }.problems
    }
  }

  @Test(
    "three shards in any order give each result once, in the plan's order, and name their machines")
  func merged() throws {
    try withTemporaryFolder { folder in
      let journals = try [2, 3, 1].map { try write($0, in: folder) }
      let merge = try ShardMerge(journals)
      let cells = merge.outcome.cells
      let plan = try plan()
      #expect(cells.map(\.key) == plan.cells.map(\.key))
      #expect(cells.contains { $0.status == .measured })
      for cell in cells where cell.status == .measured {
        #expect(cell.repetitions.map(\.index) == [1, 2])
      }
      let provenance = merge.provenance
      #expect(provenance.shards?.map(\.host) == ["host-1", "host-2", "host-3"])
      #expect(provenance.processor == "processor 1 + processor 2 + processor 3")
      #expect(provenance.startedAt == "2026-11-01" && provenance.plan == journals[0].plan.digest)
    }
  }

  @Test("a lost, a doubled and an unfinished shard are named with what to do")
  func incomplete() throws {
    let lost = try problems { folder in try [1, 3].map { try write($0, in: folder) } }
    #expect(lost == ["shard 2/3 is missing; run: compaction-lab run x.yml --shard 2/3"])
    let doubled = try problems { folder in
      try [1, 2, 3].map { try write($0, in: folder) } + [write(2, in: folder, name: "copy")]
    }
    #expect(doubled.count == 1 && doubled[0].contains("shard 2/3 is there 2 times: "))
    let unfinished = try problems { folder in
      try [1, 2].map { try write($0, in: folder) } + [
        write(3, in: folder, Change(withoutEnd: true))
      ]
    }
    #expect(unfinished.count == 1 && unfinished[0].contains("shard 3/3 has not ended"))
  }

  @Test("a shard of another page size is named with both, and not the shards of the others")
  func foreign() throws {
    let found = try problems { folder in
      try [write(1, in: folder, Change(page: "16384 B"))]
        + [2, 3].map { try write($0, in: folder) }
    }
    #expect(found.count == 2)
    #expect(
      found[0].contains("shard-1-of-3/run.journal: shard 1/3 is of another plan than")
        && found[0].hasSuffix("they differ in page (4096 B there, 16384 B here)"), "\(found)")
    #expect(found[1].hasPrefix("shard 1/3 is missing"))
  }

  @Test(
    "a checked cell with another figure is named with its column, both shards and both machines")
  func different() throws {
    for owner in 1...Self.count {
      let found = try problems { folder in
        try (1...Self.count).map { index in
          var change = Change()
          if index == owner { change.value = { $1.record.exact.highWater = ByteCount(7) } }
          return try write(index, in: folder, change)
        }
      }
      // The changed shard has a cell that another checks, and checks one of a third.
      #expect(found.count == 2, "\(found)")
      for problem in found {
        #expect(
          problem.hasPrefix("null · ") && problem.contains("high_water_bytes differs (")
            && problem.contains("7") && problem.contains("shard \(owner)/3 (host-\(owner): "),
          "\(problem)")
      }
    }
    let digest = try problems { folder in
      try (1...Self.count).map { index in
        var change = Change()
        if index == 2 { change.value = { $1.record.exact.samplesDigest = "1" } }
        return try write(index, in: folder, change)
      }
    }
    #expect(digest.allSatisfy { $0.contains("samples_digest differs in shard") }, "\(digest)")
  }

  @Test(
    "a cell that failed in its shard is a failed cell of the record; a check that failed is a problem"
  )
  func failed() throws {
    let content = try withTemporaryFolder { try write(1, in: $0).content }
    let own = try #require(content.runs.first?.cell)
    let checked = try #require(content.checks.first?.cell)
    try withTemporaryFolder { folder in
      let journals =
        try [write(1, in: folder, Change(failed: own))] + [2, 3].map { try write($0, in: folder) }
      let outcome = try ShardMerge(journals).outcome
      let cell = try #require(outcome.cells.first { $0.key == own })
      #expect(cell.status == .failed(reason: "no memory"))
    }
    let found = try problems { folder in
      try [write(1, in: folder, Change(failed: checked))]
        + [2, 3].map { try write($0, in: folder) }
    }
    #expect(found.count == 1 && found[0].contains("its check in shard 1/3"), "\(found)")
    #expect(found[0].hasSuffix("run that shard again: compaction-lab run x.yml --shard 1/3"))
  }
}
