// The windows, phases and events of a timeline under construction, guarded by its recorder's lock. Its size is bounded for
// runs of any length: windows become wider.
import RecordModel

struct TimelineState {
  /// The width of the first windows, in nanoseconds; it doubles whenever there are too many of them.
  static let minWindow = 1_000_000

  private struct Window {
    var service = WindowHistogram()
    var intended = WindowHistogram()
  }

  var start: UInt64 = 0
  /// A log is long from this length on; nil for none.
  var maxLogBytes: Int?
  var events = EventTimeline()
  var phases: [TimelinePhase] = []
  var isPhaseOpen = false
  private(set) var window = minWindow
  /// By the index of the role.
  private var windows: [[Window]] = ClientRole.allCases.map { _ in [] }

  func elapsed(at time: UInt64) -> Int { Int(time - min(time, start)) }

  mutating func endPhase(at time: Int) {
    guard isPhaseOpen, let last = phases.indices.last else { return }
    phases[last].end = time
    isPhaseOpen = false
  }

  mutating func add(
    _ role: ClientRole, end: UInt64, service: UInt64, intended: UInt64?
  ) {
    let end = elapsed(at: end)
    while end / window >= Timeline.maxWindows { widen() }
    let (index, role) = (end / window, role.index)
    while windows[role].count <= index { windows[role].append(.init()) }
    windows[role][index].service.record(Int(service), end: end)
    if let intended { windows[role][index].intended.record(Int(intended), end: end) }
  }

  /// Makes one window of each two.
  private mutating func widen() {
    window *= 2
    for role in windows.indices {
      let narrow = windows[role]
      windows[role] = stride(from: 0, to: narrow.count, by: 2).map { index in
        var wide = narrow[index]
        if index + 1 < narrow.count {
          wide.service.merge(narrow[index + 1].service)
          wide.intended.merge(narrow[index + 1].intended)
        }
        return wide
      }
    }
  }

  mutating func series(until end: Int) -> [TimelineSeries] {
    while end / window >= Timeline.maxWindows { widen() }
    return ClientRole.allCases.compactMap { role in
      var windows = windows[role.index]
      guard !windows.isEmpty else { return nil }
      while windows.count <= end / window { windows.append(.init()) }
      let hasIntended = windows.contains { $0.intended.count > 0 }
      return TimelineSeries(
        role: role, service: latencies(windows.map(\.service)),
        intended: hasIntended ? latencies(windows.map(\.intended)) : nil)
    }
  }

  private func latencies(_ windows: [WindowHistogram]) -> TimelineLatencies {
    TimelineLatencies(
      counts: windows.map(\.count), p99: windows.map(\.p99), max: windows.map(\.max),
      maxEnd: windows.enumerated().map { index, one in
        one.count > 0 ? one.maxEnd - index * window : 0
      })
  }
}

extension ClientRole {
  fileprivate var index: Int {
    switch self {
    case .writers: 0
    case .lookups: 1
    case .probes: 2
    case .jobs: 3
    }
  }
}
