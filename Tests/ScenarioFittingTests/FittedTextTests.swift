// The text of fitted scenarios, kept as files; UPDATE_GOLDEN=1 writes them anew.
import Generators
import MetricModel
import ScenarioModel
import ScenarioParser
import TestSupport
import Testing

@testable import ScenarioFitting

@Suite("Texts of fitted scenarios")
struct FittedTextTests {
  /// An app's day: a sync, edits beside a reader and short-lived screens, a trim of the oldest rows.
  static func day() throws -> FittedScenario {
    var trace = SyntheticTrace(tables: ["Item", "Change log"])
    var sizes = SizeChooser(
      .logNormal(median: 800, sigmaPermille: 900, maxSize: 100_000), seed: 1, label: "sizes")
    var keys = KeyChooser(.latest(thetaPermille: 900), seed: 1, label: "keys")
    for launch in 1...6 {
      trace.launch(
        gap: Double(2000 * launch), loading: [800, 60], sizes: .uniform(low: 200, high: 600))
      if launch == 4 {
        trace.phase("trim") { trace in
          for table in 0...1 {
            let count = trace.count(table) / 2
            trace.commit { trace in for _ in 0..<count { trace.delete(rank: 0, table) } }
          }
        }
      }
      trace.phase("sync") { trace in
        trace.wait(seconds: 60)
        for _ in 0..<10 {
          trace.commit(after: 1) { trace in for _ in 0..<12 { trace.insert(size: sizes.next()) } }
        }
      }
      trace.phase("edit") { trace in
        let reader = trace.snapshot("reader", reads: 5)
        var screen = 0
        for commit in 0..<200 {
          if commit % 25 == 0 { screen = trace.snapshot("screen") }
          trace.commit { trace in
            if commit % 4 == 0 { trace.insert(1, size: 40) } else { trace.update(&keys) }
          }
          if commit % 25 == 9 { trace.end(screen) }
        }
        trace.end(reader)
      }
    }
    return try trace.fitted()
  }

  /// What a trace of an app may have that names neither phases nor tables that are words.
  static func nameless() throws -> FittedScenario {
    var trace = SyntheticTrace(tables: ["class_yes: no", "on"])
    var keys = KeyChooser(
      .hotspot(operationsPermille: 900, rowsPermille: 100), seed: 1, label: "keys")
    trace.launch(loading: [0, 500])
    for _ in 0..<200 { trace.commit { trace in trace.insert(0, size: 64) } }
    for _ in 0..<400 {
      trace.commit { trace in
        for _ in 0..<6 { trace.update(&keys, 1) }
        trace.delete(rank: 0, 0)
        trace.insert(0, size: 64)
      }
      for _ in 0..<2 { trace.end(trace.snapshot("main", reads: 1)) }
    }
    return try trace.fitted()
  }

  @Test("the text is as it was", arguments: ["day", "nameless"])
  func golden(name: String) throws {
    let fitted = try name == "day" ? Self.day() : Self.nameless()
    let text = fitted.text(head: ["A line of the command's."])
    let file = "Tests/ScenarioFittingTests/Golden/\(name).yml"
    if Repository.isUpdating { try Repository.write(text, to: file) }
    let golden = try Repository.text(file)
    #expect(text == golden)
  }

  @Test("the text is read as the scenario that it was made of", arguments: ["day", "nameless"])
  func parsed(name: String) throws {
    let fitted = try name == "day" ? Self.day() : Self.nameless()
    let scenario = try ScenarioParser.parse(fitted.text(), file: "\(name).yml")
    #expect(scenario.name == fitted.name)
    #expect(scenario.tables == fitted.tables.map(\.spec))
    #expect(scenario.phases == fitted.phases.map(\.spec))
    #expect(scenario.launches == fitted.launches.count)
    #expect(scenario.lifecycle.gapSigmaPermille == fitted.launches.gapSigmaPermille)
    #expect(scenario.arms.map(\.deletedRows) == [fitted.deletedRows])
    let clients = scenario.arms[0].clients
    #expect(clients.map(\.name) == fitted.clients.map(\.spec.name))
    for (found, client) in zip(clients, fitted.clients) {
      guard case .writer(var writer) = found.kind, let spec = client.writer else { continue }
      // Rates have three digits in the file.
      #expect(abs(writer.load.virtualRate / spec.load.virtualRate - 1) < 0.01)
      writer.load.rate = spec.load.rate
      #expect(writer == spec)
    }
  }

  @Test(
    "numbers are written as people write them",
    arguments: [
      (Notation.rate(100), "100 per s"), (Notation.rate(1.0 / 60), "1 per min"),
      (Notation.rate(2010.4), "2_010 per s"), (Notation.rate(20.0 / 3600), "20 per h"),
      (Notation.rate(33.3333), "33.3 per s"), (Notation.bytes(100_000), "100 kB"),
      (Notation.bytes(1234), "1_234 B"), (Notation.number(-1_234_567), "-1_234_567"),
      (Notation.time(VirtualTime(seconds: 28_800)), "8 h"),
      (Notation.time(VirtualTime(seconds: 59.4)), "59.4 s"), (Notation.decimal(0.05, 1), "0.1"),
      (Notation.decimal(-0.04, 1), "0"), (Notation.decimal(12, 3), "12"),
    ])
  func notation(written: String, expected: String) { #expect(written == expected) }
}
