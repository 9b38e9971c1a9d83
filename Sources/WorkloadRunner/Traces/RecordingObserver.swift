// An observer whose versions are written down as the snapshots that they are: one until it moves, and both while its
// callback is at work.
import EngineInterface
import TraceFormat

/// Used by one thread at a time, as the one within.
final class RecordingObserver: EngineObserver, @unchecked Sendable {
  private let inner: any EngineObserver
  private let label: String
  private let trace: TraceRecorder
  /// The numbers of the version that it sees and of the one before, in the trace.
  private var seen: Int?
  private var before: Int?

  /// Of an observer that has just been made.
  init(_ inner: any EngineObserver, _ label: String, _ trace: TraceRecorder) {
    self.inner = inner
    self.label = label
    self.trace = trace
    seen = trace.snapshot(label) { $0 }
  }

  var pinLabel: String { inner.pinLabel }

  func deliver() throws(EngineError) -> EngineDelivery {
    var next = 0
    let delivery = try trace.snapshot(label) { number throws(EngineError) in
      next = number
      return try inner.deliver()
    }
    switch delivery {
    case .nothingNew: over(next)
    case .moved:
      over(seen)
      seen = next
    case .called:
      before = seen
      seen = next
    }
    return delivery
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    let found = try inner.read(table, key, body)
    trace.note(TraceRecord(.snapshotRead, table: table, key: key, number: seen ?? 0))
    return found
  }

  func callbackReturns() throws(EngineError) {
    try inner.callbackReturns()
    over(before)
    before = nil
  }

  func end() {
    inner.end()
    over(before)
    over(seen)
    (before, seen) = (nil, nil)
  }

  private func over(_ number: Int?) {
    if let number { trace.note(TraceRecord(.end, number: number)) }
  }
}
