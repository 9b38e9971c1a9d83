// From the columns that a file has of a class to those of the program.

/// How a row of a stored class becomes a row of the program's class.
struct RowConversion {
  private let objectClass: ObjectClass
  /// The position of the old value of each column; nil where a new object's value is taken.
  private let sources: [Int?]
  /// Whether the bytes of rows stay as they are.
  let keepsRows: Bool

  init(_ old: StoredClass, _ objectClass: ObjectClass) {
    self.objectClass = objectClass
    let columns = objectClass.schema.columns
    sources = columns.map { column in
      old.columns.firstIndex { $0.name == column.name && $0.kind == column.kind.rawValue }
    }
    keepsRows =
      old.columns.count == columns.count
      && zip(columns, old.columns).allSatisfy { new, old in
        new.name == old.name && new.kind.rawValue == old.kind && new.isOptional == old.isOptional
      }
  }

  /// Whether every row has the same value in this column as before.
  func keepsValues(_ column: Column, of old: StoredClass) -> Bool {
    guard let source = sources[column.index] else { return false }
    return column.isOptional || !old.columns[source].isOptional
  }

  /// Returns the values of a row by column of the class.
  func callAsFunction(_ old: [ColumnValue]) -> [ColumnValue] {
    var row: [ColumnValue] = []
    row.reserveCapacity(sources.count)
    var fresh: [ColumnValue]?
    for (column, source) in zip(objectClass.schema.columns, sources) {
      if let source, old[source] != .null || column.isOptional {
        row.append(old[source])
        continue
      }
      // A new object for each row: a default value may be another one each time.
      let values = fresh ?? objectClass.type.init().unmanagedValues()
      fresh = values
      row.append(values[column.index])
    }
    return row
  }
}
