// The migration of all tables while the database is opened: each row's value moves to another property.
import CRealm
import EngineInterface
import MetricModel

final class RealmMigration: @unchecked Sendable {
  private let realm: RealmCoreLibrary
  private let tables: [String]
  private let migration: RowMigration
  private let before: String
  private let after: String
  /// What went wrong in the callback. The library reports only that something did.
  private(set) var failure: EngineError?

  /// `count` is the number of migrations before this one.
  init(
    _ realm: RealmCoreLibrary, _ tables: [String], _ migration: RowMigration, after count: Int
  ) {
    self.realm = realm
    self.tables = tables
    self.migration = migration
    before = RealmSchema.row(after: count)
    after = RealmSchema.row(after: count + 1)
  }

  func set(in config: OpaquePointer) {
    realm.call.configSetMigration(
      config,
      { context, before, after, schema in
        guard let context, let before, let after, let schema else { return false }
        return Unmanaged<RealmMigration>.fromOpaque(context).takeUnretainedValue()
          .carryOut(before, after, schema)
      }, Unmanaged.passRetained(self).toOpaque(),
      { context in
        if let context { Unmanaged<RealmMigration>.fromOpaque(context).release() }
      })
  }

  private func carryOut(
    _ old: OpaquePointer, _ new: OpaquePointer, _ schema: OpaquePointer
  ) -> Bool {
    do throws(EngineError) {
      for table in tables {
        switch migration {
        case .name:
          try realm.check(
            realm.call.schemaRenameProperty(new, schema, table, before, after),
            "renaming a property")
        case .values: try convert(table, from: old, to: new)
        }
      }
      return true
    } catch {
      failure = error
      return false
    }
  }

  private func convert(
    _ table: String, from old: OpaquePointer, to new: OpaquePointer
  ) throws(EngineError) {
    let (source, target) = (try ofClass(table, in: old), try ofClass(table, in: new))
    let id = try property(RealmSchema.key, of: source, in: old)
    let from = try property(before, of: source, in: old)
    let to = try property(after, of: target, in: new)
    let query = try realm.check(
      realm.call.queryParse(old, source, "TRUEPREDICATE", 0, nil), "migrating")
    defer { realm.call.release(query) }
    let results = try realm.check(realm.call.queryFindAll(query), "migrating")
    defer { realm.call.release(results) }
    var count = 0
    try realm.check(realm.call.resultsCount(results, &count), "migrating")
    for index in 0..<count {
      let object = try realm.check(realm.call.resultsGetObject(results, index), "migrating")
      defer { realm.call.release(object) }
      var (key, value) = (crealm_value(), crealm_value())
      try realm.check(realm.call.getValue(object, id, &key), "migrating")
      try realm.check(realm.call.getValue(object, from, &value), "migrating")
      let bytes = UnsafeRawBufferPointer(start: value.bytes.data, count: value.bytes.size)
      try set(to, bytes.map { ~$0 }, key, target, new)
    }
  }

  private func set(
    _ property: Int64, _ bytes: [UInt8], _ key: crealm_value, _ table: UInt32,
    _ new: OpaquePointer
  ) throws(EngineError) {
    var found = true
    let object = try realm.check(
      realm.call.objectFind(new, table, key, &found), "migrating a row")
    defer { realm.call.release(object) }
    let isSet = bytes.withUnsafeBytes {
      realm.call.setValue(object, property, crealm_value($0), false)
    }
    try realm.check(isSet, "migrating a row")
  }

  private func ofClass(_ name: String, in instance: OpaquePointer) throws(EngineError) -> UInt32 {
    var (found, ofClass) = (false, crealm_class())
    try realm.check(
      realm.call.findClass(instance, name, &found, &ofClass), "looking for the table \(name)")
    guard found else { throw missing("the table \(name)") }
    return ofClass.key
  }

  private func property(
    _ name: String, of table: UInt32, in instance: OpaquePointer
  ) throws(EngineError) -> Int64 {
    var (found, property) = (false, crealm_property())
    try realm.check(
      realm.call.findProperty(instance, table, name, &found, &property),
      "looking for the property \(name)")
    guard found else { throw missing("the property \(name)") }
    return property.key
  }

  private func missing(_ what: String) -> EngineError {
    EngineError(
      engine: realmCoreID, code: .failed, message: "a migration does not find \(what)")
  }
}
