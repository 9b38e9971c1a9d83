// Writing an object as a new row, or over the row that has its primary key.
import Foundation
import StorageEngine

extension OpenRealm {
  /// Writes the values that `assign` sets, and those of `object` for the other columns, and makes `object` a view of the row.
  @inline(__always)
  func store(
    _ object: ObjectBase, as type: ObjectBase.Type, _ policy: UpdatePolicy,
    for purpose: StaticString,
    assign: (inout [ColumnValue?], ClassInfo) throws(RealmError) -> Void
  ) {
    guard let transaction = transaction(for: purpose), let info = classInfo(for: type)
    else { return }
    if info.schema.hasLinks {
      return storeGraph(object, policy, for: purpose) { (info) throws(RealmError) in
        var values = [ColumnValue?](repeating: nil, count: info.schema.columns.count)
        try assign(&values, info)
        return zip(values, info.schema.columns).map { value, column in
          column.collection == nil ? value.map(PropertyContent.column) : nil
        }
      }
    }
    var values = recordBuffer.borrowValues(info.schema.columns.count)
    do throws(RealmError) {
      try assign(&values, info)
      let key = try store(&values, object, info, policy, transaction)
      object.manage(self, info, key)
    } catch {
      Misuse.report(error)
    }
    recordBuffer.returnValues(&values)
  }

  /// Writes values by column as a row, with those of `fresh`, or of the existing row, for columns that have none. Returns
  /// the row's key. Error `duplicatePrimaryKey`.
  func store(
    _ values: inout [ColumnValue?], _ fresh: ObjectBase, _ info: ClassInfo,
    _ policy: UpdatePolicy, _ transaction: WriteTransaction
  ) throws(RealmError) -> RowKey {
    var old: [ColumnValue]?
    var key: RowKey?
    if let primary = info.primary {
      let wanted = values[primary] ?? fresh.unmanagedValue(primary, info.wrappers)
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
    fresh.fill(&values, info.wrappers)
    if policy == .modified, let old, let key, Self.isSame(values, old) { return key }
    let written = performChange { () throws(StorageError) in
      try write(values, from: old, info, key, isNew: policy == .error, transaction)
    }
    guard let written else {
      throw RealmError(.fail, "The object was not written.", file: url)
    }
    guard let row = written.key else { throw duplicate(info.primary.flatMap { values[$0] }, info) }
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

  func duplicate(_ key: ColumnValue?, _ info: ClassInfo) -> RealmError {
    RealmError(
      .duplicatePrimaryKey,
      "Attempting to create an object of type '\(info.schema.name)' with an existing primary key "
        + "value '\(key?.anyValue.map { "\($0)" } ?? "nil")'.", file: url)
  }

  /// Writes a row and its index entries. If the row must be new and is not, nothing is written and no key returned.
  private func write(
    _ values: [ColumnValue?], from old: [ColumnValue]?, _ info: ClassInfo, _ key: RowKey?,
    isNew mustBeNew: Bool, _ transaction: WriteTransaction
  ) throws(StorageError) -> (key: RowKey?, isNew: Bool) {
    let record = recordBuffer.encode(values, info.columns)
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
