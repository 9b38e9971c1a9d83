// Writing links and collections in one transaction. The record of an owner has the key of a link, and of a collection only
// its size; elements are rows of a table of their own, and each link has an entry in its column's table of backlinks.
import StorageEngine

/// The rows of classes with links, and those that links lead to.
struct LinkedRows {
  let transaction: WriteTransaction
  let catalog: LinkCatalog
  /// How many objects were deleted with an owner, by class.
  private(set) var deletions: [String: Int] = [:]
  /// Embedded objects that have lost their owner, to be deleted.
  var orphans: [(class: String, key: RowKey)] = []

  init(_ transaction: WriteTransaction, _ catalog: LinkCatalog) {
    self.transaction = transaction
    self.catalog = catalog
  }

  static func corruptRowError(_ name: String) -> StorageError {
    StorageError(.corrupt, "A row of \(name) is not a record of an object.")
  }

  // MARK: Columns of records

  /// Returns the value of a column; nil if there is no such row.
  func value(
    _ owner: FileClass, _ key: RowKey, _ column: Int
  ) throws(StorageError) -> ColumnValue? {
    var value: ColumnValue?
    let exists = try transaction.get(owner.table, key) { bytes in
      value = try? ObjectRecord(bytes)?.value(column, owner.columns[column].kind)
    }
    guard exists else { return nil }
    guard let value else { throw Self.corruptRowError(owner.stored.name) }
    return value
  }

  /// Overwrites a column of an existing row.
  func setValue(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ value: ColumnValue
  ) throws(StorageError) {
    var isWritten = false
    var rewritten: [UInt8]?
    _ = try transaction.change(owner.table, key) { bytes in
      guard let record = ObjectRecord(UnsafeRawBufferPointer(bytes)) else { return }
      isWritten = (try? record.replace(column, by: value, in: bytes)) ?? false
      if !isWritten { rewritten = try? record.replacingColumn(column, by: value) }
    }
    guard !isWritten else { return }
    guard let rewritten else { throw Self.corruptRowError(owner.stored.name) }
    try transaction.put(owner.table, key, rewritten)
  }

  // MARK: To-one links

  /// Makes the column's link lead to `value`, a link or null. Returns false if there is no such row.
  mutating func setLink(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ value: ColumnValue
  ) throws(StorageError) -> Bool {
    guard let old = try self.value(owner, key, column) else { return false }
    guard old != value else { return true }
    try setValue(owner, key, column, value)
    try link(owner, key, column, to: value)
    try unlink(owner, key, column, from: old)
    try deleteOrphans()
    return true
  }

  // MARK: Backlinks

  /// Records that a column of a row links to `value`; no effect for null and values that are not links.
  func link(
    _ origin: FileClass, _ key: RowKey, _ column: Int, to value: ColumnValue
  ) throws(StorageError) {
    guard case .link(let target) = value, let backlinks = origin.columns[column].backlinks else {
      return
    }
    let entry = RowKey.bytes(ElementKey.backlink(to: target, from: key))
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    guard try !transaction.insert(backlinks, entry, none) else { return }
    let count = try transaction.value(backlinks, entry).map(Backlink.count) ?? 1
    try transaction.put(backlinks, entry, Backlink.bytes(count + 1))
  }

  /// Removes the record of one link. An embedded target becomes an orphan.
  mutating func unlink(
    _ origin: FileClass, _ key: RowKey, _ column: Int, from value: ColumnValue
  ) throws(StorageError) {
    let description = origin.columns[column]
    guard case .link(let key2) = value, let backlinks = description.backlinks,
      let target = description.target
    else { return }
    let entry = RowKey.bytes(ElementKey.backlink(to: key2, from: key))
    let count = try transaction.value(backlinks, entry).map(Backlink.count) ?? 0
    if count > 1 {
      try transaction.put(backlinks, entry, Backlink.bytes(count - 1))
    } else {
      try transaction.delete(backlinks, entry)
    }
    if target.isEmbedded { orphans.append((target.name, key2)) }
  }

  // MARK: Deleting

  /// Deletes a row with its elements, its index entries, the links to it, and the embedded objects that it owns. Returns
  /// false if there is no such row.
  mutating func delete(_ owner: FileClass, _ key: RowKey) throws(StorageError) -> Bool {
    guard try deleteRow(owner, key) else { return false }
    try deleteOrphans()
    return true
  }

  /// Deletes orphans, and the orphans that this makes, however deeply embedded.
  mutating func deleteOrphans() throws(StorageError) {
    while let orphan = orphans.popLast() {
      guard let owner = catalog.classes[orphan.class] else { continue }
      if try deleteRow(owner, orphan.key) { deletions[orphan.class, default: 0] += 1 }
    }
  }

  private mutating func deleteRow(_ owner: FileClass, _ key: RowKey) throws(StorageError) -> Bool {
    guard let record = try transaction.value(owner.table, key) else { return false }
    for (column, description) in owner.columns.enumerated() {
      if description.collection != nil {
        try removeAll(owner, key, column)
      } else if description.target != nil || description.index != nil {
        let value = try Self.value(record, column, owner)
        if let index = description.index {
          try transaction.delete(index, IndexEntry.key(value, key))
        }
        try unlink(owner, key, column, from: value)
      }
    }
    try nullifyLinks(to: key, of: owner.stored.name)
    return try transaction.delete(owner.table, key)
  }

  private static func value(
    _ record: [UInt8], _ column: Int, _ owner: FileClass
  ) throws(StorageError) -> ColumnValue {
    let value = record.withUnsafeBytes {
      try? ObjectRecord($0)?.value(column, owner.columns[column].kind)
    }
    guard let value else { throw corruptRowError(owner.stored.name) }
    return value
  }

  /// Sets links to a row to null, removes it from lists and sets, and sets the values of maps to null.
  private mutating func nullifyLinks(
    to target: RowKey, of name: String
  ) throws(StorageError) {
    for link in catalog.origins(of: name) {
      guard let backlinks = link.origin.columns[link.column].backlinks else { continue }
      let prefix = ElementKey.prefix(target)
      for entry in try transaction.rows(backlinks, prefix: prefix) {
        try transaction.delete(backlinks, .bytes(prefix + entry.key))
        guard let origin = entry.key.withUnsafeBytes({ RowKey(linkBytes: $0) }) else { continue }
        switch link.origin.columns[link.column].collection?.form {
        case nil: try setValue(link.origin, origin, link.column, .null)
        case .list: try dropFromList(link.origin, origin, link.column, .link(target))
        case .set: try dropMember(link.origin, origin, link.column, .link(target))
        case .map: try nullifyValues(link.origin, origin, link.column, .link(target))
        }
      }
    }
  }
}

/// How many links of one column of one row an entry stands for: no bytes for one link.
enum Backlink {
  static func count(_ bytes: [UInt8]) -> Int {
    bytes.count == 4 ? Int(bytes.withUnsafeBytes { $0.littleEndian() } as UInt32) : 1
  }

  static func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if count > 1 { bytes.append(littleEndian: UInt32(count)) }
    return bytes
  }
}
