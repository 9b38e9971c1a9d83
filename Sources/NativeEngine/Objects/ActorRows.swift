// A realm of an actor, for clients that are threads: each call waits for the actor.
import Dispatch
import ObjectStore
import StorageEngine
import SystemIO

/// The realm of an actor that has no other.
final class ActorRows: RowSnapshot, @unchecked Sendable {
  private let actor: RowActor
  let label: String
  private var isEnded = false

  /// Never called from a task: it blocks its thread until the actor has opened the realm.
  init(_ tables: RowTables, label: String) throws(StorageError) {
    let actor = RowActor(label)
    self.label = try waiting { try await actor.open(tables) }
    self.actor = actor
  }

  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    let actor = actor
    guard let value = try waiting({ try await actor.value(table, key) }) else { return false }
    value.withUnsafeBytes { body($0) }
    return true
  }

  func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let actor = actor
    let found = try waiting { try await actor.values(table, key, limit) }
    for row in found { row.value.withUnsafeBytes { body(row.key, $0) } }
    return found.count
  }

  func count(_ table: Int) throws(StorageError) -> Int {
    let actor = actor
    return try waiting { try await actor.count(table) }
  }

  func refresh() throws(StorageError) {
    let actor = actor
    try waiting { try await actor.refresh() }
  }

  func end() {
    guard !isEnded else { return }
    isEnded = true
    let actor = actor
    try? waiting { await actor.close() }
  }
}

/// An actor with a realm in its state, as in Realm's documents.
private actor RowActor: CustomStringConvertible {
  /// Names the actor in the label of its realm's pin.
  nonisolated let description: String
  private var reader: RowReader?

  init(_ name: String) { description = name }

  /// Returns the label of the realm's pin.
  func open(_ tables: RowTables) async throws -> String {
    let opened = try await tables.open(for: self)
    reader = opened
    return opened.label
  }

  private func opened() throws(StorageError) -> RowReader {
    if let reader { return reader }
    throw StorageError(.closed, "The actor has released its realm.")
  }

  func value(_ table: Int, _ key: Int64) throws -> [UInt8]? {
    var value: [UInt8]?
    _ = try opened().read(table, key) { value = Array($0) }
    return value
  }

  func values(_ table: Int, _ key: Int64, _ limit: Int) throws -> [(key: Int64, value: [UInt8])] {
    var values: [(key: Int64, value: [UInt8])] = []
    _ = try opened().scan(table, from: key, limit: limit) { values.append(($0, Array($1))) }
    return values
  }

  func count(_ table: Int) throws -> Int { try opened().count(table) }
  func refresh() throws { try opened().refresh() }

  func close() {
    reader?.end()
    reader = nil
  }
}

/// Runs `work` in a task, and waits for it on a thread that runs no task.
private func waiting<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) throws(StorageError) -> Value {
  let outcome = Outcome<Value>()
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    do { outcome.set(.success(try await work())) } catch {
      outcome.set(.failure(StorageError(causeOf: error)))
    }
    isDone.signal()
  }
  isDone.wait()
  return try outcome.get()
}

/// The result of a task. With a mutex, because the thread sanitizer does not see the semaphore.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var result: Result<Value, StorageError>?

  func set(_ result: Result<Value, StorageError>) { mutex.withLock { self.result = result } }

  func get() throws(StorageError) -> Value {
    guard let result = mutex.withLock({ result }) else {
      preconditionFailure("A task ended without a result.")
    }
    return try result.get()
  }
}
