// What a session hands out: snapshots, which are live or frozen instances, and the write transaction.
import CRealm
import EngineInterface
import SystemIO

/// A pinned version, held by an instance.
final class RealmCoreSnapshot: ShapedSnapshot, @unchecked Sendable {
  private var instance: RealmInstance?
  private let isFrozen: Bool
  private let tables: [RealmTable]
  private let session: RealmCoreSession

  init(
    _ instance: RealmInstance, isFrozen: Bool, _ tables: [RealmTable], _ session: RealmCoreSession
  ) {
    self.instance = instance
    self.isFrozen = isFrozen
    self.tables = tables
    self.session = session
  }

  deinit { end() }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try open.read(tables[table], key, body)
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    try open.scan(tables[table], from: key, limit: limit, body)
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int { try open.count(tables[table]) }

  func parts(_ table: TableIndex, _ key: Int64) throws(EngineError) -> RowParts? {
    try open.parts(tables[table], key)
  }

  func keys(
    _ table: TableIndex, column: Int, equalTo value: Int64
  ) throws(EngineError) -> [Int64] {
    try open.keys(tables[table], column: column, equalTo: value)
  }

  func refresh() throws(EngineError) {
    let instance = open
    if isFrozen {
      // It never moves; another takes its place.
      self.instance = try session.reader(isFrozen: true)
      instance.close()
      return
    }
    var moved = false
    try instance.realm.check(
      instance.realm.call.refresh(instance.handle, &moved), "refreshing a snapshot")
  }

  func end() {
    guard let instance else { return }
    instance.close()
    self.instance = nil
    session.snapshotEnded()
  }

  private var open: RealmInstance {
    guard let instance else { preconditionFailure("A snapshot was used after its end.") }
    return instance
  }
}

/// The write transaction, in an instance of its own.
final class RealmCoreTransaction: ShapedTransaction {
  private var instance: RealmInstance?
  private let tables: [RealmTable]
  private let session: RealmCoreSession
  private let thread = SystemThread.currentID

  init(_ instance: RealmInstance, _ tables: [RealmTable], _ session: RealmCoreSession) {
    self.instance = instance
    self.tables = tables
    self.session = session
  }

  deinit { rollBack() }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    try put(table, key, value, also: { _, _, _ throws(EngineError) in })
  }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer, _ parts: RowParts
  ) throws(EngineError) {
    try put(table, key, value) { instance, object, table throws(EngineError) in
      try instance.replace(parts, of: object, table)
    }
  }

  func append(_ element: Int64, _ table: TableIndex, _ key: Int64) throws(EngineError) {
    let instance = open
    try instance.changeList(tables[table], key) { list, size throws(EngineError) in
      try instance.realm.check(
        instance.realm.call.listInsert(list, size, crealm_value(element)), "appending to a list")
    }
  }

  func removeFirst(_ table: TableIndex, _ key: Int64) throws(EngineError) {
    let instance = open
    try instance.changeList(tables[table], key) { list, _ throws(EngineError) in
      try instance.realm.check(
        instance.realm.call.listErase(list, 0), "removing from the front of a list")
    }
  }

  @inline(__always)
  private func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer,
    also body: (RealmInstance, OpaquePointer, RealmTable) throws(EngineError) -> Void
  ) throws(EngineError) {
    let (instance, table) = (open, tables[table])
    let realm = instance.realm
    var created = false
    let made = realm.call.objectGetOrCreate(
      instance.handle, table.key, crealm_value(key), &created)
    let object = try realm.check(made, "writing a row")
    defer { realm.call.release(object) }
    try realm.check(
      realm.call.setValue(object, table.row, crealm_value(value), false), "writing a row")
    try body(instance, object, table)
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    let instance = open
    guard let object = try instance.find(tables[table], key) else { return false }
    defer { instance.realm.call.release(object) }
    try instance.realm.check(instance.realm.call.objectDelete(object), "deleting a row")
    return true
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try open.read(tables[table], key, body)
  }

  func commit() throws(EngineError) {
    let instance = takeOpen()
    let realm = instance.realm
    let committed = realm.call.commit(instance.handle)
    let failure = committed ? nil : realm.lastError(while: "committing")
    // After an error the transaction is open still.
    if !committed { _ = realm.call.rollback(instance.handle) }
    instance.close()
    session.writeEnded(notices: RealmCoreLog.shared.take())
    if let failure { throw failure }
  }

  func rollBack() {
    if instance == nil { return }
    let instance = takeOpen()
    _ = instance.realm.call.rollback(instance.handle)
    instance.close()
    session.writeEnded()
  }

  private var open: RealmInstance {
    guard let instance else { preconditionFailure("A transaction was used after its end.") }
    return instance
  }

  private func takeOpen() -> RealmInstance {
    let ending = open
    precondition(
      thread == SystemThread.currentID, "A write transaction ended on another thread.")
    instance = nil
    return ending
  }
}
