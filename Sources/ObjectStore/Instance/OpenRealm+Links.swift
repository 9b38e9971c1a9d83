// Links and collections in an instance's transaction.
import StorageEngine

extension OpenRealm {
  /// Returns the classes of the file; nil if none has links.
  private func linkCatalog(
    _ transaction: WriteTransaction
  ) throws(StorageError) -> LinkCatalog? {
    if isLinkCatalogCurrent { return linkCatalog }
    if let generation = try LinkCatalog.generation(transaction) {
      if linkCatalog?.generation != generation {
        linkCatalog = try LinkCatalog(generation, transaction)
      }
    } else {
      linkCatalog = nil
    }
    isLinkCatalogCurrent = true
    return linkCatalog
  }

  /// The catalog may describe classes of a transaction that was cancelled.
  func forgetLinkCatalog() {
    linkCatalog = nil
    isLinkCatalogCurrent = false
  }

  /// Calls `body` with the rows of a class with links, and counts the objects that are deleted with their owners.
  func changeLinkedRows<Result>(
    _ transaction: WriteTransaction,
    _ body: (inout LinkedRows) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    guard let catalog = try linkCatalog(transaction) else {
      throw StorageError(
        .corrupt, "The file has a class with links and does not count its classes' changes.")
    }
    var rows = LinkedRows(transaction, catalog)
    let result = try body(&rows)
    if !rows.deletions.isEmpty {
      for (name, count) in rows.deletions { recordDeletions(name, count) }
    }
    return result
  }

  func setLink(
    _ info: ClassInfo, _ key: RowKey, _ position: Int, _ value: ColumnValue,
    _ transaction: WriteTransaction
  ) throws(StorageError) -> Bool {
    try changeLinkedRows(transaction) { (rows) throws(StorageError) in
      try rows.setLink(info.file, key, position, value)
    }
  }

  /// Deletes a row of a class with links, or one to which links may lead. Returns whether there was one; nil if the class is
  /// no such class.
  func deleteLinked(
    _ info: ClassInfo, _ key: RowKey, _ transaction: WriteTransaction
  ) throws(StorageError) -> Bool? {
    guard let catalog = try linkCatalog(transaction),
      info.file.hasLinks || !catalog.origins(of: info.schema.name).isEmpty
    else { return nil }
    return try changeLinkedRows(transaction) { (rows) throws(StorageError) in
      try rows.delete(info.file, key)
    }
  }

  /// Deletes all rows of a class, and what belongs to them in other classes.
  func deleteAll(
    of stored: StoredClass, _ transaction: WriteTransaction
  ) throws(StorageError) {
    guard let catalog = try linkCatalog(transaction), let file = catalog.classes[stored.name],
      file.hasLinks || !catalog.origins(of: stored.name).isEmpty
    else {
      _ = try clear(stored, transaction)
      return
    }
    var keys: [RowKey] = []
    try scan(file.table) { key, _ in
      keys.append(key)
      return true
    }
    try changeLinkedRows(transaction) { (rows) throws(StorageError) in
      for key in keys { _ = try rows.delete(file, key) }
    }
  }

  /// Returns the rows whose keys begin with `prefix`, at most `limit`.
  func rows(
    _ table: Table, prefix: [UInt8], limit: Int = .max
  ) throws(StorageError) -> [(key: [UInt8], value: [UInt8])] {
    if let writing { return try writing.rows(table, prefix: prefix, limit: limit) }
    return try snapshot().rows(table, prefix: prefix, limit: limit)
  }
}
