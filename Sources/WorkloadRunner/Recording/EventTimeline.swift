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

  private var events: [TimelineEvent.Kind: [TimelineEvent]] = [:]
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
    var (whole, others) = (event, [TimelineEvent]())
    for other in events[event.kind] ?? [] {
      let touches =
        other.label == whole.label && other.begin <= whole.end + Self.maxGap
        && whole.begin <= other.end + Self.maxGap
      if touches {
        (whole.begin, whole.end) = (min(whole.begin, other.begin), max(whole.end, other.end))
      } else {
        others.append(other)
      }
    }
    others.append(whole)
    if others.count > 2 * Timeline.maxEvents { drop(&others) }
    events[event.kind] = others
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
    for kind in TimelineEvent.Kind.allCases {
      var ofKind = events[kind] ?? []
      drop(&ofKind)
      events[kind] = ofKind
    }
    let order = TimelineEvent.Kind.allCases.enumerated().flatMap { index, kind in
      (events[kind] ?? []).map { (index, $0) }
    }
    return order.map { index, event in
      var event = event
      event.end = min(event.end, max(event.begin, time))
      return (index, event)
    }.sorted { ($0.1.begin, $0.0, $0.1.label) < ($1.1.begin, $1.0, $1.1.label) }.map(\.1)
  }
}
