// An engine that forwards every call to another engine and records it in a trace.
import EngineInterface
import MetricModel
import SystemIO
import TraceFormat

struct RecordingEngine: Engine {
  let inner: any Engine
  let trace: TraceRecorder

  var id: String { inner.id }
  var capabilities: EngineCapabilities { inner.capabilities }
  var mainFile: String { inner.mainFile }
  var sidecarFiles: [String] { inner.sidecarFiles }

  func open(_ folder: FilePath, _ options: SessionOptions) throws(EngineError) -> OpenedSession {
    trace.append(TraceRecord(.open))
    var opened = try inner.open(folder, options)
    opened.session = RecordingSession(opened.session, trace)
    return opened
  }
}

private final class RecordingSession: EngineSession, InstanceHolding, DeadReaderFreeing {
  private let inner: any EngineSession
  private let trace: TraceRecorder

  init(_ inner: any EngineSession, _ trace: TraceRecorder) {
    self.inner = inner
    self.trace = trace
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    try trace.beginSnapshot(label) { number throws(EngineError) in
      RecordingSnapshot(try inner.beginSnapshot(label: label), number, trace)
    }
  }

  /// What is not recorded is the inner session's own. A search for dead readers is recorded although the engine may do
  /// none: a replay on another may.
  func capability<Capability>(_ type: Capability.Type) -> Capability? {
    guard let unrecorded = inner.capability(type) else {
      return type == (any DeadReaderFreeing).self ? self as? Capability : nil
    }
    return self as? Capability ?? unrecorded
  }

  /// Recorded as a snapshot: a replay holds the same version for as long.
  func hold(_ holding: Holding, label: String) throws(EngineError) -> any EngineSnapshot {
    try trace.beginSnapshot(label) { number throws(EngineError) in
      RecordingSnapshot(
        try inner.require((any VersionHolding).self, for: "holding a version").hold(
          holding, label: label),
        number, trace)
    }
  }

  func observe(
    _ table: TableIndex, label: String
  ) throws(EngineError) -> any EngineObserver {
    let instances = try inner.require((any InstanceHolding).self, for: "observing a table")
    return RecordingObserver(try instances.observe(table, label: label), label, trace)
  }

  /// Not under the trace's lock: it waits for another writer, whose commit needs that lock.
  func beginWrite() throws(EngineError) -> any EngineTransaction {
    let transaction = try inner.beginWrite()
    trace.append(TraceRecord(.beginWrite))
    return RecordingTransaction(transaction, trace)
  }

  func close() throws(EngineError) {
    try trace.atomically(TraceRecord(.close)) { () throws(EngineError) in try inner.close() }
  }

  // Calls that only read figures are not recorded: a replay makes its own.

  func spaceUsage() throws(EngineError) -> SpaceUsage { try inner.spaceUsage() }
  var bytesWritten: ByteCount? { inner.bytesWritten }
  func drainEvents() -> [CompactionEvent] { inner.drainEvents() }

  func freeDeadReaders() throws(EngineError) -> Int {
    try trace.atomically(TraceRecord(.checkReaders)) { () throws(EngineError) in
      try inner.capability((any DeadReaderFreeing).self)?.freeDeadReaders() ?? 0
    }
  }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try inner.writeCompactedCopy(to: path)
  }
}

/// Used by one thread at a time, as the snapshot that it wraps.
private final class RecordingSnapshot: EngineSnapshot, @unchecked Sendable {
  private let inner: any EngineSnapshot
  private let number: Int
  private let trace: TraceRecorder
  private var isOver = false

  init(_ inner: any EngineSnapshot, _ number: Int, _ trace: TraceRecorder) {
    self.inner = inner
    self.number = number
    self.trace = trace
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    let found = try inner.read(table, key, body)
    trace.append(TraceRecord(.snapshotRead, table: table, key: key, number: number))
    return found
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    let found = try inner.scan(table, from: key, limit: limit, body)
    trace.append(TraceRecord(.scan, table: table, key: key, number: number, size: limit))
    return found
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int {
    let count = try inner.count(table)
    trace.append(TraceRecord(.count, table: table, number: number))
    return count
  }

  func refresh() throws(EngineError) {
    try trace.atomically(TraceRecord(.refresh, number: number)) { () throws(EngineError) in
      try inner.refresh()
    }
  }

  func end() {
    guard !isOver else { return }
    isOver = true
    trace.atomically(TraceRecord(.end, number: number)) { inner.end() }
  }

  var pinLabel: String? { inner.pinLabel }
}

private final class RecordingTransaction: EngineTransaction {
  private let inner: any EngineTransaction
  private let trace: TraceRecorder
  private var isOver = false

  init(_ inner: any EngineTransaction, _ trace: TraceRecorder) {
    self.inner = inner
    self.trace = trace
  }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    try inner.put(table, key, value)
    trace.append(TraceRecord(.put, table: table, key: key, size: value.count))
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    let found = try inner.delete(table, key)
    trace.append(TraceRecord(.delete, table: table, key: key))
    return found
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    let found = try inner.read(table, key, body)
    trace.append(TraceRecord(.read, table: table, key: key))
    return found
  }

  /// A commit that is refused, as on a full disk, is recorded as the end that it is: without the changes.
  func commit() throws(EngineError) {
    isOver = true
    try trace.atomically(TraceRecord(.commit), orOnError: TraceRecord(.rollBack)) {
      () throws(EngineError) in try inner.commit()
    }
  }

  func rollBack() {
    guard !isOver else { return }
    isOver = true
    trace.atomically(TraceRecord(.rollBack)) { inner.rollBack() }
  }
}
