// The times of events in bounded memory: events of one kind and label that touch each other are one, and of too many the
// shortest are dropped.
import RecordModel

struct EventTimeline {
  /// Events with a shorter gap between them are one.
  static let maxGap = 10_000_000

  private struct Source: Hashable {
    var kind: TimelineEvent.Kind
    var label: String
  }

  /// Events of which the longest are stored. A checkpoint without a label is a commit's, and drops none of a client.
  private struct Group: Hashable {
    var kind: TimelineEvent.Kind
    var isLabeled: Bool

    static let all = TimelineEvent.Kind.allCases.flatMap { kind in
      [false, true].map { Group(kind: kind, isLabeled: $0) }
    }

    /// Commits may make a checkpoint every few milliseconds: each is an event.
    var maxGap: Int { kind == .checkpoint && !isLabeled ? 0 : EventTimeline.maxGap }
  }

  private var events: [Group: [TimelineEvent]] = [:]
  private var open: [Source: (begin: Int, depth: Int)] = [:]
  private(set) var omittedCount = 0

  /// Begins an event. One that is begun several times ends when it has been ended as often.
  mutating func begin(_ kind: TimelineEvent.Kind, _ label: String, at time: Int) {
    let source = Source(kind: kind, label: label)
    open[source, default: (time, 0)].depth += 1
  }

  /// Ends an event that was begun; without one nothing happens.
  mutating func end(_ kind: TimelineEvent.Kind, _ label: String, at time: Int) {
    let source = Source(kind: kind, label: label)
    guard let (begin, depth) = open[source] else { return }
    if depth > 1 {
      open[source]?.depth -= 1
    } else {
      open[source] = nil
      add(TimelineEvent(kind, label: label, begin: begin, end: time))
    }
  }

  /// Forgets an event that was begun.
  mutating func cancel(_ kind: TimelineEvent.Kind, _ label: String) {
    open[Source(kind: kind, label: label)] = nil
  }

  func isOpen(_ kind: TimelineEvent.Kind, _ label: String) -> Bool {
    open[Source(kind: kind, label: label)] != nil
  }

  mutating func add(_ event: TimelineEvent) {
    let group = Group(kind: event.kind, isLabeled: !event.label.isEmpty)
    let maxGap = group.maxGap
    var (whole, others) = (event, [TimelineEvent]())
    for other in events[group] ?? [] {
      let touches =
        other.label == whole.label && other.begin <= whole.end + maxGap
        && whole.begin <= other.end + maxGap
      if touches {
        (whole.begin, whole.end) = (min(whole.begin, other.begin), max(whole.end, other.end))
      } else {
        others.append(other)
      }
    }
    others.append(whole)
    if others.count > 2 * Timeline.maxEvents { drop(&others) }
    events[group] = others
  }

  private mutating func drop(_ events: inout [TimelineEvent]) {
    guard events.count > Timeline.maxEvents else { return }
    omittedCount += events.count - Timeline.maxEvents
    events.sort { $0.length > $1.length }
    events.removeLast(events.count - Timeline.maxEvents)
  }

  /// Ends all events and returns them in the order in which they began. None is later than `time`.
  mutating func finish(at time: Int) -> [TimelineEvent] {
    for (source, span) in open {
      add(TimelineEvent(source.kind, label: source.label, begin: span.begin, end: time))
    }
    open = [:]
    for group in Group.all {
      var ofGroup = events[group] ?? []
      drop(&ofGroup)
      events[group] = ofGroup
    }
    let order = Group.all.enumerated().flatMap { index, group in
      (events[group] ?? []).map { (index, $0) }
    }
    return order.map { index, event in
      var event = event
      event.end = min(event.end, max(event.begin, time))
      return (index, event)
    }.sorted { ($0.1.begin, $0.0, $0.1.label) < ($1.1.begin, $1.0, $1.1.label) }.map(\.1)
  }
}
