// Who holds which version, since when. Every snapshot that a client takes is entered here, so that a sample can say how
// far the oldest lags and a report can draw who held it.
import EngineInterface
import MetricModel
import RecordModel
import SystemIO
import TraceFormat

/// The snapshots that clients hold. Safe to use from many threads.
final class PinLedger: Sendable {
  struct Pin: Hashable {
    var number: Int
    var holder: String
    /// What the engine calls it.
    var label: String
    var commit: Int
    var time: VirtualTime
    /// What the engine kept for it, at the most of all samples; nil before the first, or where it cannot tell.
    var retained: ByteCount?
    var exclusive: ByteCount?
  }

  private let lock = ThreadMutex()
  private nonisolated(unsafe) var held: [Int: Pin] = [:]
  private nonisolated(unsafe) var spans: [PinSpan] = []
  private nonisolated(unsafe) var next = 0
  /// Told of pins, where the run is recorded.
  private let trace: TraceRecorder?

  init(trace: TraceRecorder? = nil) { self.trace = trace }

  /// Enters a pin taken when the run had come to `commit`; answers its number. `label` is what the engine calls it, nil
  /// for the holder's name.
  func begin(_ holder: String, label: String? = nil, commit: Int, time: VirtualTime) -> Int {
    lock.withLock {
      next += 1
      held[next] = Pin(
        number: next, holder: holder, label: label ?? holder, commit: commit, time: time)
      trace?.note(TraceRecord(.pin, number: next, text: holder), at: time)
      return next
    }
  }

  func end(_ number: Int, commit: Int) {
    lock.withLock {
      guard let pin = held.removeValue(forKey: number) else {
        preconditionFailure("pin \(number) ended twice")
      }
      trace?.note(TraceRecord(.unpin, number: number))
      // A pin that no commit saw cost nothing; leaving it out keeps the list to those that matter.
      if commit > pin.commit {
        spans.append(
          PinSpan(
            holder: pin.holder, firstCommit: pin.commit, lastCommit: commit,
            retained: pin.retained, exclusive: pin.exclusive))
      }
    }
  }

  /// A sample was taken: notes what the engine keeps for each pin. Those of one label began in the order in which they
  /// were entered; where a thread is between the two, that label is left out.
  func note(_ kept: [EnginePin]) {
    lock.withLock {
      for (label, pins) in Dictionary(grouping: held.values, by: \.label) {
        let figures = kept.filter { $0.label == label }
        guard figures.count == pins.count else { continue }
        for (pin, figure) in zip(pins.sorted { $0.number < $1.number }, figures) {
          held[pin.number]?.retained = max(pin.retained ?? .zero, figure.retained)
          held[pin.number]?.exclusive = max(pin.exclusive ?? .zero, figure.exclusive)
        }
      }
    }
  }

  /// How many pins there are, and the oldest; ties go to the one entered first.
  func state() -> (count: Int, oldest: Pin?) {
    lock.withLock {
      (held.count, held.values.min { ($0.commit, $0.number) < ($1.commit, $1.number) })
    }
  }

  /// The longest spans, at most `limit`, in the order in which they began.
  func longestSpans(_ limit: Int) -> [PinSpan] {
    lock.withLock {
      let order: (PinSpan, PinSpan) -> Bool = {
        ($0.firstCommit, $0.holder, $0.lastCommit) < ($1.firstCommit, $1.holder, $1.lastCommit)
      }
      let longest = spans.sorted {
        let (a, b) = ($0.lastCommit - $0.firstCommit, $1.lastCommit - $1.firstCommit)
        return a == b ? order($0, $1) : a > b
      }
      return longest.prefix(limit).sorted(by: order)
    }
  }
}
