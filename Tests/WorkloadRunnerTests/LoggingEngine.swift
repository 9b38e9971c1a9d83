// An engine in memory that logs all calls, so that tests can check what clients do and in which order.
import EngineInterface
import MetricModel
import SystemIO

final class LoggingEngine: Engine {
  let id = "trace"
  let mainFile: String
  let sidecarFiles: [String]
  let trace = CallLog()
  /// After so many commits every further one fails.
  let failsAfterCommits: Int?
  /// The label whose pin it reports: one retained byte for each commit, of which every other one is exclusive.
  let reportsPinOf: String?

  /// Files that it makes when it opens, each with that many bytes.
  let files: [String: Int]

  init(
    failsAfterCommits: Int? = nil, mainFile: String = "", sidecarFiles: [String] = [],
    files: [String: Int] = [:], reportsPinOf: String? = nil
  ) {
    self.reportsPinOf = reportsPinOf
    self.failsAfterCommits = failsAfterCommits
    self.mainFile = mainFile
    self.sidecarFiles = sidecarFiles
    self.files = files
  }

  var capabilities: EngineCapabilities {
    EngineCapabilities(
      summary: "stores rows in memory", version: "1", accounting: .exact,
      automatic: .notApplicable(reason: "nothing to compact"),
      onLaunch: .supported(by: "pretending"))
  }

  func open(_ folder: FilePath, _ options: SessionOptions) throws(EngineError) -> OpenedSession {
    trace.note("open")
    trace.withState { state in
      guard state.losesARowWhenOpened, let key = state.versions.last?.keys.min() else { return }
      state.versions[state.versions.count - 1][key] = nil
    }
    for (name, bytes) in files {
      let text = String(repeating: "x", count: bytes)
      do throws(SystemError) {
        try FileSystem.write(text: text, to: folder.appending(name))
      } catch {
        throw EngineError(engine: id, error, while: "making \(name)")
      }
    }
    let isNew = trace.withState { $0.versions.count == 1 }
    let usage = trace.usage()
    guard let ask = options.compactOnLaunch else {
      return OpenedSession(
        session: LoggingSession(trace, failsAfterCommits, reportsPinOf), launch: .notAsked)
    }
    if isNew {
      let launch = LaunchOutcome.notCalled(reason: "new database")
      return OpenedSession(
        session: LoggingSession(trace, failsAfterCommits, reportsPinOf), launch: launch)
    }
    let launch: LaunchOutcome =
      ask(usage)
      ? .compacted(before: usage, after: usage, rewritten: ByteCount(7)) : .declined(usage)
    return OpenedSession(
      session: LoggingSession(trace, failsAfterCommits, reportsPinOf), launch: launch)
  }
}

/// The calls of the engine, and its versions.
final class CallLog: Sendable {
  struct State {
    var lines: [String] = []
    /// One dictionary for each version, so that a snapshot sees its own.
    var versions: [[Int64: [UInt8]]] = [[:]]
    var snapshots = 0
    var greatestSnapshots = 0
    /// Each opening forgets the row with the least key.
    var losesARowWhenOpened = false
  }

  private let lock = ThreadMutex()
  private nonisolated(unsafe) var state = State()

  func withState<R>(_ body: (inout State) -> R) -> R { lock.withLock { body(&state) } }
  func note(_ line: String) { withState { $0.lines.append(line) } }
  var lines: [String] { withState { $0.lines } }

  func usage() -> SpaceUsage {
    withState { state in
      let bytes = state.versions.last!.values.reduce(0) { $0 + $1.count }
      return SpaceUsage(
        file: ByteCount(bytes + 100), live: ByteCount(bytes), free: ByteCount(100),
        pinned: .zero, pending: .zero, overhead: .zero)
    }
  }
}

final class LoggingSession: EngineSession, PinInspecting, Checkpointing, IdleCompacting {
  private let trace: CallLog
  private let writer = ThreadMutex()
  private let failsAfterCommits: Int?
  private let reportsPinOf: String?

