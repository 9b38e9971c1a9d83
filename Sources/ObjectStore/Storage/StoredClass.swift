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
  }

  var name: String
  /// In the order of the columns in records.
  var columns: [StoredColumn]
  /// The number of tables that the class has had: a change of the primary key's kind takes another one.
  var generation: Int

  init(_ schema: ObjectSchema, generation: Int = 1) {
    name = schema.name
    self.generation = generation
    columns = schema.columns.map {
      StoredColumn(
        name: $0.name, kind: $0.kind.rawValue, isOptional: $0.isOptional,
        isPrimaryKey: $0.isPrimaryKey, isIndexed: $0.isIndexed)
    }
  }

  /// Returns whether objects of the class can be read from these rows without a migration.
  func matches(_ schema: ObjectSchema) -> Bool { differences(from: schema).isEmpty }

  /// Returns what a migration has to change, as sentences.
  func differences(from schema: ObjectSchema) -> [String] {
    let wanted = StoredClass(schema).columns
    var found: [String] = []
    for column in wanted {
      guard let own = columns.first(where: { $0.name == column.name }) else {
        found.append("Property '\(name).\(column.name)' has been added.")
        continue
      }
      if own.kind != column.kind || own.isOptional != column.isOptional {
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
  func indexName(_ column: String) -> String { "\(name).\(column)\(suffix)" }
}

extension StoredClass.StoredColumn {
  var typeName: String {
    "\(ColumnKind(rawValue: kind).map { "\($0)" } ?? "?")\(isOptional ? "?" : "")"
  }
}

/// The table of schemas and its keys.
enum SchemaTable {
  static let name = ".schema"
  static let version = Array("version".utf8)
  static func classKey(_ name: String) -> [UInt8] { Array("class.\(name)".utf8) }
  static func nextRowKey(_ name: String) -> [UInt8] { Array("next.\(name)".utf8) }
  static let classPrefix = Array("class.".utf8)
}
