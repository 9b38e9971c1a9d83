// A timeline is stored as text of numbers, and one that no run can have is refused.
import Foundation
import RecordModel
import Testing

@Suite("Timelines in records")
struct TimelineRecordTests {
  private static func timeline() -> Timeline {
    let latencies = TimelineLatencies(
      counts: [3, 0, 1], p99: [20, 0, 70], max: [19, 0, 66], maxEnd: [5, 0, 2])
    return Timeline(
      windowNanoseconds: 1000,
      series: [TimelineSeries(role: .lookups, service: latencies, intended: latencies)],
      phases: [TimelinePhase(launch: 1, phase: "work", begin: 10, end: 2500)],
      events: [TimelineEvent(.launchCompaction, begin: 100, end: 200)], omittedEvents: 2)
  }

  @Test("a timeline is read as it was written")
  func roundTrip() throws {
    let data = try JSONEncoder().encode(Self.timeline())
    #expect(try JSONDecoder().decode(Timeline.self, from: data) == Self.timeline())
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("\"counts\":\"3 0 1\"") && text.contains("launch-compaction"))
  }

  @Test(
    "a timeline that no run can have is refused",
    arguments: [
      ("\"20 0 70\"", "\"20 0\""), ("\"20 0 70\"", "\"20 0 -70\""), ("\"20 0 70\"", "\"20 0 x\""),
      (":1000", ":0"), ("\"end\":2500", "\"end\":1"), ("\"end\":200", "\"end\":1"),
      ("\"3 0 1\"", "\"" + repeatElement("1", count: 201).joined(separator: " ") + "\""),
    ])
  func impossible(part: String, changed: String) throws {
    let text = String(decoding: try JSONEncoder().encode(Self.timeline()), as: UTF8.self)
    #expect(text.contains(part))
    let data = Data(text.replacing(part, with: changed).utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Timeline.self, from: data)
    }
  }
}
