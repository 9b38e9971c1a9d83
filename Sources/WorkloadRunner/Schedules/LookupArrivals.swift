// The arrivals of one client's open loop, which its threads take in turn: the thread that is free first takes the next.
import Generators
import ScenarioModel
import SystemIO

/// Safe to use from many threads.
final class LookupArrivals: Sendable {
  private struct State {
    /// nil until the rate is known.
    var schedule: ArrivalSchedule?
    var begin: UInt64 = 0
    /// The transactions that are left; nil without an end of their own.
    var left: Int?
    /// Threads that still measure the maximum rate, and what they have measured.
    var measuring = 0
    var measured = 0
    var measureBegin = UInt64.max
  }

  /// Only its settings are read here; its threads use what is their own.
  private nonisolated(unsafe) let client: LookupClient
  private let recorder: LookupRecorder
  private let lock = ThreadMutex()
  private let changed = ThreadCondition()
  private nonisolated(unsafe) var state = State()

  init(_ client: LookupClient, _ extent: LookupExtent?, _ recorder: LookupRecorder) {
    self.client = client
    self.recorder = recorder
    if case .transactions(let count) = extent { state.left = count }
    switch client.spec.load.rate {
    case .perSecond(let rate): start(rate, maximum: nil)
    case .shareOfMaximum: state.measuring = client.threads.count
    }
  }

  /// How many transactions each thread makes without a schedule, to measure the maximum rate.
  var trials: Int { lock.withLock { state.schedule == nil ? Self.trials : 0 } }

  private static let trials = 100

  /// Ends a thread's part of the measurement, of so many transactions since `begin`. The last one's end starts the schedule,
  /// and all wait for it.
  func endTrials(_ count: Int, since begin: UInt64) {
    lock.withLock {
      state.measuring -= 1
      state.measured += count
      state.measureBegin = min(state.measureBegin, begin)
      if state.measuring == 0, case .shareOfMaximum(let share) = client.spec.load.rate {
        let time = max(1, Clock.monotonicNanoseconds() - state.measureBegin)
        let maximum = max(0.001, Double(state.measured) * 1e9 / Double(time))
        start(max(0.001, share * maximum), maximum: maximum)
        changed.broadcast()
      }
      while state.schedule == nil { changed.wait(lock) }
    }
  }

  /// The time at which the next transaction is to begin; nil where there is none.
  func next() -> UInt64? {
    lock.withLock {
      guard state.left != 0 else { return nil }
      state.left = state.left.map { $0 - 1 }
      return (state.schedule?.next()).map { state.begin + $0 }
    }
  }

  private func start(_ rate: Double, maximum: Double?) {
    state.schedule = client.schedule(rate: rate)
    state.begin = Clock.monotonicNanoseconds()
    recorder.record(targetRate: rate, maximum: maximum, of: client.name)
  }
}
