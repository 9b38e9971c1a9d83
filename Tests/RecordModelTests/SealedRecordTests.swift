// Records of sweeps and optima: sealed, and read as they were written, or not at all.
import Foundation
import RecordFixtures
import RecordModel
import ScenarioModel
import Testing

@Suite("Sealed records")
struct SealedRecordTests {
  private static let optimum = OptimumFixture.record(
    [
      OptimumFixture.cell([
        OptimumFixture.Outcome("good", [100, 100, 100, 100], rewritten: [40, 40, 40])
      ])
    ], policies: ["good"])

  private static let sweep = SweepRecord(
    name: "small", provenance: optimum.provenance, axes: [],
    points: [SweepRecord.Point(values: [], group: 0, policies: ["good"])],
    groups: [SweepRecord.Group(scenario: optimum.scenario, cells: [])])

  private static func reads<Record: SealedRecord & Equatable>(_ record: Record) throws {
    let json = try record.json()
    #expect(try Record(json: json) == record)
    #expect(try Record(json: json).json() == json, "the same record is the same bytes")
    #expect(Record.isRecord(json) && json.last == UInt8(ascii: "\n"))
  }

  /// Returns the error of reading a text with one place changed.
  private static func error<Record: SealedRecord>(
    _ record: Record, _ old: String, _ new: String, acceptsChanged: Bool = false
  ) throws -> RecordError? {
    let text = String(decoding: try record.json(), as: UTF8.self)
    #expect(text.contains(old))
    do throws(RecordError) {
      _ = try Record(
        json: Array(text.replacing(old, with: new).utf8), name: "x/\(Record.fileName)",
        acceptsChanged: acceptsChanged)
      return nil
    } catch { return error }
  }

  @Test("both kinds read back as they were written, and neither is read as the other")
  func roundTrip() throws {
    try Self.reads(Self.optimum)
    try Self.reads(Self.sweep)
    #expect(!SweepRecord.isRecord(try Self.optimum.json()))
    #expect(!OptimumRecord.isRecord(try Self.sweep.json()))
    let error = #expect(throws: RecordError.self) {
      try OptimumRecord(json: try Self.sweep.json(), name: "x/optimum.json")
    }
    #expect(
      error?.message
        == "x/optimum.json: not a record of optimum (it is cut off, or another program's file)")
  }

  @Test("a changed figure is refused, or accepted and marked, in both kinds")
  func changed() throws {
    let inOptimum = try Self.error(Self.optimum, "\"arm\":\"usual\"", "\"arm\":\"usuel\"")
    let inSweep = try Self.error(Self.sweep, "\"name\" : \"small\"", "\"name\" : \"smell\"")
    for (error, file) in [(inOptimum, "x/optimum.json"), (inSweep, "x/sweep.json")] {
      #expect(error?.code == .changed)
      #expect(error?.message.hasPrefix("\(file): was changed after the run") == true)
      #expect(error?.message.contains("--accept-changed") == true)
    }
    let text = String(decoding: try Self.optimum.json(), as: UTF8.self)
      .replacing("\"arm\":\"usual\"", with: "\"arm\":\"usuel\"")
    let marked = try OptimumRecord(json: Array(text.utf8), acceptsChanged: true)
    #expect(marked.integrity == .changed(["optimum.json"]) && marked.cells[0].arm == "usuel")
    // What is written of it is whole again, but not what was measured: the mark is not part of the file.
    #expect(try OptimumRecord(json: try marked.json()).integrity == .verified)
  }

  @Test("a record that is accepted although changed has no figure beyond all bytes")
  func impossible() throws {
    let most = try Self.error(
      Self.optimum, "\"highWater\":400000000", "\"highWater\":\(Int.max)", acceptsChanged: true)
    #expect(most?.message.contains("\(Int.max) is not a possible figure") == true)
    let area = try Self.error(
      Self.optimum, "\"area\":\"11520000000000000000\"",
      "\"area\":\"11520000000000000000000000000000000000\"", acceptsChanged: true)
    #expect(area?.code == .malformed)
  }

  @Test("another format is named, whatever else the record has")
  func otherFormat() throws {
    let error = try Self.error(Self.optimum, "\"optimumFormat\":2", "\"optimumFormat\":3")
    #expect(error?.code == .otherFormat)
    #expect(
      error?.message
        == "x/optimum.json: format 3; this program reads format 2. Run optimum again")
    let bare = #expect(throws: RecordError.self) {
      try SweepRecord(json: Array("{\"sweepFormat\": 9}".utf8))
    }
    #expect(bare?.code == .otherFormat)
  }
}
