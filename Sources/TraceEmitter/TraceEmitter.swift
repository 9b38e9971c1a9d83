// What an app links to record its work on its database: calls beside its own, from which a trace arises that Compaction Lab
// replays on any engine. A trace has sizes and hashed keys, and nothing that is in the database.
//
//     let emitter = TraceEmitter("/path/of/a/new/trace.jsonl")
//     let people = emitter.table("Person")
//     let transaction = emitter.beginWrite()
//     transaction.put(people, key: .text(person.id), bytes: encoded.count)
//     transaction.commit()
//     emitter.close()

/// A table of a trace.
public struct TraceTable: Sendable, Hashable {
  let index: Int32
}

/// A pin: something that the app knows to hold an old version, such as a frozen object.
public struct TracePin: Sendable, Hashable {
  let number: Int
}

/// Records an app's operations. Safe to use from many threads. No call throws, waits for the disk or stops the program; the
/// first error is stored in `error`, and ends the recording.
public final class TraceEmitter: Sendable {
  public struct Options: Sendable {
    /// The recording's name in reports.
    public var name = "app"
    /// The identifier of the engine that the app uses, in Compaction Lab: `sqlite`, `realm-core`, `lmdb` ….
    public var engine = "native"
    public var engineVersion = ""
    /// Whether the app's commits are durable when they return.
    public var isDurable = true
    /// The first phase; in one named `load`, commits are not counted: it puts what was there before.
    public var phase = "app"
    /// The number of commits between two samples of a replay.
    public var sampleEveryCommits = 100
    /// Whether tables are named by hashes.
    public var hashesTableNames = false
    /// Whether integer keys keep their order, and roughly their magnitude, so that trees fill in a replay as they do in the
    /// app; other keys are always hashed.
    public var keepsIntegerOrder = false
    /// The secret with which keys are hashed.
    public var secret = TraceSecret()
    /// Bytes of operations in memory at once. Where they are not enough, whole transactions are dropped and counted.
    public var memoryLimit = 8 << 20
    /// The number of commits after which lines are written, and the time after which they are written in any case.
    public var flushCommits = 256
    public var flushMilliseconds = 1000

    public init() {}
  }

  let queue: EventQueue
  let hasher: KeyHasher
  private let writer: LineWriter?
  private let start = monotonicMicroseconds()
  private let hashesTableNames: Bool

  /// Creates the trace and begins its first launch. An existing file is never overwritten: that is an error.
  public init(_ path: String, _ options: Options = Options()) {
    queue = EventQueue(memoryLimit: options.memoryLimit, flushCommits: options.flushCommits)
    hasher = KeyHasher(options.secret, keepsOrder: options.keepsIntegerOrder)
    hashesTableNames = options.hashesTableNames
    do throws(TraceEmitterError) {
      writer = try LineWriter(path, queue, options)
    } catch {
      writer = nil
      queue.fail(error)
    }
    queue.update { queue, state in beginLaunch(phase: options.phase, queue, &state) }
    writer?.start(path)
  }

  deinit { close() }

  /// The first error; nil while everything is recorded.
  public var error: TraceEmitterError? { queue.error }

  /// Microseconds since the recording began.
  var time: Int { monotonicMicroseconds() - start }

  // MARK: Tables

  /// Returns the table of this name, which is declared at the first call. `rows` is the number of rows that it has before
  /// the recording, for the report.
  public func table(_ name: String, rows: Int = 0) -> TraceTable {
    let name = hashesTableNames ? "table-" + hasher.digits(ofName: name) : name
    return queue.update { queue, state in
      if let index = state.tables[name] { return TraceTable(index: index) }
      let index = Int32(state.tables.count)
      state.tables[name] = index
      queue.append(TraceEvent(kind: .table, number: max(0, rows), size: queue.store(name)))
      return TraceTable(index: index)
    }
  }

  // MARK: Transactions

  /// Begins a write transaction, to be called when the app holds the database's write lock.
  public func beginWrite() -> TraceTransaction { TraceTransaction(self) }

  /// Begins a read transaction: it sees one version of the database until it ends.
  public func beginSnapshot(_ label: String) -> TraceSnapshot { TraceSnapshot(self, label) }

  /// Begins a pin, held by what the label names.
  public func pin(_ holder: String) -> TracePin {
    let time = time
    return queue.update { queue, state in
      guard queue.reserve(2) else {
        queue.drop()
        return TracePin(number: 0)
      }
      state.pins += 1
      state.openPins.insert(state.pins)
      queue.append(
        reserved: TraceEvent(
          kind: .pin, number: state.pins, size: queue.store(holder), time: time))
      return TracePin(number: state.pins)
    }
  }

  public func unpin(_ pin: TracePin) {
    let time = time
    queue.update { queue, state in
      guard state.openPins.remove(pin.number) != nil else { return }
      queue.append(reserved: TraceEvent(kind: .unpin, number: pin.number, time: time))
    }
  }

  // MARK: Launches

  /// Begins a phase: a stretch of the recording that has a line of its own in reports.
  public func beginPhase(_ name: String) {
    queue.update { queue, state in
      endPhase(queue, &state)
      beginPhase(name, queue, &state)
    }
  }

  /// Closes the database and opens it again: the moment at which policies compact. Snapshots and pins end.
  public func beginLaunch(phase: String = "app") {
    queue.update { queue, state in
      guard !state.isClosed else { return }
      endLaunch(queue, &state)
      beginLaunch(phase: phase, queue, &state)
    }
  }

  /// Asks replays for a sample here.
  public func sample() {
    let time = time
    queue.update { queue, _ in queue.append(TraceEvent(kind: .sample, time: time)) }
  }

  /// Ends the trace and waits until it is written. Later calls do nothing.
  public func close() {
    let isFirst = queue.update { queue, state in
      guard !state.isClosed else { return false }
      endLaunch(queue, &state)
      state.isClosed = true
      queue.end()
      return true
    }
    if isFirst { writer?.join() }
  }

  private func beginLaunch(phase: String, _ queue: LockedQueue, _ state: inout RecordingState) {
    state.launches += 1
    queue.append(TraceEvent(kind: .launch, number: state.launches, time: time))
    queue.append(TraceEvent(kind: .open))
    beginPhase(phase, queue, &state)
  }

  private func beginPhase(_ name: String, _ queue: LockedQueue, _ state: inout RecordingState) {
    queue.append(TraceEvent(kind: .phase, size: queue.store(name), time: time))
    (state.phaseStart, state.isLoading) = (state.commits, name == "load")
  }

  private func endPhase(_ queue: LockedQueue, _ state: inout RecordingState) {
    guard !state.isLoading else { return }
    queue.append(TraceEvent(kind: .phaseEnd, number: state.phaseStart, time: time))
  }

  private func endLaunch(_ queue: LockedQueue, _ state: inout RecordingState) {
    for number in state.openSnapshots.sorted() {
      queue.append(reserved: TraceEvent(kind: .end, number: number, time: time))
    }
    for number in state.openPins.sorted() {
      queue.append(reserved: TraceEvent(kind: .unpin, number: number, time: time))
    }
    (state.openSnapshots, state.openPins) = ([], [])
    endPhase(queue, &state)
    queue.append(TraceEvent(kind: .closing, time: time))
    queue.append(TraceEvent(kind: .close))
  }
}
