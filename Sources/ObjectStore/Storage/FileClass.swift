// A class as the file has it: its tables by column, in the order of the columns in records. Needs no class of the program.
import StorageEngine

/// The tables of a class.
final class FileClass {
  /// A column and what belongs to it beside the record.
  struct FileColumn {
    let name: String
    let kind: ColumnKind
    let index: Table?
    /// The elements of a collection.
    let elements: Table?
    /// The links of this column by their targets.
    let backlinks: Table?
    let collection: CollectionShape?
    let target: LinkTarget?
  }

  let stored: StoredClass
  let table: Table
  let columns: [FileColumn]
  let hasLinks: Bool

  /// `find` returns the table of that name. Error `corrupt`: the file does not have a table that `stored` describes, or
  /// does not describe a class of this version.
  init(
    _ stored: StoredClass, table find: (String, KeyKind) throws(StorageError) -> Table?
  ) throws(StorageError) {
    func existing(_ name: String, _ kind: KeyKind) throws(StorageError) -> Table {
      guard let table = try find(name, kind) else {
        throw StorageError(.corrupt, "The file describes the table \"\(name)\" and has it not.")
      }
      return table
    }
    self.stored = stored
    hasLinks = stored.hasLinks
    table = try existing(stored.tableName, stored.keyKind)
    var columns: [FileColumn] = []
    for column in stored.columns {
      guard let kind = ColumnKind(rawValue: column.kind) else {
        throw StorageError(
          .corrupt, "The file's column \(stored.name).\(column.name) has an unknown type.")
      }
      let hasElements = column.collection != nil
      let beside =
        column.isIndexed || hasElements
        ? try existing(stored.indexName(column.name), .bytes) : nil
      columns.append(
        FileColumn(
          name: column.name, kind: kind, index: column.isIndexed ? beside : nil,
          elements: hasElements ? beside : nil,
          backlinks: column.target == nil
            ? nil : try existing(stored.backlinksName(column.name), .bytes),
          collection: column.collectionShape, target: column.linkTarget))
    }
    self.columns = columns
  }
}

extension StoredClass.StoredColumn {
  fileprivate var collectionShape: CollectionShape? {
    guard let form = collection.flatMap(CollectionShape.Form.init),
      let kind = elementKind.flatMap(ColumnKind.init)
    else { return nil }
    return CollectionShape(
      form: form, elementKind: kind, elementIsOptional: elementIsOptional ?? false)
  }

  fileprivate var linkTarget: LinkTarget? {
    target.map { LinkTarget(name: $0, isEmbedded: isEmbedded ?? false) }
  }
}

// MARK: Values of elements

extension FileClass.FileColumn {
  /// Returns an element's value as bytes. Links have no bytes for null; optional values a first byte that marks null.
  func encodeElement(_ value: ColumnValue) -> [UInt8] {
    guard let collection else { return [] }
    let bytes = value.recordBytes
    guard collection.elementIsOptional, collection.elementKind != .link else { return bytes }
    return value.isNull ? [0] : [1] + bytes
  }

  /// Decodes an element; nil if the bytes are corrupt.
  func decodeElement(_ bytes: UnsafeRawBufferPointer) -> ColumnValue? {
    guard let collection else { return nil }
    if collection.elementKind == .link, bytes.isEmpty { return .null }
    guard collection.elementIsOptional, collection.elementKind != .link else {
      return ColumnValue(collection.elementKind, bytes)
    }
    guard let first = bytes.first else { return nil }
    return first == 0 ? .null : ColumnValue(collection.elementKind, bytes.slice(1, bytes.count))
  }

  /// Decodes the row of an element; `key` is without the owner. Error: it is not one.
  func element(_ row: (key: [UInt8], value: [UInt8])) throws(StorageError) -> ColumnValue {
    let value: ColumnValue?
    if let collection, collection.form == .set {
      value = row.key.withUnsafeBytes { ElementKey.member(collection.elementKind, $0) }
    } else {
      value = row.value.withUnsafeBytes { decodeElement($0) }
    }
    guard let value else { throw corruptElementError }
    return value
  }

  var corruptElementError: StorageError {
    StorageError(.corrupt, "An element of the collection \(name) is not a value of its type.")
  }
}
