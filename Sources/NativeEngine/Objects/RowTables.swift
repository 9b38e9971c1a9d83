// The tables of a database as classes of row objects, and the ways to open realms of them.
import Dispatch
import ObjectStore
import StorageEngine

/// Tables of rows in an open database.
struct RowTables: Sendable {
  private let classes: [RowClass]
  private let realms: DatabaseRealms
  /// The realm's name in labels.
  let name: String

  /// Creates tables that are missing in one commit. Error `unsupported`: more tables than there are classes.
  init(_ database: Database, name: String, tables: [String]) throws(StorageError) {
    guard tables.count <= RowClass.all.count else {
      throw StorageError(
        .unsupported,
        "\(tables.count) tables: as objects there are at most \(RowClass.all.count), a class for each."
      )
    }
    let classes = Array(RowClass.all.prefix(tables.count))
    self.classes = classes
    self.name = name
    realms = try throwingMisuse {
      try DatabaseRealms(
        database, name: name, classes: zip(classes, tables).map { ($0.type, $1) })
    }
  }

  func type(_ table: Int) -> RowObject.Type { classes[table].type }

  /// Opens a live realm, which reads the newest version from now on.
  func beginReading(label: String) throws(StorageError) -> RowReader {
    let realm = realms.unconfined(label)
    try realm.pinVersion()
    return RowReader(realm, self)
  }

  /// Waits for the write lock.
  func beginWriting() throws(StorageError) -> RowWriter {
    let realm = realms.unconfined("writer")
    try throwingMisuse { () throws(Never) in realm.beginWrite() }
    return RowWriter(realm, self)
  }

  /// Opens the queue's realm. It does not refresh by itself, as a realm on a thread without run loop does not: the client
  /// that holds it does.
  func open(for queue: DispatchQueue) throws(StorageError) -> RowReader {
    let realm = try throwingMisuse {
      let realm = try realms.realm(on: queue)
      realm.autorefresh = false
      return realm
    }
    try realm.pinVersion()
    return RowReader(realm, self)
  }

  /// Opens the realm of the caller's actor.
  func open<A: Actor>(for actor: isolated A) async throws -> RowReader {
    let realm = try await realms.realm(on: actor)
    realm.autorefresh = false
    try realm.pinVersion()
    return RowReader(realm, self)
  }

  /// Registers a function that is called when `realm` has moved and the table has changed.
  func observe(
    _ table: Int, _ realm: Realm, _ callback: @escaping () -> Void
  ) -> NotificationToken {
    classes[table].observe(realm, callback)
  }
}
