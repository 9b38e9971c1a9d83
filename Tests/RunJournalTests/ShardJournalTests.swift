import Foundation
import MetricModel
import RecordModel
import ScenarioModel
import SystemIO
import TestSupport
import Testing

@testable import RunJournal

@Suite("Journals of shards")
struct ShardJournalTests {
  private static func content(_ shard: String) throws -> ShardContent {
    ShardContent(
      try #require(Shard(parsing: shard)), of: .run, folder: ["small"], groups: [group],
      runs: [JournalTests.run(1), JournalTests.run(2)], checks: [JournalTests.run(3)], total: 9)
  }

  private static let group = SweepRecord.Group(
    scenario: Scenario(
      name: "small", question: "", tables: [], arms: [], phases: [], policies: []), cells: [])

  private static func open(
    _ folder: FilePath, _ shard: String? = "2/3", _ plan: PlanIdentity = JournalTests.plan,
    anew: Bool = false
  ) throws -> Journal {
    try Journal(
      in: folder, of: plan, shard: try shard.map(content), command: "run x.yml",
      startedAt: "now", anew: anew)
  }

  private static func end(failed: Bool = false) -> ShardEnd {
    let provenance = Provenance(
      toolVersion: "1", command: "run x.yml", schedule: .stepped, seed: 1, repetitions: 1,
      startedAt: "now", operatingSystem: "", processor: "", cores: 1, memory: ByteCount(1),
      fileSystem: "", engineVersions: [:])
    let cell = CellRecord(key: JournalTests.run(1).cell, status: .failed(reason: "x"))
    return ShardEnd(provenance, cells: failed ? [ShardEnd.Cell(cell)] : [])
  }

  /// A journal with two results and its end.
  private func withShard(_ body: (FilePath, FilePath) throws -> Void) throws {
    try withTemporaryFolder { folder in
      do {
        let journal = try Self.open(folder)
        for repetition in 1...2 { try JournalTests.append(journal, repetition) }
        try journal.appendEnd(Self.end())
      }
      try body(folder, folder.appending(Journal.fileName))
    }
  }

  @Test("the journal of a shard has its plan, its results and its end")
  func whole() throws {
    try withShard { folder, file in
      let journal = try ShardJournal(file)
      #expect(journal.content == (try Self.content("2/3")) && journal.plan == JournalTests.plan)
      #expect(journal.results.count == 2 && journal.end == Self.end())
      #expect(journal.command(of: journal.shard) == "run x.yml --shard 2/3")
      let shard = try #require(Shard(parsing: "2/3"))
      #expect(Journal.isFinished(in: folder, of: JournalTests.plan, shard))
      #expect(!Journal.isUnfinished(in: folder, of: JournalTests.plan, shard: shard))
    }
  }

  @Test("every cut and every changed byte of a finished shard is found")
  func damaged() throws {
    try withShard { _, file in
      let whole = try FileSystem.read(file)
      for length in stride(from: 0, to: whole.count, by: 11) {
        try FileSystem.write(Array(whole[..<length]), to: file)
        // Cut between lines, it is a shard that has not ended.
        if let journal = try? ShardJournal(file) { #expect(journal.end == nil, "\(length) bytes") }
      }
      for index in stride(from: 0, to: whole.count, by: 13) where whole[index] != 0x0A {
        var changed = whole
        changed[index] ^= 1
        try FileSystem.write(changed, to: file)
        let error = #expect(throws: JournalError.self, "byte \(index)") {
          _ = try ShardJournal(file)
        }
        let line = 1 + whole[..<index].count { $0 == 0x0A }
        #expect(error?.message.hasPrefix("\(file):\(line): ") == true, "\(error?.message ?? "")")
      }
    }
  }

  @Test("a shard is continued after its end only by cells that failed")
  func failedCells() throws {
    try withTemporaryFolder { folder in
      let shard = try #require(Shard(parsing: "2/3"))
      try JournalTests.append(try Self.open(folder), 2)
      #expect(Journal.isUnfinished(in: folder, of: JournalTests.plan, shard: shard))
      try Self.open(folder).appendEnd(Self.end(failed: true))
      #expect(!Journal.isFinished(in: folder, of: JournalTests.plan, shard))
      try JournalTests.append(try Self.open(folder), 1)
      #expect(try ShardJournal(folder.appending(Journal.fileName)).end == nil)
      try Self.open(folder).appendEnd(Self.end())
      #expect(Journal.isFinished(in: folder, of: JournalTests.plan, shard))
    }
  }

  @Test("another shard, a whole run and another plan are refused the folder, and nothing is lost")
  func refused() throws {
    try withShard { folder, file in
      let before = try FileSystem.read(file)
      var other = JournalTests.plan
      other.facts[1].value = "4"
      let attempts = [
        ("3/3", JournalTests.plan), (nil, JournalTests.plan), ("2/3", other), (nil, other),
      ]
      for (shard, plan) in attempts {
        let error = #expect(throws: JournalError.self) { _ = try Self.open(folder, shard, plan) }
        #expect(error?.code == .otherPlan)
        #expect(error?.message.contains("--no-resume") == true)
      }
      #expect(try FileSystem.read(file) == before)
      #expect(try Self.open(folder, "3/3", anew: true).count == 0)
    }
  }

  @Test("the journal of a whole run is no shard")
  func wholeRun() throws {
    try withTemporaryFolder { folder in
      try JournalTests.append(try Self.open(folder, nil), 1)
      let error = #expect(throws: JournalError.self) {
        _ = try ShardJournal(folder.appending(Journal.fileName))
      }
      #expect(error?.message.contains("of a whole run, not of a shard") == true)
    }
  }
}
