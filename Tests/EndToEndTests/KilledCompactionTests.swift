// Compactions that are killed in the middle: the process that compacts is this program, so only the built command shows it.
import Foundation
import MetricModel
import RecordModel
import SystemIO
import Testing

@Suite("Compactions that are killed")
struct KilledCompactionTests {
  private let scenario = """
    scenario: killed
    question: What does a compaction leave that was killed?
    data:
      Item: { rows: 300, value: { size: 300 B } }
    clients:
      writer: { kind: writer, transaction: { update: 5 } }
    phases:
      - refill: { refill: true, commits: 10, run: [writer] }
      - trim:   { delete: 60 % }
    launches: { count: 6, compaction-killed: 2 to 6 }
    engines: [native, lmdb, sqlite, null]
    policies: [every-launch, never]
    sample: { every: 10 commits }
    """

  #if os(Linux)
    @Test(
      "whatever it was killed before, every row is there, no file is left, and the next one succeeds"
    )
    func killed() async throws {
      let record = try await BuiltCommand.withFolder { folder in
        let file = folder.appending("killed.yml")
        try FileSystem.write(text: scenario, to: file)
        let outcome = try await BuiltCommand.run([
          "run", file.string, "--schedule", "stepped", "--twice", "--output",
          folder.appending("out").string,
        ])
        #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
        let path = folder.appending("out").appending("killed").appending(RunRecord.fileName)
        return try RunRecord(json: Data(try FileSystem.read(path)))
      }
      let cells = record.cells.filter { $0.status == .measured }
      #expect(cells.count == 6)
      for cell in cells {
        for repetition in cell.repetitions {
          let events = repetition.events.map(\.event)
          let cut = events.filter { $0.outcome == .abandoned }
          #expect(cut.count == 5, "\(cell.key)")
          for number in 1...5 {
            #expect(cut[number - 1].reason.contains("at place \(number) of 5"), "\(cut)")
          }
          #expect(
            events.count { $0.outcome == .finished } == (cell.key.policy == "never" ? 0 : 5),
            "\(cell.key)")
        }
      }
    }
  #endif
}
