// Clients that are other processes: they are this program, so only the built command can show them.
import Foundation
import RecordModel
import SystemIO
import Testing

@Suite("Clients in other processes")
struct OtherProcessTests {
  private func scenario(_ client: String, launches: Int = 1) -> String {
    """
    scenario: processes
    question: What does another process do?
    data:
      Item: { rows: 500, value: { size: 200 B } }
    clients:
      writer: { kind: writer, transaction: { update: 5 } }
      other: { kind: process, \(client) }
    phases:
      - both:  { commits: 60, run: [writer, other], launches: 1 }
      - after: { check-readers: true, commits: 40, run: [writer] }
    launches: \(launches)
    engines: [native, lmdb, sqlite, null]
    policies: [\(launches == 1 ? "never" : "every-launch")]
    comparator: none
    sample: { every: 10 commits }
    """
  }

  private func run(_ text: String, schedule: String = "stepped") async throws -> RunRecord {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("processes.yml")
      try FileSystem.write(text: text, to: file)
      let outcome = try await BuiltCommand.run([
        "run", file.string, "--repetitions", "2", "--schedule", schedule, "--output",
        folder.appending("out").string,
      ])
      #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
      let record = folder.appending("out").appending("processes").appending(RunRecord.fileName)
      return try RunRecord(json: Data(try FileSystem.read(record)))
    }
  }

  private func measured(_ record: RunRecord) -> [CellRecord] {
    record.cells.filter { $0.status == .measured }
  }

  @Test(
    "a run with another process repeats to the byte, whatever that process does and however it ends",
    arguments: [
      "does: pins, rows: 5", "does: pins, ends: killed after 30 commits",
      "does: pins, ends: exits after 30 commits", "does: pins, ends: suspended after 30 commits",
      "does: reads, every: 5 commits", "does: writes, every: 5 commits, rows: 3",
    ])
  func repeats(_ client: String) async throws {
    let record = try await run(scenario(client))
    let cells = measured(record)
    #expect(cells.map(\.key.engine) == ["native", "lmdb", "sqlite"])
    for cell in cells {
      let exact = cell.repetitions.map(\.exact)
      #expect(exact.count == 2 && exact[0].highWater == exact[1].highWater, "\(cell.key)")
      #expect(cell.repetitions[0].pins == cell.repetitions[1].pins, "\(cell.key)")
      // Twelve commits of the other process are beside the hundred of the phases.
      let more = client.hasPrefix("does: writes") ? 10...12 : 0...0
      #expect(more.contains(exact[0].commits - 100), "\(cell.key): \(exact[0].commits)")
    }
  }

  @Test("a probe in another process times the compaction that blocks it, and later operations")
  func probe() async throws {
    let text = scenario("does: idles", launches: 2)
      .replacing("kind: process, does: idles", with: "kind: probe, of: this database, rate: 200/s")
      .replacing("commits: 40, run: [writer]", with: "commits: 40, run: [writer, other]")
    let cells = measured(try await run(text, schedule: "threads"))
    #expect(cells.map(\.key.engine) == ["native", "lmdb", "sqlite"])
    for cell in cells {
      let loads = cell.repetitions[0].timing.openLoads.filter { $0.client.hasPrefix("other") }
      #expect(
        loads.map(\.client) == ["other, later", "other, while the database is opened"],
        "\(cell.key)")
      #expect(loads.allSatisfy { $0.service.count > 0 && $0.service.max > 0 }, "\(cell.key)")
    }
  }

  @Test("an engine that only one process can open is n/a, with the reason")
  func absent() async throws {
    let record = try await run(scenario("does: idles"))
    let null = try #require(record.cells.first { $0.key.engine == "null" })
    guard case .notApplicable(let reason) = null.status else {
      Issue.record("\(null.status)")
      return
    }
    #expect(reason.hasPrefix("other processes: "))
  }

  @Test("a process that is still there at the next launch blocks its compaction, and is named")
  func nextLaunch() async throws {
    let record = try await run(scenario("does: pins, open-until: next launch", launches: 3))
    for cell in measured(record) {
      let events = cell.repetitions[0].events.filter { $0.event.kind == .onLaunch }
      #expect(
        events.map(\.event.outcome) == [.skipped, .skipped, .finished], "\(cell.key): \(events)")
      if cell.key.engine == "native" {
        #expect(events[1].event.reason.contains("the process of client other"))
      }
    }
  }

  @Test("on real threads other processes pin, read, write and die as well")
  func threads() async throws {
    for client in ["does: writes, every: 5 commits", "does: pins, ends: killed after 30 commits"] {
      #expect(measured(try await run(scenario(client), schedule: "threads")).count == 3)
    }
  }
}
