// An open instance, and the rows that are seen through it: what a snapshot and a write transaction have in common.
import CRealm
import EngineInterface
import MetricModel
import SystemIO

/// The keys of a table and its properties in Realm Core. They are the same in every instance of a database.
struct RealmTable {
  let key: UInt32
  let id: Int64
  let row: Int64
  let parts: RealmParts?
}

/// The keys of the properties that a table's shape has.
enum RealmParts {
  case links(Int64)
  case list(Int64)
  case tree(children: Int64, childBytes: Int64, leaves: Int64, leafBytes: Int64)
  case columns([Int64])
}

/// A Realm instance, used by one thread at a time. Released with its last reference, or closed before by `close`.
final class RealmInstance: @unchecked Sendable {
  let realm: RealmCoreLibrary
  let handle: OpaquePointer
  private var isClosed = false

  init(_ configuration: RealmConfiguration) throws(EngineError) {
    realm = configuration.realm
    handle = try configuration.open()
  }

  /// Opens a frozen instance at the version that `live` reads.
  init(frozen live: RealmInstance) throws(EngineError) {
    realm = live.realm
    handle = try realm.check(realm.call.freeze(live.handle), "freezing a version")
  }

  deinit {
    close()
    realm.call.release(handle)
  }

  /// Begins a read transaction: from now on the instance holds its version.
  func beginRead() throws(EngineError) {
    try realm.check(realm.call.beginRead(handle), "beginning a snapshot")
  }

  /// Releases its version: the C interface has no other way to end a read transaction. A second call does nothing.
  func close() {
    if isClosed { return }
    isClosed = true
    _ = realm.call.close(handle)
  }

  /// Replaces the file by a compacted copy, as long as there is no reader, no writer and no other process that has it;
  /// returns whether that was so. The instance releases the version that it read.
  func compact() throws(EngineError) -> Bool {
    var did = false
    try realm.check(realm.call.compact(handle, &did), "compacting")
    return did
  }

  /// Writes what it sees to a draft, compacted and without the free list and the history of changes. Nothing is synced.
  /// Nothing of the draft is left where that fails.
  func convert(to draft: RealmDraft, key: [UInt8]?) throws(EngineError) {
    do throws(SystemError) { try draft.prepare() } catch {
      throw EngineError(engine: realmCoreID, error, while: "making \(draft.path)")
    }
    do throws(EngineError) { try convert(to: draft.path, key: key) } catch {
      try? draft.remove()
      throw error
    }
  }

  func convert(to path: FilePath, key: [UInt8]?) throws(EngineError) {
    // A destination that exists is not merged into: that would need a scheduler which cannot be given.
    let written = (key ?? []).withUnsafeBufferPointer { bytes in
      realm.call.convertWithPath(
        handle, path.string,
        crealm_bytes(data: key == nil ? nil : bytes.baseAddress, size: bytes.count), false)
    }
    try realm.check(written, "writing a compacted copy to \(path)")
  }

  /// The tables of the session's options. Also compares what Realm Core fills in with what was asked for: the last of the
  /// structures whose layout is not known for sure.
  func tables(_ options: SessionOptions) throws(EngineError) -> [RealmTable] {
    let row = RealmSchema.row(after: options.migrations.count)
    var tables: [RealmTable] = []
    for (index, name) in options.tables.enumerated() {
      let ofClass = try findClass(name)
      guard text(ofClass.primary_key) == RealmSchema.key else { throw notMade(name) }
      let shape = index < options.shapes.count ? options.shapes[index] : nil
      tables.append(
        RealmTable(
          key: ofClass.key, id: try property(RealmSchema.key, CREALM_PROPERTY_INTEGER, of: ofClass),
          row: try property(row, CREALM_PROPERTY_BYTES, of: ofClass),
          parts: try parts(shape, of: ofClass, name)))
    }
    return tables
  }

  private func parts(
    _ shape: RowShape?, of table: crealm_class, _ name: String
  ) throws(EngineError) -> RealmParts? {
    switch shape {
    case nil: return nil
    case .links?: return .links(try property(RealmSchema.links, CREALM_PROPERTY_OBJECT, of: table))
    case .list?: return .list(try property(RealmSchema.list, CREALM_PROPERTY_INTEGER, of: table))
    case .indexes(let count)?:
      var columns: [Int64] = []
      for index in 0..<count {
        columns.append(
          try property(RealmSchema.column(index), CREALM_PROPERTY_INTEGER, of: table))
      }
      return .columns(columns)
    case .tree?:
      let child = try findClass(RealmSchema.childClass(of: name))
      let leaf = try findClass(RealmSchema.leafClass(of: name))
      return .tree(
        children: try property(RealmSchema.children, CREALM_PROPERTY_OBJECT, of: table),
        childBytes: try property(RealmSchema.nodeBytes, CREALM_PROPERTY_BYTES, of: child),
        leaves: try property(RealmSchema.leaves, CREALM_PROPERTY_OBJECT, of: child),
        leafBytes: try property(RealmSchema.nodeBytes, CREALM_PROPERTY_BYTES, of: leaf))
    }
  }

