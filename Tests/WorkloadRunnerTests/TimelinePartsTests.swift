// The parts of a timeline that bound its size: histograms of windows, and the list of events.
import RecordModel
import TestSupport
import Testing

@testable import WorkloadRunner

@Suite("The parts of a timeline")
struct TimelinePartsTests {
  @Test("a 99th percentile is that of all values, or at most a sixteenth larger", arguments: 1...40)
  func percentile(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var whole = WindowHistogram()
    var other = WindowHistogram()
    let values = (0..<Int.random(in: 1...500, using: &random)).map { _ in
      Int.random(in: 0...(1 << Int.random(in: 1...40, using: &random)), using: &random)
    }
    for (index, value) in values.enumerated() {
      if index.isMultiple(of: 3) {
        other.record(value, end: index)
      } else {
        whole.record(value, end: index)
      }
    }
    whole.merge(other)
    let sorted = values.sorted()
    let exact = sorted[(sorted.count * 99 + 99) / 100 - 1]
    #expect(whole.p99 >= exact && whole.p99 <= exact + exact / 16)
    #expect(whole.count == values.count && whole.max == sorted.last)
    #expect(values[whole.maxEnd] == whole.max)
  }

  @Test("events of one label that touch are one, others are not")
  func joining() {
    var events = EventTimeline()
    let gap = EventTimeline.maxGap
    events.add(TimelineEvent(.pin, label: "a", begin: 0, end: 100))
    events.add(TimelineEvent(.pin, label: "a", begin: 200 + 2 * gap, end: 300 + 2 * gap))
    events.add(TimelineEvent(.pin, label: "b", begin: 50, end: 400))
    // It fills the gap between the first two.
    events.add(TimelineEvent(.pin, label: "a", begin: 90 + gap, end: 210 + gap))
    #expect(
      events.finish(at: 1000 * gap) == [
        TimelineEvent(.pin, label: "a", begin: 0, end: 300 + 2 * gap),
        TimelineEvent(.pin, label: "b", begin: 50, end: 400),
      ])
  }

  @Test("checkpoints of commits are not joined over a gap, and drop none of a client")
  func checkpoints() {
    var events = EventTimeline()
    let client = TimelineEvent(.checkpoint, label: "full", begin: 0, end: 1)
    events.add(client)
    let count = 3 * Timeline.maxEvents
    for number in 1...count {
      let begin = number * 1000
      events.add(TimelineEvent(.checkpoint, begin: begin, end: begin + 100 + number))
    }
    let stored = events.finish(at: .max)
    #expect(stored.first == client && stored.count == 1 + Timeline.maxEvents)
    let own = stored.dropFirst()
    #expect(own.allSatisfy { $0.label.isEmpty && $0.length > 100 + count - Timeline.maxEvents })
  }

  @Test("of too many events the longest are stored, and the others counted")
  func tooMany() {
    var events = EventTimeline()
    let gap = 2 * EventTimeline.maxGap
    let count = 10 * Timeline.maxEvents
    for number in 1...count {
      let length = number.isMultiple(of: 10) ? 1000 : 10
      events.add(
        TimelineEvent(.checkpoint, begin: number * gap, end: number * gap + length))
    }
    let stored = events.finish(at: .max)
    #expect(stored.count == Timeline.maxEvents && stored.allSatisfy { $0.length == 1000 })
    #expect(events.omittedCount == count - Timeline.maxEvents)
    #expect(stored == stored.sorted { $0.begin < $1.begin })
  }

  @Test("what has not ended ends with the run, and nothing is later than it")
  func atEnd() {
    var events = EventTimeline()
    events.begin(.longLog, "", at: 10)
    events.add(TimelineEvent(.coldStart, begin: 20, end: 900))
    events.begin(.compaction, "", at: 30)
    events.cancel(.compaction, "")
    events.end(.checkpoint, "passive", at: 40)
    #expect(
      events.finish(at: 50) == [
        TimelineEvent(.longLog, begin: 10, end: 50), TimelineEvent(.coldStart, begin: 20, end: 50),
      ])
  }

  @Test("a log is long from its limit on, and until it is shorter again")
  func longLog() throws {
    let recorder = TimelineRecorder()
    recorder.record(logBytes: 5000)
    #expect(recorder.finish() == nil)
    recorder.begin(at: 1, maxLogBytes: 1000)
    for bytes in [0, 999, 1000, 5000, 999, 0] { recorder.record(logBytes: bytes) }
    let timeline = try #require(recorder.finish())
    #expect(timeline.events.map(\.kind) == [.longLog])
  }
}
