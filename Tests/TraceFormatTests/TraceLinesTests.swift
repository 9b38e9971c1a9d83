import SystemIO
import TestSupport
import Testing

@testable import TraceFormat

@Suite("A trace as JSON lines")
struct TraceLinesTests {
  @Test("records become lines and lines become the same records")
  func roundTrip() throws {
    let seed = testSeed(5)
    let records = TraceFixtures.records(500, seed: seed)
    var reader = TraceLineReader(file: "lines")
    guard case .header(let header) = try reader.read(TraceLines.first(TraceFixtures.header)) else {
      Issue.record("the first line is no header")
      return
    }
    #expect(header == TraceFixtures.header)
    for record in records {
      guard case .record(let again) = try reader.read(TraceLines.line(record)) else {
        Issue.record("\(TraceLines.line(record)) is no record")
        continue
      }
      #expect(again == record, "SEED=\(seed)")
    }
    let totals = TraceTotals(records: 500, commits: 3, blocks: 1)
    guard case .end(totals) = try reader.read(TraceLines.last(totals)) else {
      Issue.record("the last line is no end")
      return
    }
    #expect(reader.isComplete)
  }

  @Test(
    "an invalid line is refused with its number and the problem",
    arguments: [
      ("", "is not the header"), ("{\"op\":\"commit\",\"at\":0}", "is not the header"),
      ("H\nnonsense", "line 2 is not a JSON object"),
      ("H\n{\"op\":\"comit\",\"at\":0}", "line 2 has the operation \"comit\"; there are launch"),
      ("H\n{\"op\":\"commit\"}", "line 2 lacks \"at\""),
      (
        "H\n{\"op\":\"commit\",\"at\":0,\"key\":1}",
        "line 2 has \"key\", which is not a member of commit"
      ),
      ("H\n{\"op\":\"commit\",\"at\":5}\n{\"op\":\"commit\",\"at\":4}", "line 3 is earlier"),
      ("H\n{\"op\":\"refresh\",\"at\":5,\"snapshot\":-1}", "line 2 has a negative snapshot"),
      ("H\n{\"op\":\"refresh\",\"at\":5,\"snapshot\":\"1\"}", "line 2 lacks \"snapshot\""),
      (
        "H\n{\"op\":\"put\",\"at\":5,\"table\":0,\"key\":1,\"size\":1000000000000000000}",
        "line 2 has a value of 1000000000000000000 bytes"
      ), ("H\nH", "line 2 is not a header"),
      ("H\n{\"end\":{\"records\":0,\"commits\":0,\"blocks\":0}}\nH", "line 3 follows the end"),
    ])
  func mistakes(_ text: String, _ message: String) throws {
    var reader = TraceLineReader(file: "lines")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0 == "H" ? TraceLines.first(TraceFixtures.header) : String($0) }
    do {
      for line in lines { _ = try reader.read(line.isEmpty ? "{}" : line) }
      Issue.record("\(text) is no mistake")
    } catch {
      #expect(error.message.contains(message), "\(error)")
    }
  }

  @Test("tables and dropped transactions may be declared between records")
  func declarations() throws {
    var reader = TraceLineReader(file: "lines")
    _ = try reader.read(TraceLines.first(TraceFixtures.header))
    guard
      case .tables([.init(name: "Late", rows: 3)]) = try reader.read(
        #"{"tables":[{"name":"Late","rows":3}]}"#),
      case .dropped(4) = try reader.read(#"{"dropped":4}"#),
      case .end(TraceTotals(records: 0, commits: 0, blocks: 0)) = try reader.read(
        #"{"end":{"records":0,"commits":0}}"#)
    else {
      Issue.record("a line was read as another kind")
      return
    }
  }

  @Test(
    "what an interrupted recording left open is ended, and a whole one lacks nothing",
    arguments: [
      ([], []),
      ([.launch, .open, .close], []),
      ([.launch, .open], [.closing, .close]),
      ([.open, .phase, .beginWrite, .put], [.rollBack, .phaseEnd, .closing, .close]),
      ([.open, .phase, .beginWrite, .commit, .phaseEnd, .closing], [.close]),
      ([.open, .snapshot, .pin], [.end, .unpin, .closing, .close]),
      ([.open, .snapshot, .pin, .end, .unpin, .closing, .close], []),
    ] as [([TraceOperation], [TraceOperation])])
  func completion(_ operations: [TraceOperation], _ missing: [TraceOperation]) {
    var completion = TraceCompletion()
    for operation in operations {
      completion.follow(TraceRecord(operation, time: 7, number: 3, text: "work"))
    }
    #expect(completion.missing.map(\.operation) == missing)
    #expect(completion.missing.allSatisfy { $0.time == 7 })
  }

  @Test("the manual's example is a whole trace")
  func example() throws {
    let manual = try Repository.text("Docs/TraceFormat.md")
    let start = try #require(manual.range(of: "```json\n"))
    var reader = TraceLineReader(file: "example")
    var records: [TraceRecord] = []
    var completion = TraceCompletion()
    for line in manual[start.upperBound...].prefix(while: { $0 != "`" }).split(separator: "\n") {
      switch try reader.read(line) {
      case .record(let record):
        records.append(record)
        completion.follow(record)
      case .end(let totals):
        let commits = records.filter { $0.operation == .enter }.count
        #expect(totals == TraceTotals(records: records.count, commits: commits))
      default: break
      }
    }
    #expect(reader.isComplete && records.last?.operation == .close && completion.missing.isEmpty)
  }

  @Test("the manual has every operation with its code, name, parts and meaning")
  func manual() throws {
    let rows = TraceOperation.allCases.map { operation in
      let parts = operation.parts.map { "`\($0.name)`" }.joined(separator: ", ")
      return "| \(operation.rawValue) | `\(operation.name)` | \(parts) | \(operation.meaning) |\n"
    }
    let expected = "| code | operation | parts | |\n|---|---|---|---|\n" + rows.joined()
    let manual = try Repository.text("Docs/TraceFormat.md")
    #expect(manual.contains(expected + "\n"), "Docs/TraceFormat.md lacks:\n\(expected)")
  }
}
