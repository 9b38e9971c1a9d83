// The condition of a query as a value: `where` builds it, a scan evaluates it for each row.

/// A predicate over the columns of one object.
indirect enum QueryCondition: Hashable, Sendable {
  case always
  case compare(Int, Comparison, ColumnValue)
  case contained(Int, Set<ColumnValue>)
  case text(Int, TextOperation, String, ignoresCase: Bool)
  case and(QueryCondition, QueryCondition)
  case or(QueryCondition, QueryCondition)
  case not(QueryCondition)

  enum Comparison: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  enum TextOperation: Hashable, Sendable {
    case contains, begins, ends
  }
}

extension QueryCondition {
  /// Returns whether the object whose columns `value` returns matches. Of the comparisons with null only equality matches.
  func matches(_ value: (Int) -> ColumnValue) -> Bool {
    switch self {
    case .always: true
    case .compare(let column, let comparison, let operand):
      comparison.matches(value(column), operand)
    case .contained(let column, let members): members.contains(value(column))
    case .text(let column, let operation, let part, let ignoresCase):
      if case .string(let text) = value(column) {
        operation.matches(
          ignoresCase ? text.lowercased() : text, ignoresCase ? part.lowercased() : part)
      } else {
        false
      }
    case .and(let a, let b): a.matches(value) && b.matches(value)
    case .or(let a, let b): a.matches(value) || b.matches(value)
    case .not(let condition): !condition.matches(value)
    }
  }

  /// The columns that must equal a value for the condition to match.
  var requiredValues: [(column: Int, value: ColumnValue)] {
    switch self {
    case .compare(let column, .equal, let value): [(column, value)]
    case .and(let a, let b): a.requiredValues + b.requiredValues
    default: []
    }
  }
}

extension QueryCondition.Comparison {
  func matches(_ a: ColumnValue, _ b: ColumnValue) -> Bool {
    switch self {
    case .equal: a == b
    case .notEqual: a != b
    case .less: Self.order(a, b) { a.precedes(b) }
    case .lessOrEqual: Self.order(a, b) { b.precedes(a).map(!) }
    case .greater: Self.order(a, b) { b.precedes(a) }
    case .greaterOrEqual: Self.order(a, b) { a.precedes(b).map(!) }
    }
  }

  private static func order(_ a: ColumnValue, _ b: ColumnValue, _ precedes: () -> Bool?) -> Bool {
    a != .null && b != .null && precedes() ?? false
  }
}

extension QueryCondition.TextOperation {
  func matches(_ text: String, _ part: String) -> Bool {
    switch self {
    case .contains: part.isEmpty || text.contains(part)
    case .begins: text.hasPrefix(part)
    case .ends: text.hasSuffix(part)
    }
  }
}
