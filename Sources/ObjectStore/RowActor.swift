// A realm that belongs to an actor, for an adapter whose clients are threads: each call waits for the actor.
import Dispatch
import Foundation
package import StorageEngine

extension RowObjects {
  /// A realm of an actor that has no other. Never called from a task: it blocks its thread until the actor has opened.
  package func holdOnActor(_ holder: String) throws(StorageError) -> any RowReading {
    try ActorRows(self, holder)
  }
}

private final class ActorRows: RowReading, @unchecked Sendable {
  private let actor: RowActor
  let label: String
  private var isOver = false

  init(_ rows: RowObjects, _ holder: String) throws(StorageError) {
    let actor = RowActor(holder)
    label = try waiting { try await actor.open(rows) }
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
    guard !isOver else { return }
    isOver = true
    let actor = actor
    try? waiting { await actor.close() }
  }
}

/// An actor with a realm among its state, as the documents have it.
private actor RowActor: CustomStringConvertible {
  /// What its realm's pin is called by.
  nonisolated let description: String
  private var reader: RowReader?

  init(_ name: String) { description = name }

  func open(_ rows: RowObjects) async throws -> String {
    let realm = try await Realm(rows.configuration, on: self, using: rows.use())
    realm.autorefresh = false
    _ = try realm.instance.snapshot()
    reader = RowReader(realm.instance, rows.types)
    return realm.instance.label
  }

  private func opened() throws(StorageError) -> RowReader {
    if let reader { return reader }
    throw StorageError(.closed, "The actor has let its realm go.")
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
    reader?.realm.invalidate()
    reader = nil
  }
}

/// Runs the work in a task and waits for it on a thread that is no task's.
private func waiting<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) throws(StorageError) -> Value {
  let answer = LockedValue<Result<Value, StorageError>?>(nil)
  let given = DispatchSemaphore(value: 0)
  Task.detached {
    let result: Result<Value, StorageError>
    do { result = .success(try await work()) } catch {
      let storage = (error as? StorageError) ?? (error as? Realm.Error)?.storage
      result = .failure(storage ?? StorageError(.failed, "\(error)"))
    }
    answer.withLock { $0 = result }
    given.signal()
  }
  given.wait()
  guard let result = answer.withLock({ $0 }) else {
    preconditionFailure("An answer was waited for that nobody gave.")
  }
  return try result.get()
}