  private func findClass(_ name: String) throws(EngineError) -> crealm_class {
    var found = false
    var ofClass = crealm_class()
    try realm.check(
      realm.call.findClass(handle, name, &found, &ofClass), "looking for the table \(name)")
    guard found, text(ofClass.name) == name else { throw notMade(name) }
    return ofClass
  }

  private func property(
    _ name: String, _ type: Int, of ofClass: crealm_class
  ) throws(EngineError) -> Int64 {
    var found = false
    var property = crealm_property()
    try realm.check(
      realm.call.findProperty(handle, ofClass.key, name, &found, &property),
      "looking for the property \(name)")
    guard found, text(property.name) == name, property.type == UInt32(type) else {
      throw notMade(text(ofClass.name) ?? name)
    }
    return property.key
  }

  private func notMade(_ name: String) -> EngineError {
    EngineError(
      engine: realmCoreID, code: .failed,
      message: "the table \(name) is not what was made: is this Realm Core 14?")
  }

  private func text(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }

  /// The row's object, which the caller releases; nil where there is none.
  @inline(__always)
  func find(_ table: RealmTable, _ key: Int64) throws(EngineError) -> OpaquePointer? {
    // "Not found" and an error both return no object. Only the former sets this.
    var found = true
    let object = realm.call.objectFind(handle, table.key, crealm_value(key), &found)
    if object == nil, found { throw realm.lastError(while: "looking for a row") }
    return object
  }

  func read(
    _ table: RealmTable, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    guard let object = try find(table, key) else { return false }
    defer { realm.call.release(object) }
    try give(object, table, body)
    return true
  }

  /// Gives an object's row to `body`: the bytes are the database's own, good until the instance moves on.
  private func give(
    _ object: OpaquePointer, _ table: RealmTable, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) {
    var value = crealm_value()
    try realm.check(realm.call.getValue(object, table.row, &value), "reading a row")
    body(UnsafeRawBufferPointer(start: value.bytes.data, count: value.bytes.size))
  }

  func scan(
    _ table: RealmTable, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    if limit <= 0 { return 0 }
    let name = RealmSchema.key
    let maximum = limit == .max ? "" : " LIMIT(\(limit))"
    return try visitResults(
      table, "\(name) >= $0 SORT(\(name) ASC)\(maximum)", crealm_value(key), "scanning"
    ) { object throws(EngineError) in
      var value = crealm_value()
      try realm.check(realm.call.getValue(object, table.id, &value), "scanning")
      let key = value.integer
      try give(object, table) { body(key, $0) }
    }
  }

  /// Calls `body` with the objects that a query finds, whose argument is `$0`. Returns how many there are.
  @discardableResult
  func visitResults(
    _ table: RealmTable, _ query: String, _ argument: crealm_value, _ purpose: String,
    _ body: (OpaquePointer) throws(EngineError) -> Void
  ) throws(EngineError) -> Int {
    var argument = argument
    let parsed = withUnsafeMutablePointer(to: &argument) { value in
      var arguments = crealm_argument(count: 1, is_list: false, values: value)
      return realm.call.queryParse(handle, table.key, query, 1, &arguments)
    }
    let query = try realm.check(parsed, purpose)
    defer { realm.call.release(query) }
    let results = try realm.check(realm.call.queryFindAll(query), purpose)
    defer { realm.call.release(results) }
    var count = 0
    try realm.check(realm.call.resultsCount(results, &count), purpose)
    for index in 0..<count {
      let object = try realm.check(realm.call.resultsGetObject(results, index), purpose)
      defer { realm.call.release(object) }
      try body(object)
    }
    return count
  }

  func count(_ table: RealmTable) throws(EngineError) -> Int {
    var count = 0
    try realm.check(realm.call.getNumObjects(handle, table.key, &count), "counting rows")
    return count
  }
}

extension crealm_value {
  init(_ integer: Int64) {
    self.init()
    self.integer = integer
    type = UInt32(CREALM_VALUE_INTEGER)
  }

  /// Takes the address of the bytes; one that is not null for empty bytes, because a row is never null.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init()
    let start = bytes.baseAddress ?? UnsafeRawPointer(noBytes)
    self.bytes = crealm_bytes(
      data: start.assumingMemoryBound(to: UInt8.self), size: bytes.count)
    type = UInt32(CREALM_VALUE_BYTES)
  }
}

/// Somewhere for an empty row to begin. Never freed.
private nonisolated(unsafe) let noBytes = UnsafePointer(
  UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
