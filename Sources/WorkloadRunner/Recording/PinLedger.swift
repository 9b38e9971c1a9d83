// The pins of a run: which holder has held which version since when. Every snapshot of a client is entered here, so that
// a sample has the lag of the oldest pin and a report can draw each pin as a span.
import EngineInterface
import MetricModel
import RecordModel
import SystemIO
import TraceFormat

/// The pins that clients hold. Safe to use from many threads.
final class PinLedger: Sendable {
  struct Pin: Hashable {
    var number: Int
    var holder: String
    /// The engine's name for it.
    var label: String
    var commit: Int
    var time: VirtualTime
    /// The greatest retained bytes of all samples; nil before the first, or where the engine does not report them.
    var retained: ByteCount?
    var exclusive: ByteCount?
  }

  private let lock = ThreadMutex()
  private nonisolated(unsafe) var held: [Int: Pin] = [:]
  private nonisolated(unsafe) var spans: [PinSpan] = []
  private nonisolated(unsafe) var next = 0
  /// The trace to which pins are written; nil where the run is not recorded.
  private let trace: TraceRecorder?

  init(trace: TraceRecorder? = nil) { self.trace = trace }

  /// Enters a pin that begins at commit count `commit`, and returns its number. `label` is the engine's name for it, nil
  /// if that is the holder's name.
  func begin(_ holder: String, label: String? = nil, commit: Int, time: VirtualTime) -> Int {
    lock.withLock {
      next += 1
      held[next] = Pin(
        number: next, holder: holder, label: label ?? holder, commit: commit, time: time)
      trace?.append(TraceRecord(.pin, number: next, text: holder), at: time)
      return next
    }
  }

  func end(_ number: Int, commit: Int) {
    lock.withLock {
      guard let pin = held.removeValue(forKey: number) else {
        preconditionFailure("pin \(number) ended twice")
      }
      trace?.append(TraceRecord(.unpin, number: number))
      // A pin during which nothing was committed cost nothing; the list has only those that matter.
      if commit > pin.commit {
        spans.append(
          PinSpan(
            holder: pin.holder, firstCommit: pin.commit, lastCommit: commit,
            retained: pin.retained, exclusive: pin.exclusive))
      }
    }
  }

  /// Updates the retained bytes of each pin by the engine's figures at a sample. Pins of one label are matched in the order
  /// in which they were entered. A label is skipped while one of its pins begins or ends on another thread.
  func update(by figures: [EnginePin]) {
    lock.withLock {
      for (label, pins) in Dictionary(grouping: held.values, by: \.label) {
        let ofLabel = figures.filter { $0.label == label }
        guard ofLabel.count == pins.count else { continue }
        for (pin, figure) in zip(pins.sorted { $0.number < $1.number }, ofLabel) {
          held[pin.number]?.retained = max(pin.retained ?? .zero, figure.retained)
          held[pin.number]?.exclusive = max(pin.exclusive ?? .zero, figure.exclusive)
        }
      }
    }
  }

  /// Returns the number of pins and the oldest one; of two equally old pins, the one entered first.
  func summary() -> (count: Int, oldest: Pin?) {
    lock.withLock {
      (held.count, held.values.min { ($0.commit, $0.number) < ($1.commit, $1.number) })
    }
  }

  /// Returns the longest spans, at most `limit`, in the order in which they began.
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
