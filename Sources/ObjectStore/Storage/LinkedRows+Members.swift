// Sets and maps: a row for each element, with the value of a set's element in the key, and of a map's under its string. The
// owner's record has the number of elements.
import StorageEngine

extension LinkedRows {
  private func count(
    _ owner: FileClass, _ key: RowKey, _ column: Int
  ) throws(StorageError) -> Int64? {
    switch try value(owner, key, column) {
    case nil: nil
    case .members(let count)?: count
    default: 0
    }
  }

  private func setCount(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ count: Int64
  ) throws(StorageError) {
    try setValue(owner, key, column, count == 0 ? .null : .members(count))
  }

  private func elements(_ owner: FileClass, _ column: Int) -> Table {
    guard let table = owner.columns[column].elements else {
      preconditionFailure("\(owner.columns[column].name) is not a collection.")
    }
    return table
  }

  /// Inserts elements into a set. Returns how many were new; nil if there is no such row.
  func insertMembers(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ values: [ColumnValue]
  ) throws(StorageError) -> Int? {
    guard let count = try count(owner, key, column) else { return nil }
    let table = elements(owner, column)
    let prefix = ElementKey.prefix(key)
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    var inserted = 0
    for value in values {
      let entry = RowKey.bytes(ElementKey.member(value, prefix))
      guard try transaction.insert(table, entry, none) else { continue }
      inserted += 1
      try link(owner, key, column, to: value)
    }
    if inserted > 0 { try setCount(owner, key, column, count + Int64(inserted)) }
    return inserted
  }

  /// Removes an element of a set. Returns whether there was one; nil if there is no such row.
  mutating func removeMember(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ value: ColumnValue
  ) throws(StorageError) -> Bool? {
    guard let count = try count(owner, key, column) else { return nil }
    let entry = RowKey.bytes(ElementKey.member(value, ElementKey.prefix(key)))
    guard try transaction.delete(elements(owner, column), entry) else { return false }
    try setCount(owner, key, column, count - 1)
    try unlink(owner, key, column, from: value)
    return true
  }

  /// Removes an element of a set without the record of its link.
  func dropMember(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ value: ColumnValue
  ) throws(StorageError) {
    let entry = RowKey.bytes(ElementKey.member(value, ElementKey.prefix(key)))
    guard let count = try count(owner, key, column),
      try transaction.delete(elements(owner, column), entry)
    else { return }
    try setCount(owner, key, column, count - 1)
  }

  /// Sets the value that a map has for a string. Returns false if there is no such row.
  mutating func setEntry(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ name: String, _ value: ColumnValue
  ) throws(StorageError) -> Bool {
    guard let count = try count(owner, key, column) else { return false }
    let description = owner.columns[column]
    let table = elements(owner, column)
    let entry = RowKey.bytes(ElementKey.member(.string(name), ElementKey.prefix(key)))
    let old = try transaction.value(table, entry)
    try transaction.put(table, entry, description.encodeElement(value))
    if old == nil { try setCount(owner, key, column, count + 1) }
    try link(owner, key, column, to: value)
    if let old, description.target != nil {
      try unlink(owner, key, column, from: try decode(old, description))
      try deleteOrphans()
    }
    return true
  }

  /// Removes the value that a map has for a string. Returns whether there was one; nil if there is no such row.
  mutating func removeEntry(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ name: String
  ) throws(StorageError) -> Bool? {
    guard let count = try count(owner, key, column) else { return nil }
    let description = owner.columns[column]
    let table = elements(owner, column)
    let entry = RowKey.bytes(ElementKey.member(.string(name), ElementKey.prefix(key)))
    guard let old = try transaction.value(table, entry) else { return false }
    try transaction.delete(table, entry)
    try setCount(owner, key, column, count - 1)
    if description.target != nil {
      try unlink(owner, key, column, from: try decode(old, description))
      try deleteOrphans()
    }
    return true
  }

  /// Sets the values of a map that are `value` to null, without the record of their links.
  func nullifyValues(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ value: ColumnValue
  ) throws(StorageError) {
    let description = owner.columns[column]
    let prefix = ElementKey.prefix(key)
    let table = elements(owner, column)
    let unwanted = description.encodeElement(value)
    for row in try transaction.rows(table, prefix: prefix) where row.value == unwanted {
      try transaction.put(table, .bytes(prefix + row.key), description.encodeElement(.null))
    }
  }

  /// Removes all elements of a collection, but leaves the owner's record as it is.
  mutating func removeAll(
    _ owner: FileClass, _ key: RowKey, _ column: Int
  ) throws(StorageError) {
    let description = owner.columns[column]
    let prefix = ElementKey.prefix(key)
    let table = elements(owner, column)
    for row in try transaction.rows(table, prefix: prefix) {
      try transaction.delete(table, .bytes(prefix + row.key))
      guard description.target != nil else { continue }
      let value: ColumnValue
      if description.collection?.form == .set {
        value = row.key.withUnsafeBytes { ElementKey.member(.link, $0) } ?? .null
      } else {
        value = try decode(row.value, description)
      }
      try unlink(owner, key, column, from: value)
    }
  }

  /// Removes all elements of a collection. Returns false if there is no such row.
  mutating func clear(
    _ owner: FileClass, _ key: RowKey, _ column: Int
  ) throws(StorageError) -> Bool {
    guard let old = try value(owner, key, column) else { return false }
    guard old != .null else { return true }
    try removeAll(owner, key, column)
    try setValue(owner, key, column, .null)
    try deleteOrphans()
    return true
  }

  private func decode(
    _ bytes: [UInt8], _ column: FileClass.FileColumn
  ) throws(StorageError) -> ColumnValue {
    guard let value = bytes.withUnsafeBytes({ column.decodeElement($0) }) else {
      throw column.corruptElementError
    }
    return value
  }
}
