// Converting the rows of a class with links. The elements and backlinks of properties that stay are left as they are, since
// they belong to the row's key and the property's name; those of properties that go are removed as if they were set to nil.
import StorageEngine

extension MigrationRunner {
  /// Whether objects of a class have links, or links may lead to them.
  func isLinked(_ name: String) -> Bool {
    stored.values.contains { other in
      other.name == name && other.hasLinks || other.columns.contains { $0.target == name }
    }
  }

  /// Error `schemaMismatch`: the class changes in a way that its links do not survive.
  private func checkLinks(_ old: StoredClass, _ new: StoredClass) throws {
    let reason: String
    if old.primaryKey != new.primaryKey {
      reason = "the primary key, by which links refer to objects"
    } else if old.isEmbedded != new.isEmbedded {
      reason = "whether objects belong to an owner"
    } else {
      return
    }
    throw RealmError(
      .schemaMismatch,
      "A migration cannot change \(reason), of a class with links: \(new.name). Create a class of another "
        + "name, and copy the objects in the migration block.", file: instance.url)
  }

  func convertLinked(_ objectClass: ObjectClass, from old: StoredClass) throws {
    let new = StoredClass(objectClass.schema, generation: old.generation)
    try checkLinks(old, new)
    let transaction = try transaction
    try instance.mappingErrors { () throws(StorageError) in
      try dropColumns(of: old, missingIn: new, transaction)
      var rows: [(key: RowKey, value: [UInt8])] = []
      // From the transaction, since the conversion of another class may have deleted embedded objects.
      try instance.scan(try transaction.table(old.tableName, old.keyKind)) { key, bytes in
        rows.append((key, Array(bytes)))
        return true
      }
      for column in old.columns where column.isIndexed {
        let index = try transaction.table(old.indexName(column.name), .bytes)
        for row in try transaction.rows(index, prefix: []) {
          try transaction.delete(index, .bytes(row.key))
        }
      }
      let info = try OpenRealm.createClass(objectClass, new, transaction)
      instance.add(info)
      for row in rows {
        let values = try Self.values(row.value, old, objectClass).map(Optional.some)
        try transaction.put(info.table, row.key, instance.recordBuffer.encode(values, info.columns))
        if info.hasIndexes {
          try instance.updateIndexes(info, row.key, from: nil, to: values, transaction)
        }
      }
    }
  }

  /// Removes what belongs to links and collections that the new class does not have, or has of another type.
  private func dropColumns(
    of old: StoredClass, missingIn new: StoredClass, _ transaction: WriteTransaction
  ) throws(StorageError) {
    let dropped = old.columns.indices.filter { index in
      let column = old.columns[index]
      guard column.target != nil || column.collection != nil else { return false }
      return !new.columns.contains { $0.name == column.name && $0.hasSameType(as: column) }
    }
    guard !dropped.isEmpty else { return }
    let file = try FileClass(old) { (name, kind) throws(StorageError) in
      try transaction.table(name, kind)
    }
    var keys: [RowKey] = []
    try instance.scan(file.table) { key, _ in
      keys.append(key)
      return true
    }
    try instance.changeLinkedRows(transaction) { (rows) throws(StorageError) in
      for key in keys {
        for column in dropped {
          if file.columns[column].collection != nil {
            _ = try rows.clear(file, key, column)
          } else {
            _ = try rows.setLink(file, key, column, .null)
          }
        }
      }
    }
  }

  /// Returns the values that both classes have, and those of a new object for the other columns.
  private static func values(
    _ record: [UInt8], _ old: StoredClass, _ objectClass: ObjectClass
  ) throws(StorageError) -> [ColumnValue] {
    var row = objectClass.type.init().unmanagedValues()
    for column in objectClass.schema.columns {
      let wanted = StoredClass.StoredColumn(column)
      guard let index = old.columns.firstIndex(where: { $0.name == column.name }) else { continue }
      let own = old.columns[index]
      guard column.isLinked ? own.hasSameType(as: wanted) : own.kind == wanted.kind else {
        continue
      }
      let value = record.withUnsafeBytes { try? ObjectRecord($0)?.value(index, column.kind) }
      guard let value else { throw LinkedRows.corruptRowError(old.name) }
      if value != .null || column.isOptional { row[column.index] = value }
    }
    return row
  }
}
