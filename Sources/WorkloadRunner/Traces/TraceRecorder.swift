// Writes the operations of a run into a trace as they happen, in one total order. The recording engine appends the calls of
// the engine; the recorder and the pin ledger append what the run counts.
import MetricModel
import SystemIO
import TraceFormat

/// A trace being recorded. Safe to use from many threads.
final class TraceRecorder: Sendable {
  private struct State {
    var writer: TraceWriter
    var failure: TraceError?
    /// The latest known time of the virtual clock.
    var time = 0
    /// The gaps between launches, which the machine's clock does not have.
    var passed = 0
    var threads: [Int32: Int] = [:]
    var snapshots = 0
  }

  private let lock = ThreadMutex()
  private nonisolated(unsafe) var state: State
  /// The beginning of the recording on the machine's clock; nil on the virtual clock.
  private let start: UInt64?

  init(_ path: FilePath, _ header: TraceHeader) throws(TraceError) {
    state = State(writer: try TraceWriter(path, header))
    start = header.clock == .machine ? Clock.monotonicNanoseconds() : nil
  }

  /// Appends an operation. `time` is the virtual clock's; nil repeats the latest known time.
  func append(_ record: TraceRecord, at time: VirtualTime? = nil) {
    lock.withLock { write(record, at: time) }
  }

  /// Appends the beginning of a launch, `gap` after the end of the previous one.
  func beginLaunch(_ number: Int, gap: VirtualTime, at time: VirtualTime) {
    lock.withLock {
      if number > 1 { state.passed += gap.microseconds }
      write(TraceRecord(.launch, number: number), at: time)
    }
  }

  /// Adds a time without any work.
  func pass(_ span: VirtualTime) { lock.withLock { state.passed += span.microseconds } }

  /// Carries out an operation that changes which version others see and appends it, with no other operation in between.
  /// - Parameter failed: what is appended if the operation throws; nil where it then has no effect.
  func atomically<R, Failure: Error>(
    _ record: TraceRecord, orOnError failed: TraceRecord? = nil, _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    try lock.withLock { () throws(Failure) in
      let result: R
      do throws(Failure) {
        result = try body()
      } catch {
        if let failed { write(failed, at: nil) }
        throw error
      }
      write(record, at: nil)
      return result
    }
  }

  /// Begins a snapshot and appends it under the next number, with no other operation in between.
  func beginSnapshot<R, Failure: Error>(
    _ label: String, _ body: (_ number: Int) throws(Failure) -> R
  ) throws(Failure) -> R {
    try lock.withLock { () throws(Failure) in
      let result = try body(state.snapshots + 1)
      state.snapshots += 1
      write(TraceRecord(.snapshot, number: state.snapshots, text: label), at: nil)
      return result
    }
  }

  /// Throws the first error of writing the file. Called at each commit, so that the run ends soon after the error.
  func check() throws(TraceError) {
    let failure = lock.withLock { state.failure }
    if let failure { throw failure }
  }

  /// Writes the end of the trace. A trace without an end is one of an interrupted run.
  func finish() throws(TraceError) {
    try check()
    try lock.withLock { () throws(TraceError) in try state.writer.finish() }
  }

  /// The bytes that the process wrote for the trace.
  var bytesWritten: Int { lock.withLock { state.writer.bytesWritten } }

  private func write(_ record: TraceRecord, at time: VirtualTime?) {
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
