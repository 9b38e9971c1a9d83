// A disk of a certain size is mounted for a process of its own: only the built command can show it.
import Foundation
import MetricModel
import RecordModel
import SystemIO
import Testing

@Suite("Limited disks")
struct LimitedDiskTests {
  private static let scenario = """
    scenario: small-disk
    question: What if the disk is full?
    data:
      Item: { rows: 2_000, value: { size: 1 kB } }
    clients:
      user: { kind: writer, transaction: { update: 5 } }
      filler: { kind: writer, transaction: { insert: 50 } }
    arms:
      - limited: { limits: { disk: 5 MiB, launches: 2 } }
      - free:
    phases:
      - use:   { commits: 20, run: [user], launches: [1, 3] }
      - fills: { commits: 100, run: [filler], launches: 2 }
    launches: 3
    engines: [native, sqlite]
    policies: [never]
    sample: { every: 10 commits }
    """

  @Test(
    "commits that fail on a full disk are undone, counted and reported, and the file is sound afterwards"
  )
  func fills() async throws {
    let record = try await BuiltCommand.withFolder { folder in
      let file = folder.appending("small-disk.yml")
      try FileSystem.write(text: Self.scenario, to: file)
      let outcome = try await BuiltCommand.run([
        "run", file.string, "--schedule", "stepped", "--twice", "--output",
        folder.appending("out").string,
      ])
      #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
      let record = folder.appending("out").appending("small-disk").appending(RunRecord.fileName)
      return try RunRecord(json: Data(try FileSystem.read(record)))
    }
    for cell in record.cells {
      switch (cell.key.arm, cell.status) {
      case ("limited", .unavailable(let reason)):
        // Without the right to mount a disk the cell cannot run, and the reason is recorded.
        #expect(reason.contains("disk of limited size"))
      case ("limited", .measured):
        let refusals = try #require(cell.repetitions.first?.refusals, "\(cell.key)")
        #expect(refusals.map(\.phase) == ["fills"] && refusals.map(\.launch) == [2])
        #expect(
          cell.repetitions.map { $0.exact.commits } == [
            140 - refusals[0].count, 140 - refusals[0].count,
          ])
      case ("free", .measured):
        #expect(
          cell.repetitions.first?.refusals == nil && cell.repetitions.first?.exact.commits == 140)
      default: Issue.record("\(cell.key): \(cell.status)")
      }
    }
  }

  private static let compacting = """
    scenario: space-needed
    question: Is there space for the compaction?
    data:
      Item: { rows: 2_000, value: { size: 1 kB } }
    clients:
      user: { kind: writer, transaction: { update: 5 } }
    arms:
      - limited: { limits: { disk: 6 MiB, launches: 2 } }
      - free:
    phases:
      - trim: { delete: 30 %, commits: 20, run: [user] }
    launches: 3
    engines: [native, sqlite]
    policies:
      - with-space = on-launch: freeDiskBytes > 3 * usedBytes
    sample: { every: 10 commits }
    """

  @Test(
    "a policy that asks for space does not compact where the disk has too little, and says what was left"
  )
  func spaceNeeded() async throws {
    let record = try await BuiltCommand.withFolder { folder in
      let file = folder.appending("space-needed.yml")
      try FileSystem.write(text: Self.compacting, to: file)
      let outcome = try await BuiltCommand.run([
        "run", file.string, "--schedule", "stepped", "--twice", "--record-only", "--output",
        folder.appending("out").string,
      ])
      #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
      let record = folder.appending("out").appending("space-needed").appending(RunRecord.fileName)
      return try RunRecord(json: Data(try FileSystem.read(record)))
    }
    for cell in record.cells where cell.key.policy == "with-space" {
      guard case .measured = cell.status else { continue }
      let events = try #require(cell.repetitions.first?.events).filter {
        $0.event.kind == .onLaunch
      }
      func outcomes(_ launch: Int) -> [CompactionEvent.Outcome] {
        events.filter { $0.launch == launch }.map(\.event.outcome)
      }
      let reasons = events.map(\.event.reason).joined(separator: "; ")
      if cell.key.arm == "limited" {
        #expect(outcomes(2) == [.declined], "\(cell.key): \(reasons)")
        let reason = events.first { $0.launch == 2 }?.event.reason ?? ""
        #expect(reason.hasPrefix("freeDiskBytes ") && reason.contains(" <= "), "\(reason)")
      } else {
        #expect(outcomes(2) == [.finished], "\(cell.key): \(reasons)")
      }
      #expect(outcomes(3) == [.finished], "\(cell.key): \(reasons)")
    }
  }
}
