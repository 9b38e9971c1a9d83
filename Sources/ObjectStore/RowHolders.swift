// The ways in which programs hold a version, each by the API that they have for it: a live realm and its objects, frozen
// objects, a realm that the pool of a dispatch queue keeps, one that belongs to an actor. What an adapter asks for.
package import Dispatch
import Foundation
package import StorageEngine

extension RowObjects {
  /// A live realm of a place of its own, and the objects that are read through it.
  package func holdLive(_ holder: String) throws(StorageError) -> any RowReading {
    try LiveRows(self, holder)
  }

  /// A frozen realm, and the objects that are read from it.
  package func holdFrozen(_ holder: String) throws(StorageError) -> any RowReading {
    try FrozenRows(self, holder)
  }

  /// A realm of the queue, of which the caller is a block, kept by a pool until that is drained in a block of the queue:
  /// by `end()`.
  package func hold(inBlockOf queue: DispatchQueue) throws(StorageError) -> any RowReading {
    try PooledRows(self, queue)
  }

  /// Opens, for a block of the queue. No turn of the queue moves what was opened so: the realm of a block on a thread
  /// without run loop does not move either, and what is moved is to be moved by who holds it.
  func open(for queue: DispatchQueue) throws(StorageError) -> RowReader {
    let realm = try noMisuse {
      let realm = try Realm(configuration, .on(queue), using: use())
      realm.autorefresh = false
      return realm
    }
    _ = try realm.instance.snapshot()
    return RowReader(realm.instance, types)
  }
}

/// A live realm in blocks of a queue of its own. The objects that were read are kept and read again, as by something on
/// a screen.
private final class LiveRows: RowReading, @unchecked Sendable {
  private let queue: DispatchQueue
  private let reader: RowReader
  private var shown = ShownObjects()
  private var isOver = false

  init(_ rows: RowObjects, _ holder: String) throws(StorageError) {
    let queue = DispatchQueue(label: holder)
    reader = try queue.block { () throws(StorageError) in try rows.open(for: queue) }
    self.queue = queue
  }

  var label: String { reader.label }

  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try queue.block { () throws(StorageError) in
      try shown.read(reader, table, key, body)
    }
  }

  func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    try queue.block { () throws(StorageError) in
      try reader.scan(table, from: key, limit: limit, body)
    }
  }

  func count(_ table: Int) throws(StorageError) -> Int {
    try queue.block { () throws(StorageError) in try reader.count(table) }
  }

  func refresh() throws(StorageError) {
    try queue.block { () throws(StorageError) in
      try reader.refresh()
      try shown.readAgain()
    }
  }

  func end() {
    guard !isOver else { return }
    isOver = true
    queue.sync {
      shown = ShownObjects()
      reader.realm.invalidate()
    }
  }
}

/// A frozen realm and the objects that were read from it. The live one that it was frozen from is let go at once.
private final class FrozenRows: RowReading, @unchecked Sendable {
  private let rows: RowObjects
  private let holder: String
  private var reader: RowReader?
  private var shown = ShownObjects()
  let label: String

  init(_ rows: RowObjects, _ holder: String) throws(StorageError) {
    self.rows = rows
    self.holder = holder
    label = "frozen realm \(rows.configuration.inMemoryIdentifier ?? ""), \(holder)"
    reader = try freeze()
  }

  private func freeze() throws(StorageError) -> RowReader {
    let queue = DispatchQueue(label: holder)
    return try queue.block { () throws(StorageError) in
      let live = try rows.open(for: queue)
      defer { live.realm.invalidate() }
      let frozen = try noMisuse { () throws(Never) in live.realm.instance.freeze(label: label) }
      return RowReader(frozen, rows.types)
    }
  }

  private func open() throws(StorageError) -> RowReader {
    if let reader { return reader }
    throw StorageError(.closed, "The frozen realm was let go.")
  }

  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try shown.read(try open(), table, key, body)
  }

  func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    try open().scan(table, from: key, limit: limit, body)
  }

  func count(_ table: Int) throws(StorageError) -> Int { try open().count(table) }

  /// What is frozen does not move: another is frozen, and this one let go.
  func refresh() throws(StorageError) {
    _ = try open()
    let next = try freeze()
    end()
    reader = next
  }

  func end() {
    shown = ShownObjects()
    reader = nil
  }
}

/// What a block leaves in the pool of its queue. Whoever opens a realm of the queue meanwhile is given the same.
private final class PooledRows: RowReading, @unchecked Sendable {
  private let rows: RowObjects
  private let queue: DispatchQueue
  private let pool = RealmPool()
  let label: String

  init(_ rows: RowObjects, _ queue: DispatchQueue) throws(StorageError) {
    self.rows = rows
    self.queue = queue
    let reader = try rows.open(for: queue)
    label = reader.label
    pool.keep(reader.realm)
  }

  /// Opened again, as each block does it.
  private func open() throws(StorageError) -> RowReader {
    guard pool.count > 0 else {
      throw StorageError(.closed, "The pool of \(queue.label) was drained.")
    }
    return try rows.open(for: queue)
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

/// Objects that were read and are kept.
private struct ShownObjects {
  private struct Place: Hashable {
    var table: Int
    var key: Int64
  }

  /// More than any screen shows.
  private static let most = 1000
  private var objects: [Place: RowObject] = [:]

  mutating func read(
    _ reader: RowReader, _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try reader.checkOpen()
    let place = Place(table: table, key: key)
    var object = objects[place]
    if object == nil || object?.isInvalidated == true { object = try reader.find(table, key) }
    if objects[place] != nil || objects.count < Self.most { objects[place] = object }
    guard let object else { return false }
    try noMisuse { () throws(Never) in object.value.withUnsafeBytes { body($0) } }
    return true
  }

  /// Reads a property of all that are still there.
  mutating func readAgain() throws(StorageError) {
    objects = objects.filter { !$0.value.isInvalidated }
    let objects = objects.values
    try noMisuse { () throws(Never) in for object in objects { _ = object.value.count } }
  }
}

extension DispatchQueue {
  /// `sync`, which does not pass a typed error on.
  func block<Value>(
    _ body: () throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    let result: Result<Value, StorageError> = sync {
      do throws(StorageError) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
