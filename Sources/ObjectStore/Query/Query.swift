// `where { $0.name == "…" }`: the closure's argument looks like an object and builds a condition.
import Foundation

/// A property of `T`, or a condition. Properties are found by their Swift names, so that the compiler checks them and their
/// types.
@dynamicMemberLookup
public struct Query<T> {
  enum Content {
    /// The object itself.
    case object(ObjectClass)
    case column(Column)
    case condition(QueryCondition)
  }

  let content: Content

  init(_ content: Content) { self.content = content }

  var column: Column {
    guard case .column(let column) = content else {
      preconditionFailure("Only a persisted property can be compared.")
    }
    return column
  }

  /// A Boolean property is a condition itself.
  var condition: QueryCondition {
    switch content {
    case .condition(let condition): return condition
    case .column(let column): return .compare(column.index, .equal, .bool(true))
    case .object: preconditionFailure("A query is a condition on a property.")
    }
  }
}

extension Query where T: Object {
  public subscript<Value: PersistedValue>(dynamicMember path: KeyPath<T, Value>) -> Query<Value> {
    guard case .object(let objectClass) = content else {
      preconditionFailure("A query cannot use a property of a property.")
    }
    guard let column = objectClass.column(of: path) else {
      preconditionFailure(
        "A query can use persisted properties only; this one of \(objectClass.schema.name) is not.")
    }
    return Query<Value>(.column(column))
  }
}

extension Query where T: PersistedValue {
  private static func compare(
    _ query: Query<T>, _ comparison: QueryCondition.Comparison, _ value: T
  ) -> Query<Bool> {
    Query<Bool>(.condition(.compare(query.column.index, comparison, value.columnValue)))
  }

  public static func == (query: Query<T>, value: T) -> Query<Bool> { compare(query, .equal, value) }
  public static func != (query: Query<T>, value: T) -> Query<Bool> {
    compare(query, .notEqual, value)
  }
  public static func < (query: Query<T>, value: T) -> Query<Bool> { compare(query, .less, value) }
  public static func <= (query: Query<T>, value: T) -> Query<Bool> {
    compare(query, .lessOrEqual, value)
  }
  public static func > (query: Query<T>, value: T) -> Query<Bool> {
    compare(query, .greater, value)
  }
  public static func >= (query: Query<T>, value: T) -> Query<Bool> {
    compare(query, .greaterOrEqual, value)
  }

  /// Returns the condition that the property has one of these values.
  public func `in`(_ values: some Sequence<T>) -> Query<Bool> {
    Query<Bool>(.condition(.contained(column.index, Set(values.map(\.columnValue)))))
  }
}

extension Query<Bool> {
  public static func && (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query<Bool>(.condition(.and(a.condition, b.condition)))
  }

  public static func || (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query<Bool>(.condition(.or(a.condition, b.condition)))
  }

  public static prefix func ! (query: Query<Bool>) -> Query<Bool> {
    Query<Bool>(.condition(.not(query.condition)))
  }
}
