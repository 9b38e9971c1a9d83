// Writing a new object as a row, or over the row that has its primary key.
import Foundation
import StorageEngine

extension RealmInstance {
  /// Writes values by column as a row; what is missing is taken from `fresh`, or from the row that there is. Answers the
  /// row's key. Error `duplicatePrimaryKey`.
  func store(
    _ values: inout [ColumnValue?], _ fresh: Object, _ bound: BoundClass,
    _ policy: Realm.UpdatePolicy, _ transaction: WriteTransaction
  ) throws(Realm.Error) -> RowKey {
    var old: [ColumnValue]?
    var key: RowKey?
    if let primary = bound.primary {
      let wanted = values[primary] ?? fresh.unmanagedValue(primary, bound.schema)
      values[primary] = wanted
      let row: RowKey
      if bound.hasWholeNumberKey, case .int(let number) = wanted {
        row = .int(number)
      } else {
        row = try bound.rowKey(wanted)
      }
      key = row
      if policy == .modified || policy == .all && bound.hasIndexes {
        old = try withRealmErrors { () throws(StorageError) in try self.values(bound, row) }
      }
    }
    if policy == .modified, let old { Self.fill(&values, old) }
    fresh.fill(&values, bound.schema)
    if policy == .modified, let old, let key, Self.isSame(values, old) { return key }
    let written = changing { () throws(StorageError) in
      try write(values, from: old, bound, key, isNew: policy == .error, transaction)
    }
    guard let written else {
      throw Realm.Error(.fail, "The object was not written.", file: file.url)
    }
    guard let row = written.key else { throw duplicate(values, bound) }
    if written.isNew {
      bound.changes.created += 1
    } else {
      bound.changes.updated += 1
    }
    return row
  }

  private static func fill(_ values: inout [ColumnValue?], _ old: [ColumnValue]) {
    for index in values.indices where values[index] == nil { values[index] = old[index] }
  }

  private static func isSame(_ values: [ColumnValue?], _ old: [ColumnValue]) -> Bool {
    zip(values, old).allSatisfy { $0 == $1 }
  }

  private func duplicate(_ values: [ColumnValue?], _ bound: BoundClass) -> Realm.Error {
    let key = bound.primary.flatMap { values[$0]?.anyValue }
    return Realm.Error(
      .duplicatePrimaryKey,
      "Attempting to create an object of type '\(bound.schema.name)' with an existing primary key "
        + "value '\(key.map { "\($0)" } ?? "nil")'.", file: file.url)
  }

  /// Writes a row and its entries in the indexes. No key is answered, and nothing written, where the row should be new and
  /// is not.
  private func write(
    _ values: [ColumnValue?], from old: [ColumnValue]?, _ bound: BoundClass, _ key: RowKey?,
    isNew mustBeNew: Bool, _ transaction: WriteTransaction
  ) throws(StorageError) -> (key: RowKey?, isNew: Bool) {
    let record = scratch.record(values, bound.columns)
    let row: RowKey
    var isNew = true
    if let key {
      row = key
      if mustBeNew {
        guard try transaction.insert(bound.table, key, record) else { return (nil, false) }
      } else {
        let before = try transaction.count(bound.table)
        try transaction.put(bound.table, key, record)
        isNew = try transaction.count(bound.table) > before
      }
    } else {
      row = .int(try takeRowNumber(bound, transaction))
      try transaction.put(bound.table, row, record)
    }
    if bound.hasIndexes {
      try updateIndexes(bound, row, from: old, to: values, transaction)
    }
    return (row, isNew)
  }
}
