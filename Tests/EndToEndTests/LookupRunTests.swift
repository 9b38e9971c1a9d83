// Lookups on every engine of this machine, as a user runs them: 64 threads, and an open loop beside a writer.
import Engines
import Foundation
import RecordModel
import ReportRendering
import SystemIO
import Testing

@Suite("Runs of lookups")
struct LookupRunTests {
  private static let engines = EngineCatalog.all.compactMap { engine -> String? in
    if case .available(let engine) = engine { engine.id } else { nil }
  }

  /// `null` in quotes is an engine, and without them nothing.
  private static let scenario = """
    scenario: lookups
    question: Does every engine serve lookups on many threads?
    data:
      Item: { rows: 500, value: { size: 64 B } }
    clients:
      writer: { kind: writer, transaction: { update: 2 } }
      screens: { kind: lookups, threads: 64, read: 2 }
      service:
        { kind: lookups, threads: 2, read: 1, arrivals: poisson, rate: 2_000 per s, wave: 50 % over 20 ms }
    phases:
      - beside: { commits: 20, run: [writer, service] }
      - alone: { transactions: 128, run: [screens, service] }
    engines: [\(engines.map { "\"\($0)\"" }.joined(separator: ", "))]
    policies: [never]
    sample: { every: 10 commits }

    """

  @Test("every engine leaves throughput, and of an open loop intended latency, on real threads")
  func everyEngine() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("lookups.yml")
      try FileSystem.write(text: Self.scenario, to: file)
      let outcome = try await BuiltCommand.run([
        "run", file.string, "--schedule", "both", "--repetitions", "1", "--output", folder.string,
      ])
      #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
      let output = folder.appending("lookups")
      let record = try RunRecord(
        json: Data(try FileSystem.read(output.appending(RunRecord.fileName))))
      #expect(record.cells.map(\.key.engine) == Self.engines)
      for cell in record.cells {
        let stepped = try #require(cell.repetitions.first?.lookups, "\(cell.key)")
        #expect(stepped.map(\.client) == ["screens", "service"], "\(cell.key)")
        let runs = try #require(cell.threadedRepetitions, "\(cell.key): \(cell.status)")
        try check(try #require(runs.first?.lookups, "\(cell.key)"), cell.key)
      }
      let report = try FileSystem.readText(output.appending("report.md"))
      #expect(report.contains("\n## Lookups\n"))
      #expect(report.contains("Of one run of each cell on real threads."))
      let rows = try FileSystem.readText(output.appending(LookupCSV.fileName))
        .split(separator: "\r\n")
      // Of each run a row for each thread of both clients, and one for each client.
      #expect(rows.count == 1 + 2 * Self.engines.count * (65 + 3))
    }
  }

  private func check(_ clients: [LookupFigures], _ key: CellKey) throws {
    let screens = try #require(clients.first { $0.client == "screens" }, "\(key)")
    #expect(screens.threads.map(\.transactions) == [Int](repeating: 2, count: 64), "\(key)")
    #expect((screens.together.perSecond ?? 0) > 0 && screens.together.service.max > 0, "\(key)")
    #expect(screens.together.intended.count == 0 && screens.rate == nil, "\(key)")
    let service = try #require(clients.first { $0.client == "service" }, "\(key)")
    #expect(service.together.transactions >= 128 && service.rate == 2000, "\(key)")
    #expect((service.together.perSecond ?? 0) > 0, "\(key)")
    let intended = service.together.intended
    #expect(intended.count == service.together.transactions, "\(key)")
    #expect(intended.max > 0 && intended.max >= service.together.service.p50, "\(key)")
  }
}
