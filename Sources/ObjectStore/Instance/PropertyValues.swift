// The initial values of a new object: from a dictionary literal, a dictionary, an array or another object, by column.
import Foundation

/// A dictionary literal of values by property, as `create` takes it: stored as an array, since each value is read once.
public struct PropertyValues: ExpressibleByDictionaryLiteral {
  @usableFromInline let pairs: [(String, any PersistedValue)]

  @inlinable
  public init(dictionaryLiteral pairs: (String, any PersistedValue)...) { self.pairs = pairs }
}

/// Writes initial values into an array by column, which is nil for columns without one. Error `invalidValue`: the class has
/// no such property, a property has two values, or a value has the wrong type.
enum InitialValues {
  @inline(__always)
  static func read(
    _ values: PropertyValues, into slots: inout [ColumnValue?], of schema: ObjectSchema
  ) throws(RealmError) {
    var next = 0
    for (name, value) in values.pairs {
      // Mostly they are in the order of the properties.
      if next == schema.columnNames.count || schema.columnNames[next] != name {
        next = try index(name, of: schema)
      }
      if slots[next] != nil {
        throw RealmError(.invalidValue, "'\(name)' of \(schema.name) is given twice.")
      }
      let column = value.columnValue
      if column.kind == schema.columns[next].kind {
        slots[next] = column
      } else if column.isNull, schema.columns[next].isOptional {
        slots[next] = column
      } else {
        try set(schema.columns[next], value, into: &slots, of: schema)
      }
      next += 1
    }
  }

  private static func index(_ name: String, of schema: ObjectSchema) throws(RealmError) -> Int {
    guard let column = schema.column(name) else {
      throw RealmError(.invalidValue, "\(schema.name) has no persisted property '\(name)'.")
    }
    return column.index
  }

  static func read(
    _ value: Any, into slots: inout [ColumnValue?], of schema: ObjectSchema
  ) throws(RealmError) {
    switch value {
    case let named as [String: Any]:
      for (name, value) in named {
        try set(schema.columns[index(name, of: schema)], value, into: &slots, of: schema)
      }
    case let object as ObjectBase:
      let other = ObjectClass.of(type(of: object)).schema
      for column in schema.columns {
        guard let own = other.column(column.name) else { continue }
        try set(column, object.value(of: own).anyValue, into: &slots, of: schema)
      }
    case let ordered as [Any]:
      guard ordered.count <= schema.columns.count else {
        throw RealmError(
          .invalidValue,
          "\(schema.name) has \(schema.columns.count) properties; \(ordered.count) values were given."
        )
      }
      for (column, value) in zip(schema.columns, ordered) {
        try set(column, value, into: &slots, of: schema)
      }
    default:
      throw RealmError(
        .invalidValue,
        "An object of \(schema.name) is made from a dictionary, an array or an object, not from a "
          + "\(type(of: value)).")
    }
  }

  private static func set(
    _ column: Column, _ value: Any?, into slots: inout [ColumnValue?], of schema: ObjectSchema
  ) throws(RealmError) {
    if let found = ColumnValue(value, column.kind), found != .null {
      slots[column.index] = found
      return
    }
    var given = value
    // An optional in an `Any`.
    if let value, Mirror(reflecting: value).displayStyle == .optional {
      given = Mirror(reflecting: value).children.first?.value
    }
    guard let found = ColumnValue(given, column.kind), found != .null || column.isOptional else {
      throw RealmError(
        .invalidValue,
        "Invalid value '\(given.map { "\($0)" } ?? "nil")' for property '\(schema.name).\(column.name)': "
          + "it has the type \(column.kind)\(column.isOptional ? "?" : "").")
    }
    slots[column.index] = found
  }
}
