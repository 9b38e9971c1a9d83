// The classes as the file describes them: rows of a table of their own, written in the transaction that writes the first
// row of a class.
import Foundation
import StorageEngine

/// A class as its rows were written.
struct StoredClass: Codable, Equatable {
  struct StoredColumn: Codable, Equatable {
    var name: String
    var kind: UInt8
    var isOptional: Bool
    var isPrimaryKey: Bool
    var isIndexed: Bool
    // Of links and collections only; other columns are described without them.
    var target: String?
    var isEmbedded: Bool?
    var collection: UInt8?
    var elementKind: UInt8?
    var elementIsOptional: Bool?
  }

  var name: String
  /// In the order of the columns in records.
  var columns: [StoredColumn]
  /// The number of tables that the class has had: a change of the primary key's kind takes another one.
  var generation: Int
  /// true for a class of embedded objects; nil for others.
  var isEmbedded: Bool?

  init(_ schema: ObjectSchema, generation: Int = 1) {
    name = schema.name
    self.generation = generation
    isEmbedded = schema.isEmbedded ? true : nil
    columns = schema.columns.map(StoredColumn.init)
  }

  /// Returns whether objects of the class can be read from these rows without a migration.
  func matches(_ schema: ObjectSchema) -> Bool { differences(from: schema).isEmpty }

  /// Returns what a migration has to change, as sentences.
  func differences(from schema: ObjectSchema) -> [String] {
    let wanted = StoredClass(schema).columns
    var found: [String] = []
    if (isEmbedded ?? false) != schema.isEmbedded {
      found.append(
        "Class '\(name)' has been changed to \(schema.isEmbedded ? "" : "not ")embedded.")
    }
    for column in wanted {
      guard let own = columns.first(where: { $0.name == column.name }) else {
        found.append("Property '\(name).\(column.name)' has been added.")
        continue
      }
      if !own.hasSameType(as: column) {
        found.append(
          "Property '\(name).\(column.name)' has been changed from '\(own.typeName)' to "
            + "'\(column.typeName)'.")
      }
      if own.isPrimaryKey != column.isPrimaryKey {
        found.append("Primary Key for class '\(name)' has been changed.")
      }
      if own.isIndexed != column.isIndexed {
        found.append(
          "Property '\(name).\(column.name)' has been made \(column.isIndexed ? "" : "un")indexed.")
      }
    }
    for own in columns where !wanted.contains(where: { $0.name == own.name }) {
      found.append("Property '\(name).\(own.name)' has been removed.")
    }
    return found
  }

  var primaryKey: StoredColumn? { columns.first { $0.isPrimaryKey } }

  /// The engine has integer keys; every other key is encoded as ordered bytes.
  var keyKind: KeyKind {
    guard let primaryKey else { return .int64 }
    return primaryKey.kind == ColumnKind.int.rawValue && !primaryKey.isOptional ? .int64 : .bytes
  }

  private var suffix: String { generation == 1 ? "" : "~\(generation)" }
  var tableName: String { name + suffix }
  /// The name of the table of a column's index, or of its elements: no column has both.
  func indexName(_ column: String) -> String { "\(name).\(column)\(suffix)" }
  func backlinksName(_ column: String) -> String { "\(name).\(column).backlinks\(suffix)" }

  /// The names and key kinds of all tables of the class, that of its rows last.
  var tables: [(name: String, keyKind: KeyKind)] {
    let besides = columns.flatMap { column in
      (column.isIndexed || column.collection != nil ? [indexName(column.name)] : [])
        + (column.target != nil ? [backlinksName(column.name)] : [])
    }
    return besides.map { ($0, .bytes) } + [(tableName, keyKind)]
  }

  var hasLinks: Bool { columns.contains { $0.target != nil || $0.collection != nil } }
}

extension StoredClass.StoredColumn {
  init(_ column: Column) {
    name = column.name
    kind = column.kind.rawValue
    isOptional = column.isOptional
    isPrimaryKey = column.isPrimaryKey
    isIndexed = column.isIndexed
    target = column.target?.name
    isEmbedded = column.target.flatMap { $0.isEmbedded ? true : nil }
    collection = column.collection?.form.rawValue
    elementKind = column.collection?.elementKind.rawValue
    elementIsOptional = column.collection.flatMap { $0.elementIsOptional ? true : nil }
  }

  func hasSameType(as other: Self) -> Bool {
    kind == other.kind && isOptional == other.isOptional && target == other.target
      && isEmbedded == other.isEmbedded && collection == other.collection
      && elementKind == other.elementKind && elementIsOptional == other.elementIsOptional
  }

  var typeName: String {
    guard let form = collection.flatMap(CollectionShape.Form.init) else {
      return target.map { "\($0)?" } ?? Self.name(kind) + (isOptional ? "?" : "")
    }
    let element = target ?? Self.name(elementKind ?? 0)
    return "\(form)<\(element)\(elementIsOptional == true ? "?" : "")>"
  }

  private static func name(_ kind: UInt8) -> String {
    ColumnKind(rawValue: kind).map { "\($0)" } ?? "?"
  }
}

/// The table of schemas and its keys.
enum SchemaTable {
  static let name = ".schema"
  static let version = Array("version".utf8)
  static func classKey(_ name: String) -> [UInt8] { Array("class.\(name)".utf8) }
  static func nextRowKey(_ name: String) -> [UInt8] { Array("next.\(name)".utf8) }
  /// The row that counts the changes of classes since one of them has links; there is none before.
  static let linkGeneration = Array("links".utf8)
  static let classPrefix = Array("class.".utf8)

  /// Decodes the value of the key `version`.
  static func version(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    bytes.count == 8 ? bytes.littleEndian() : nil
  }

  /// Returns the schema version of a version of the file; 0 if it has none.
  static func schemaVersion(_ snapshot: Snapshot) throws(StorageError) -> UInt64 {
    guard let table = snapshot.table(name) else { return 0 }
    var found: UInt64?
    _ = try withBytes(version) { (key) throws(StorageError) in
      try snapshot.get(table, key) { found = version($0) }
    }
    return found ?? 0
  }
}
