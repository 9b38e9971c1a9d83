// A disk of a certain size is mounted for a process of its own: only the built command can show it.
import Foundation
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
}