  init(_ trace: CallLog, _ failsAfterCommits: Int?, _ reportsPinOf: String?) {
    self.trace = trace
    self.failsAfterCommits = failsAfterCommits
    self.reportsPinOf = reportsPinOf
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    trace.withState {
      $0.lines.append("begin \(label)")
      $0.snapshots += 1
      $0.greatestSnapshots = max($0.greatestSnapshots, $0.snapshots)
    }
    return LoggingSnapshot(trace, label)
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    writer.lock()
    return LoggingTransaction(trace, writer, failsAfterCommits)
  }

  func checkpoint(_ mode: CheckpointMode) throws(EngineError) -> CheckpointOutcome {
    trace.note("\(mode.rawValue) checkpoint")
    return CheckpointOutcome(isBusy: mode == .truncate, loggedPages: 5, movedPages: 3)
  }

  func spaceUsage() throws(EngineError) -> SpaceUsage { trace.usage() }

  func capability<Capability>(_ type: Capability.Type) -> Capability? {
    type == (any PinInspecting).self && reportsPinOf == nil ? nil : self as? Capability
  }

  func pins() throws(EngineError) -> [EnginePin] {
    guard let reportsPinOf else { return [] }
    return trace.withState { state in
      guard state.snapshots == 1 else { return [] }
      let bytes = state.versions.count - 1
      return [
        EnginePin(
          label: reportsPinOf, retained: ByteCount(bytes), exclusive: ByteCount(bytes / 2))
      ]
    }
  }

  var bytesWritten: ByteCount? { nil }
  func drainEvents() -> [CompactionEvent] { [] }
  func compactWhileIdle() throws(EngineError) { trace.note("compact while idle") }
  func writeCompactedCopy(to path: FilePath) throws(EngineError) {}

  func close() throws(EngineError) {
    let held = trace.withState { state in
      state.lines.append("close")
      return state.snapshots
    }
    guard held == 0 else {
      throw EngineError(engine: "trace", code: .snapshotsHeld, message: "\(held) snapshots held")
    }
  }
}

final class LoggingSnapshot: EngineSnapshot, @unchecked Sendable {
  private let trace: CallLog
  private let label: String
  private var version: Int
  private var isOpen = true

  init(_ trace: CallLog, _ label: String) {
    self.trace = trace
    self.label = label
    version = trace.withState { $0.versions.count - 1 }
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    guard let value = trace.withState({ $0.versions[version][key] }) else { return false }
    value.withUnsafeBytes(body)
    return true
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    let rows = trace.withState { $0.versions[version].filter { $0.key >= key } }
      .sorted { $0.key < $1.key }.prefix(limit)
    for (key, value) in rows { value.withUnsafeBytes { body(key, $0) } }
    return rows.count
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int {
    trace.withState { $0.versions[version].count }
  }

  func refresh() throws(EngineError) {
    version = trace.withState { state in
      state.lines.append("refresh \(label)")
      return state.versions.count - 1
    }
  }

  func end() {
    guard isOpen else { return }
    isOpen = false
    trace.withState {
      $0.lines.append("end \(label)")
      $0.snapshots -= 1
    }
  }
}

final class LoggingTransaction: EngineTransaction {
  private let trace: CallLog
  private let writer: ThreadMutex
  private let failsAfterCommits: Int?
  private var rows: [Int64: [UInt8]]
  private var isOpen = true

  init(_ trace: CallLog, _ writer: ThreadMutex, _ failsAfterCommits: Int?) {
    self.trace = trace
    self.writer = writer
    self.failsAfterCommits = failsAfterCommits
    rows = trace.withState { $0.versions.last! }
  }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) { rows[key] = Array(value) }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    rows.removeValue(forKey: key) != nil
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    guard let value = rows[key] else { return false }
    value.withUnsafeBytes(body)
    return true
  }

  func commit() throws(EngineError) {
    let commits = trace.withState { $0.versions.count - 1 }
    if let failsAfterCommits, commits >= failsAfterCommits {
      finish()
      throw EngineError(engine: "trace", code: .outOfSpace, message: "the disk is full")
    }
    trace.withState {
      $0.lines.append("commit")
      $0.versions.append(rows)
    }
    finish()
  }

  func rollBack() { finish() }

  private func finish() {
    guard isOpen else { return }
    isOpen = false
    writer.unlock()
  }
}
