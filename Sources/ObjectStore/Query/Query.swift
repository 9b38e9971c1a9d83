// `where { $0.name == "…" }`: what looks like an object in the closure writes down what is asked of it.
import Foundation

/// A property of `T`, or what is said of one. Properties are found by their Swift names, so that the compiler checks
/// them and their types.
@dynamicMemberLookup
public struct Query<T> {
  enum Content {
    /// The object itself.
    case object(ObjectSchema)
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

  /// A property that is a truth value may stand for itself.
  var condition: QueryCondition {
    switch content {
    case .condition(let condition): return condition
    case .column(let column): return .compare(column.index, .equal, .bool(true))
    case .object: preconditionFailure("A query says something of a property.")
    }
  }
}

extension Query where T: Object {
  public subscript<Value: PersistedValue>(dynamicMember path: KeyPath<T, Value>) -> Query<Value> {
    guard case .object(let schema) = content else {
      preconditionFailure("A property of a property cannot be asked for.")
    }
    guard let column = schema.column(of: path) else {
      preconditionFailure("A query is about persisted properties; \(schema.name) has others too.")
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

  /// Whether the property has one of these values.
  public func `in`(_ values: some Sequence<T>) -> Query<Bool> {
    Query<Bool>(.condition(.oneOf(column.index, Set(values.map(\.columnValue)))))
  }
}

/// Strings, optional ones too.
public protocol PersistedText: PersistedValue {}
extension String: PersistedText {}
extension Optional: PersistedText where Wrapped == String {}

extension Query where T: PersistedText {
  public struct Options: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var caseInsensitive: Options { Options(rawValue: 1) }
  }

  public func contains(_ part: String, options: Options = []) -> Query<Bool> {
    text(.contains, part, options)
  }

  public func starts(with part: String, options: Options = []) -> Query<Bool> {
    text(.begins, part, options)
  }

  public func ends(with part: String, options: Options = []) -> Query<Bool> {
    text(.ends, part, options)
  }

  private func text(
    _ match: QueryCondition.TextMatch, _ part: String, _ options: Options
  ) -> Query<Bool> {
    let ignoresCase = options.contains(.caseInsensitive)
    return Query<Bool>(.condition(.text(column.index, match, part, ignoresCase: ignoresCase)))
  }
}

extension Query<Bool> {
  public static func && (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query<Bool>(.condition(.both(a.condition, b.condition)))
  }

  public static func || (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query<Bool>(.condition(.either(a.condition, b.condition)))
  }

  public static prefix func ! (query: Query<Bool>) -> Query<Bool> {
    Query<Bool>(.condition(.not(query.condition)))
  }
}
