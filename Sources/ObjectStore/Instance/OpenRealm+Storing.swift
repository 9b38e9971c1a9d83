// Writing a new object as a row, or over the row that has its primary key.
import Foundation
import StorageEngine

extension OpenRealm {
  /// Writes values by column as a row; what is missing is taken from `fresh`, or from the row that there is. Answers the
  /// row's key. Error `duplicatePrimaryKey`.
  func store(
    _ values: inout [ColumnValue?], _ fresh: Object, _ info: ClassInfo,
    _ policy: Realm.UpdatePolicy, _ transaction: WriteTransaction
  ) throws(Realm.Error) -> RowKey {
    var old: [ColumnValue]?
    var key: RowKey?
    if let primary = info.primary {
      let wanted = values[primary] ?? fresh.unmanagedValue(primary, info.schema)
      values[primary] = wanted
      let row: RowKey
      if info.hasIntegerKey, case .int(let number) = wanted {
        row = .int(number)
      } else {
        row = try info.rowKey(wanted)
      }
      key = row
      if policy == .modified || policy == .all && info.hasIndexes {
        old = try mappingErrors { () throws(StorageError) in try self.values(info, row) }
      }
    }
    if policy == .modified, let old { Self.fill(&values, old) }
    fresh.fill(&values, info.schema)
    if policy == .modified, let old, let key, Self.isSame(values, old) { return key }
    let written = performChange { () throws(StorageError) in
      try write(values, from: old, info, key, isNew: policy == .error, transaction)
    }
    guard let written else {
      throw Realm.Error(.fail, "The object was not written.", file: file.url)
    }
    guard let row = written.key else { throw duplicate(values, info) }
    if written.isNew {
      info.changes.created += 1
    } else {
      info.changes.updated += 1
    }
    return row
  }

  private static func fill(_ values: inout [ColumnValue?], _ old: [ColumnValue]) {
    for index in values.indices where values[index] == nil { values[index] = old[index] }
  }

  private static func isSame(_ values: [ColumnValue?], _ old: [ColumnValue]) -> Bool {
    zip(values, old).allSatisfy { $0 == $1 }
  }

  private func duplicate(_ values: [ColumnValue?], _ info: ClassInfo) -> Realm.Error {
    let key = info.primary.flatMap { values[$0]?.anyValue }
    return Realm.Error(
      .duplicatePrimaryKey,
      "Attempting to create an object of type '\(info.schema.name)' with an existing primary key "
        + "value '\(key.map { "\($0)" } ?? "nil")'.", file: file.url)
  }

  /// Writes a row and its entries in the indexes. No key is answered, and nothing written, where the row should be new and
  /// is not.
  private func write(
    _ values: [ColumnValue?], from old: [ColumnValue]?, _ info: ClassInfo, _ key: RowKey?,
    isNew mustBeNew: Bool, _ transaction: WriteTransaction
  ) throws(StorageError) -> (key: RowKey?, isNew: Bool) {
    let record = recordBuffer.record(values, info.columns)
    let row: RowKey
    var isNew = true
    if let key {
      row = key
      if mustBeNew {
        guard try transaction.insert(info.table, key, record) else { return (nil, false) }
      } else {
        let before = try transaction.count(info.table)
        try transaction.put(info.table, key, record)
        isNew = try transaction.count(info.table) > before
      }
    } else {
      row = .int(try nextRowNumber(info, transaction))
      try transaction.put(info.table, row, record)
    }
    if info.hasIndexes {
      try updateIndexes(info, row, from: old, to: values, transaction)
    }
    return (row, isNew)
  }
}
