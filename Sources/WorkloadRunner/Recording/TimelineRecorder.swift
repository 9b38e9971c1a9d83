// Transactions and events of a run on real threads by time. Under the stepped schedule nothing takes time, and nothing is
// recorded here. It has a lock of its own, so that lookups never wait for a sample of the engine.
import RecordModel
import SystemIO

/// Safe to use from many threads.
final class TimelineRecorder: Sendable {
  /// A shorter pin is no event, nor is one that lasted less than a twentieth of the run up to its end.
  static let minPin = 10_000_000
  static let minPinShare = 20
  /// How long after an opening its clients are those of a start.
  private static let startNanoseconds = 100_000_000

  private let lock = ThreadMutex()
  private nonisolated(unsafe) var state = TimelineState()
  private let isOn = SharedFlag()

  /// Begins to record a run that started at that time of the machine's clock. A log is long from `maxLogBytes` on; nil where
  /// there is none.
  func begin(at start: UInt64, maxLogBytes: Int?) {
    lock.withLock {
      state.start = start
      state.maxLogBytes = maxLogBytes
    }
    isOn.set()
  }

  // MARK: Transactions

  /// Records a transaction that ended at that time.
  func record(_ role: ClientRole, end: UInt64, service: UInt64, intended: UInt64?) {
    guard isOn.isSet else { return }
    lock.withLock { state.add(role, end: end, service: service, intended: intended) }
  }

  func record(lookups transactions: [LookupTransaction]) {
    guard isOn.isSet, !transactions.isEmpty else { return }
    lock.withLock {
      for transaction in transactions {
        state.add(
          .lookups, end: transaction.end, service: transaction.service,
          intended: transaction.intended)
      }
    }
  }

  // MARK: Phases and events

  func beginPhase(_ name: String, launch: Int) {
    note { state, now in
      state.endPhase(at: now)
      guard state.phases.count < Timeline.maxPhases else { return }
      state.phases.append(TimelinePhase(launch: launch, phase: name, begin: now, end: now))
      state.isPhaseOpen = true
    }
  }

  func endPhase() { note { $0.endPhase(at: $1) } }

  func begin(_ kind: TimelineEvent.Kind, label: String = "") {
    note { $0.events.begin(kind, label, at: $1) }
  }

  func end(_ kind: TimelineEvent.Kind, label: String = "") {
    note { $0.events.end(kind, label, at: $1) }
  }

  func cancel(_ kind: TimelineEvent.Kind, label: String = "") {
    note { state, _ in state.events.cancel(kind, label) }
  }

  /// Records a step of automatic compaction, which the commit made that began at `commitBegin`.
  func record(compaction stage: CompactionStage, since commitBegin: UInt64?) {
    note { state, now in
      let begin = commitBegin.map { state.elapsed(at: $0) } ?? now
      switch stage {
      case .before: break
      case .during:
        if !state.events.isOpen(.compaction, "") { state.events.begin(.compaction, "", at: begin) }
      case .after where state.events.isOpen(.compaction, ""):
        state.events.end(.compaction, "", at: now)
      // Some engines compact within a commit, and report only that they have.
      case .after where begin < now:
        state.events.add(TimelineEvent(.compaction, begin: begin, end: now))
      case .after: break
      }
    }
  }

  /// Records what a commit did or met with, such as a checkpoint that it made.
  func record(_ kind: TimelineEvent.Kind, from begin: UInt64, to end: UInt64) {
    guard isOn.isSet else { return }
    lock.withLock {
      state.events.add(
        TimelineEvent(kind, begin: state.elapsed(at: begin), end: state.elapsed(at: end)))
    }
  }

  /// Records the end of a pin that was taken at that time.
  func record(pinOf holder: String, since begin: UInt64) {
    let now = Clock.monotonicNanoseconds()
    guard isOn.isSet, now > begin, now - begin >= UInt64(Self.minPin) else { return }
    lock.withLock {
      let pin = TimelineEvent(
        .pin, label: holder, begin: state.elapsed(at: begin), end: state.elapsed(at: now))
      if pin.length >= pin.end / Self.minPinShare { state.events.add(pin) }
    }
  }

  /// Records the length of the log at a sample.
  func record(logBytes: Int) {
    note { state, now in
      guard let limit = state.maxLogBytes else { return }
      let isOpen = state.events.isOpen(.longLog, "")
      if logBytes >= limit, !isOpen { state.events.begin(.longLog, "", at: now) }
      if logBytes < limit, isOpen { state.events.end(.longLog, "", at: now) }
    }
  }

  /// Records an opening that began at that time and ends now, in a scenario with cold starts.
  func record(start isCold: Bool, since begin: UInt64) {
    note { state, now in
      state.events.add(
        TimelineEvent(
          isCold ? .coldStart : .warmStart, begin: state.elapsed(at: begin),
          end: now + Self.startNanoseconds))
    }
  }

  /// Ends what does not outlive a session.
  func endSession() {
    note { state, now in
      state.events.end(.compaction, "", at: now)
      state.events.end(.longLog, "", at: now)
    }
  }

  private func note(_ change: (inout TimelineState, _ now: Int) -> Void) {
    guard isOn.isSet else { return }
    let now = Clock.monotonicNanoseconds()
    lock.withLock { change(&state, state.elapsed(at: now)) }
  }

  /// The timeline of the run, which has ended; nil if nothing was to be recorded.
  func finish() -> Timeline? {
    guard isOn.isSet else { return nil }
    let now = Clock.monotonicNanoseconds()
    return lock.withLock {
      let end = state.elapsed(at: now)
      state.endPhase(at: end)
      let events = state.events.finish(at: end)
      let omitted = state.events.omittedCount
      return Timeline(
        windowNanoseconds: state.window, series: state.series(until: end), phases: state.phases,
        events: events, omittedEvents: omitted > 0 ? omitted : nil)
    }
  }
}
