// An observer whose versions are recorded as snapshots: one version, and two while its callback runs.
import EngineInterface
import TraceFormat

/// Used by one thread at a time, as the observer that it wraps.
final class RecordingObserver: EngineObserver, @unchecked Sendable {
  private let inner: any EngineObserver
  private let label: String
  private let trace: TraceRecorder
  /// The numbers in the trace of its current version and of the previous one.
  private var current: Int?
  private var previous: Int?

  /// Wraps an observer that has just been created.
  init(_ inner: any EngineObserver, _ label: String, _ trace: TraceRecorder) {
    self.inner = inner
    self.label = label
    self.trace = trace
    current = trace.beginSnapshot(label) { $0 }
  }

  var pinLabel: String { inner.pinLabel }

  func deliver() throws(EngineError) -> EngineDelivery {
    var next = 0
    let delivery = try trace.beginSnapshot(label) { number throws(EngineError) in
      next = number
      return try inner.deliver()
    }
    switch delivery {
    case .nothingNew: recordEnd(of: next)
    case .moved:
      recordEnd(of: current)
      current = next
    case .called:
      previous = current
      current = next
    }
    return delivery
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    let found = try inner.read(table, key, body)
    trace.append(TraceRecord(.snapshotRead, table: table, key: key, number: current ?? 0))
    return found
  }

  func callbackReturns() throws(EngineError) {
    try inner.callbackReturns()
    recordEnd(of: previous)
    previous = nil
  }

  func end() {
    inner.end()
    recordEnd(of: previous)
    recordEnd(of: current)
    (previous, current) = (nil, nil)
  }

  private func recordEnd(of number: Int?) {
    if let number { trace.append(TraceRecord(.end, number: number)) }
  }
}
