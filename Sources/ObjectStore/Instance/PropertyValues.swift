// What a program gives for a new object, as values by column.
import Foundation

/// A dictionary literal of values by property, as `create` takes it: never made into a dictionary, since each value is
/// looked at once.
public struct PropertyValues: ExpressibleByDictionaryLiteral {
  @usableFromInline let given: [(String, any PersistedValue)]

  @inlinable
  public init(dictionaryLiteral given: (String, any PersistedValue)...) { self.given = given }
}

/// The ways from there into the place of each column; nil stays where nothing is given. Error `invalidValue`: a property
/// that there is not, one that is given twice, or a value that it cannot have.
enum InitialValues {
  @inline(__always)
  static func take(
    _ values: PropertyValues, _ places: inout [ColumnValue?], _ schema: ObjectSchema
  ) throws(Realm.Error) {
    var next = 0
    for (name, value) in values.given {
      // Mostly they are given in the order of the properties.
      if next == schema.names.count || schema.names[next] != name {
        next = try index(name, schema)
      }
      if places[next] != nil {
        throw Realm.Error(.invalidValue, "'\(name)' of \(schema.name) is given twice.")
      }
      let column = value.columnValue
      if column.kind == schema.columns[next].kind {
        places[next] = column
      } else if column.isNull, schema.columns[next].isOptional {
        places[next] = column
      } else {
        try set(schema.columns[next], value, &places, schema)
      }
      next += 1
    }
  }

  private static func index(_ name: String, _ schema: ObjectSchema) throws(Realm.Error) -> Int {
    guard let column = schema.column(name) else {
      throw Realm.Error(.invalidValue, "\(schema.name) has no persisted property '\(name)'.")
    }
    return column.index
  }

  static func take(
    _ value: Any, _ places: inout [ColumnValue?], _ schema: ObjectSchema
  ) throws(Realm.Error) {
    switch value {
    case let named as [String: Any]:
      for (name, value) in named {
        try set(schema.columns[index(name, schema)], value, &places, schema)
      }
    case let object as Object:
      let other = ObjectSchema.of(type(of: object))
      for column in schema.columns {
        guard let own = other.column(column.name) else { continue }
        try set(column, object.value(of: own).anyValue, &places, schema)
      }
    case let ordered as [Any]:
      guard ordered.count <= schema.columns.count else {
        throw Realm.Error(
          .invalidValue,
          "\(schema.name) has \(schema.columns.count) properties; \(ordered.count) values were given."
        )
      }
      for (column, value) in zip(schema.columns, ordered) {
        try set(column, value, &places, schema)
      }
    default:
      throw Realm.Error(
        .invalidValue,
        "An object of \(schema.name) is made from a dictionary, an array or an object, not from a "
          + "\(type(of: value)).")
    }
  }

  private static func set(
    _ column: Column, _ value: Any?, _ places: inout [ColumnValue?], _ schema: ObjectSchema
  ) throws(Realm.Error) {
    if let found = ColumnValue(value, column.kind), found != .null {
      places[column.index] = found
      return
    }
    var given = value
    // An optional within an Any.
    if let value, Mirror(reflecting: value).displayStyle == .optional {
      given = Mirror(reflecting: value).children.first?.value
    }
    guard let found = ColumnValue(given, column.kind), found != .null || column.isOptional else {
      throw Realm.Error(
        .invalidValue,
        "Invalid value '\(given.map { "\($0)" } ?? "nil")' for property '\(schema.name).\(column.name)': "
          + "it has the type \(column.kind)\(column.isOptional ? "?" : "").")
    }
    places[column.index] = found
  }
}
