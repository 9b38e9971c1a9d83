// Writes the operations of a run down as they happen, in the one order that a trace has. The recording engine tells what
// is asked of the engine, the recorder and the ledger of pins tell what the run counts.
import MetricModel
import SystemIO
import TraceFormat

/// A trace being recorded. Safe to use from many threads.
final class TraceRecorder: Sendable {
  private struct State {
    var writer: TraceWriter
    var failure: TraceError?
    /// The virtual clock's time, as it was told last.
    var time = 0
    /// Gaps between launches, which the machine's clock does not show.
    var passed = 0
    var threads: [Int32: Int] = [:]
    var snapshots = 0
  }

  private let lock = ThreadMutex()
  private nonisolated(unsafe) var state: State
  /// When the recording began on the machine's clock; nil on the virtual one.
  private let start: UInt64?

  init(_ path: FilePath, _ header: TraceHeader) throws(TraceError) {
    state = State(writer: try TraceWriter(path, header))
    start = header.clock == .machine ? Clock.monotonicNanoseconds() : nil
  }

  /// Appends an operation. `time` is the virtual clock's, where the caller knows it.
  func note(_ record: TraceRecord, at time: VirtualTime? = nil) {
    lock.withLock { append(record, at: time) }
  }

  /// A launch begins, `gap` after the one before.
  func launch(_ number: Int, gap: VirtualTime, at time: VirtualTime) {
    lock.withLock {
      if number > 1 { state.passed += gap.microseconds }
      append(TraceRecord(.launch, number: number), at: time)
    }
  }

  /// So much time passed in which nothing was done.
  func pass(_ span: VirtualTime) { lock.withLock { state.passed += span.microseconds } }

  /// Carries out what decides on what others see, and appends it, with nothing in between.
  func inOrder<R, Failure: Error>(
    _ record: TraceRecord, _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    try lock.withLock { () throws(Failure) in
      let result = try body()
      append(record, at: nil)
      return result
    }
  }

  /// The same for a new snapshot, which gets the next number.
  func snapshot<R, Failure: Error>(
    _ label: String, _ body: (_ number: Int) throws(Failure) -> R
  ) throws(Failure) -> R {
    try lock.withLock { () throws(Failure) in
      let result = try body(state.snapshots + 1)
      state.snapshots += 1
      append(TraceRecord(.snapshot, number: state.snapshots, text: label), at: nil)
      return result
    }
  }

  /// What went wrong with the file, if anything did; asked now and then, so that a run ends soon after.
  func check() throws(TraceError) {
    let failure = lock.withLock { state.failure }
    if let failure { throw failure }
  }

  /// Writes the end of the trace: without it, a trace is one of a run that was broken off.
  func finish() throws(TraceError) {
    try check()
    try lock.withLock { () throws(TraceError) in try state.writer.finish() }
  }

  /// What the trace took of the bytes that the process wrote.
  var bytesWritten: Int { lock.withLock { state.writer.bytesWritten } }

  private func append(_ record: TraceRecord, at time: VirtualTime?) {
    guard state.failure == nil else { return }
    var record = record
    if let start {
      record.time = state.passed + Int((Clock.monotonicNanoseconds() - start) / 1000)
      record.thread = number(ofThread: SystemThread.currentID)
    } else {
      state.time = time?.microseconds ?? state.time
      record.time = state.time
    }
    do throws(TraceError) { try state.writer.append(record) } catch { state.failure = error }
  }

  private func number(ofThread id: Int32) -> Int {
    if let number = state.threads[id] { return number }
    state.threads[id] = state.threads.count
    return state.threads.count - 1
  }
}
