// A query's condition as a value: what `where` builds, what a scan asks of each row.

/// A truth about one object.
indirect enum QueryCondition: Hashable, Sendable {
  case always
  case compare(Int, Comparison, ColumnValue)
  case oneOf(Int, Set<ColumnValue>)
  case text(Int, TextMatch, String, ignoresCase: Bool)
  case both(QueryCondition, QueryCondition)
  case either(QueryCondition, QueryCondition)
  case not(QueryCondition)

  enum Comparison: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  enum TextMatch: Hashable, Sendable {
    case contains, begins, ends
  }
}

extension QueryCondition {
  /// Whether it holds of the object whose columns `value` gives. A comparison with null is true for equality alone.
  func holds(_ value: (Int) -> ColumnValue) -> Bool {
    switch self {
    case .always: true
    case .compare(let column, let comparison, let operand):
      comparison.holds(value(column), operand)
    case .oneOf(let column, let members): members.contains(value(column))
    case .text(let column, let match, let part, let ignoresCase):
      if case .string(let text) = value(column) {
        match.holds(ignoresCase ? text.lowercased() : text, ignoresCase ? part.lowercased() : part)
      } else {
        false
      }
    case .both(let a, let b): a.holds(value) && b.holds(value)
    case .either(let a, let b): a.holds(value) || b.holds(value)
    case .not(let condition): !condition.holds(value)
    }
  }

  /// Columns that must have a value for the condition to hold.
  var requiredValues: [(column: Int, value: ColumnValue)] {
    switch self {
    case .compare(let column, .equal, let value): [(column, value)]
    case .both(let a, let b): a.requiredValues + b.requiredValues
    default: []
    }
  }
}

extension QueryCondition.Comparison {
  func holds(_ a: ColumnValue, _ b: ColumnValue) -> Bool {
    switch self {
    case .equal: a == b
    case .notEqual: a != b
    case .less: Self.order(a, b) { a.precedes(b) }
    case .lessOrEqual: Self.order(a, b) { b.precedes(a).map(!) }
    case .greater: Self.order(a, b) { b.precedes(a) }
    case .greaterOrEqual: Self.order(a, b) { a.precedes(b).map(!) }
    }
  }

  private static func order(_ a: ColumnValue, _ b: ColumnValue, _ answer: () -> Bool?) -> Bool {
    a != .null && b != .null && answer() ?? false
  }
}

extension QueryCondition.TextMatch {
  func holds(_ text: String, _ part: String) -> Bool {
    switch self {
    case .contains: part.isEmpty || text.contains(part)
    case .begins: text.hasPrefix(part)
    case .ends: text.hasSuffix(part)
    }
  }
}
