// An engine that is LoggingEngine, but for one call: it takes 200 ms, or fails. It also reports compactions at given commits.
import EngineInterface
import MetricModel
import SystemIO

final class DelayingEngine: Engine {
  /// How long the call takes, in nanoseconds.
  static let delay: UInt64 = 200_000_000

  let id = "delaying"
  let mainFile = ""
  let sidecarFiles: [String] = []
  let inner = LoggingEngine()
  /// The numbers of the calls, from 1; nil for none. Writes of the load count as others do.
  let delaysAtPut: Int?
  let delaysAtRead: Int?
  let failsAtRead: Int?
  /// By commits so far, those of the load included: what is reported when there are that many.
  let events: [Int: CompactionEvent.Outcome]
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var calls: [Call: Int] = [:]

  enum Call { case put, read, commit }

  init(
    delaysAtPut: Int? = nil, delaysAtRead: Int? = nil, failsAtRead: Int? = nil,
    events: [Int: CompactionEvent.Outcome] = [:]
  ) {
    self.delaysAtPut = delaysAtPut
    self.delaysAtRead = delaysAtRead
    self.failsAtRead = failsAtRead
    self.events = events
  }

  var capabilities: EngineCapabilities { inner.capabilities }

  func open(_ folder: FilePath, _ options: SessionOptions) throws(EngineError) -> OpenedSession {
    let opened = try inner.open(folder, options)
    return OpenedSession(session: DelayingSession(opened.session, self), launch: opened.launch)
  }

  /// Counts a call, and returns its number.
  func count(_ call: Call) -> Int {
    lock.withLock {
      calls[call, default: 0] += 1
      return calls[call, default: 0]
    }
  }

  func delay(_ number: Int, at delayed: Int?) {
    guard number == delayed else { return }
    Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + Self.delay)
  }
}

private final class DelayingSession: EngineSession {
  private let inner: any EngineSession
  private let engine: DelayingEngine
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var events: [CompactionEvent] = []

  init(_ inner: any EngineSession, _ engine: DelayingEngine) {
    self.inner = inner
    self.engine = engine
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    DelayingSnapshot(try inner.beginSnapshot(label: label), engine)
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    DelayingTransaction(try inner.beginWrite(), engine, self)
  }

  func committed(_ number: Int) {
    guard let outcome = engine.events[number] else { return }
    lock.withLock {
      events.append(
        CompactionEvent(
          kind: .automatic, outcome: outcome, reason: "the test", before: .zero, after: .zero,
          rewritten: .zero))
    }
  }

  func spaceUsage() throws(EngineError) -> SpaceUsage { try inner.spaceUsage() }
  var bytesWritten: ByteCount? { nil }

  func drainEvents() -> [CompactionEvent] {
    lock.withLock {
      defer { events = [] }
      return events
    }
  }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {}
  func close() throws(EngineError) { try inner.close() }
}

private final class DelayingSnapshot: EngineSnapshot {
  private let inner: any EngineSnapshot
  private let engine: DelayingEngine

  init(_ inner: any EngineSnapshot, _ engine: DelayingEngine) {
    self.inner = inner
    self.engine = engine
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    let number = engine.count(.read)
    engine.delay(number, at: engine.delaysAtRead)
    if number == engine.failsAtRead {
      throw EngineError(engine: engine.id, code: .failed, message: "read \(number)")
    }
    return try inner.read(table, key, body)
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int { try inner.scan(table, from: key, limit: limit, body) }

  func count(_ table: TableIndex) throws(EngineError) -> Int { try inner.count(table) }
  func refresh() throws(EngineError) { try inner.refresh() }
  func end() { inner.end() }
}

private final class DelayingTransaction: EngineTransaction {
  private let inner: any EngineTransaction
  private let engine: DelayingEngine
  private let session: DelayingSession

  init(_ inner: any EngineTransaction, _ engine: DelayingEngine, _ session: DelayingSession) {
    self.inner = inner
    self.engine = engine
    self.session = session
  }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    engine.delay(engine.count(.put), at: engine.delaysAtPut)
    try inner.put(table, key, value)
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    try inner.delete(table, key)
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool { try inner.read(table, key, body) }

  func commit() throws(EngineError) {
    try inner.commit()
    session.committed(engine.count(.commit))
  }

  func rollBack() { inner.rollBack() }
}
