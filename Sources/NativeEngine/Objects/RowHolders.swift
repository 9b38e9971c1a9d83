// The ways in which programs hold a version: a live realm and its objects, frozen objects, and a realm that the pool of a
// dispatch queue retains. (ActorRows.swift has the fourth, a realm of an actor.)
import Dispatch
import ObjectStore
import StorageEngine

/// A live realm in blocks of a queue of its own. The objects that were read are retained and read again, as by a user
/// interface.
final class LiveRows: RowSnapshot, @unchecked Sendable {
  private let queue: DispatchQueue
  private let reader: RowReader
  private var retained = RetainedObjects()
  private var isEnded = false

  init(_ tables: RowTables, label: String) throws(StorageError) {
    let queue = DispatchQueue(label: label)
    reader = try queue.run { () throws(StorageError) in try tables.open(for: queue) }
    self.queue = queue
  }

  var label: String { reader.label }

  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try queue.run { () throws(StorageError) in try retained.read(reader, table, key, body) }
  }

  func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    try queue.run { () throws(StorageError) in
      try reader.scan(table, from: key, limit: limit, body)
    }
  }

  func count(_ table: Int) throws(StorageError) -> Int {
    try queue.run { () throws(StorageError) in try reader.count(table) }
  }

  func refresh() throws(StorageError) {
    try queue.run { () throws(StorageError) in
      try reader.refresh()
      try retained.readAgain()
    }
  }

  func end() {
    guard !isEnded else { return }
    isEnded = true
    queue.sync {
      retained = RetainedObjects()
      reader.end()
    }
  }
}

/// A frozen realm and the objects that were read from it. The live realm that it was frozen from is released at once.
final class FrozenRows: RowSnapshot, @unchecked Sendable {
  private let tables: RowTables
  private let queueLabel: String
  private var reader: RowReader?
  private var retained = RetainedObjects()
  let label: String

  init(_ tables: RowTables, label: String) throws(StorageError) {
    self.tables = tables
    queueLabel = label
    self.label = "frozen realm \(tables.name), \(label)"
    reader = try freeze()
  }

  private func freeze() throws(StorageError) -> RowReader {
    let queue = DispatchQueue(label: queueLabel)
    return try queue.run { () throws(StorageError) in
      let live = try tables.open(for: queue)
      defer { live.end() }
      let frozen = try throwingMisuse { () throws(Never) in live.realm.freeze(label: label) }
      return RowReader(frozen, tables)
    }
  }

  private func open() throws(StorageError) -> RowReader {
    if let reader { return reader }
    throw StorageError(.closed, "The frozen realm was released.")
  }

  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try retained.read(try open(), table, key, body)
  }

  func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    try open().scan(table, from: key, limit: limit, body)
  }

  func count(_ table: Int) throws(StorageError) -> Int { try open().count(table) }

  /// A frozen realm does not move: another is frozen, and this one released.
  func refresh() throws(StorageError) {
    _ = try open()
    let next = try freeze()
    end()
    reader = next
  }

  func end() {
    retained = RetainedObjects()
    reader = nil
  }
}

/// The realm that a block leaves in the pool of its queue. Until the pool is drained, opening a realm of the queue returns
/// the same one.
final class PooledRows: RowSnapshot, @unchecked Sendable {
  private let tables: RowTables
  private let queue: DispatchQueue
  private let pool = RealmPool()
  let label: String

  /// Called in a block of the queue.
  init(_ tables: RowTables, _ queue: DispatchQueue) throws(StorageError) {
    self.tables = tables
    self.queue = queue
    let reader = try tables.open(for: queue)
    label = reader.label
    pool.keep(reader.realm)
  }

  /// Opens the realm again, as each block does.
  private func open() throws(StorageError) -> RowReader {
    guard pool.count > 0 else {
      throw StorageError(.closed, "The pool of \(queue.label) was drained.")
    }
    return try tables.open(for: queue)
  }

  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try open().read(table, key, body)
  }

  func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    try open().scan(table, from: key, limit: limit, body)
  }

  func count(_ table: Int) throws(StorageError) -> Int { try open().count(table) }
  func refresh() throws(StorageError) { try open().refresh() }
  func end() { pool.drain() }
}

/// Objects that were read and are retained.
private struct RetainedObjects {
  private struct RowID: Hashable {
    var table: Int
    var key: Int64
  }

  /// More than a screen shows.
  private static let maxCount = 1000
  private var objects: [RowID: RowObject] = [:]

  mutating func read(
    _ reader: RowReader, _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try reader.checkOpen()
    let id = RowID(table: table, key: key)
    var object = objects[id]
    if object == nil || object?.isInvalidated == true { object = try reader.find(table, key) }
    if objects[id] != nil || objects.count < Self.maxCount { objects[id] = object }
    guard let object else { return false }
    try throwingMisuse { () throws(Never) in object.bytes.withUnsafeBytes { body($0) } }
    return true
  }

  /// Reads a property of all objects that were not deleted.
  mutating func readAgain() throws(StorageError) {
    objects = objects.filter { !$0.value.isInvalidated }
    let objects = objects.values
    try throwingMisuse { () throws(Never) in for object in objects { _ = object.bytes.count } }
  }
}

extension DispatchQueue {
  /// Runs `body` in a block of the queue and waits for it. (`sync` does not pass on a typed error.)
  func run<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
    let result: Result<Value, StorageError> = sync {
      do throws(StorageError) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
