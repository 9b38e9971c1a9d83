// The condition of a query as a value: `where` builds it, the planner derives ranges of keys from it, and rows are compared
// with it.

/// A predicate over the columns of one object. Columns are indices into the class that is queried.
indirect enum QueryCondition: Sendable {
  case always
  case compare(Int, Comparison, ColumnValue)
  case contained(Int, Set<ColumnValue>)
  case text(Int, TextMatch)
  case and(QueryCondition, QueryCondition)
  case or(QueryCondition, QueryCondition)
  case not(QueryCondition)

  enum Comparison: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }
}

/// What a condition is evaluated on.
protocol QueryRow {
  /// Returns the value of a column of the row's class.
  func value(_ column: Int) -> ColumnValue
}

extension QueryCondition {
  /// Returns whether the row matches. Of the comparisons with null only those for equality match.
  func matches(_ row: some QueryRow) -> Bool {
    switch self {
    case .always: return true
    case .compare(let column, let comparison, let operand):
      return comparison.matches(row.value(column), operand)
    case .contained(let column, let members): return members.contains(row.value(column))
    case .text(let column, let match):
      guard case .string(let text) = row.value(column) else { return false }
      return match.matches(text)
    case .and(let a, let b): return a.matches(row) && b.matches(row)
    case .or(let a, let b): return a.matches(row) || b.matches(row)
    case .not(let condition): return !condition.matches(row)
    }
  }

  var isAlways: Bool { if case .always = self { true } else { false } }

  /// The columns that the condition reads.
  var columns: Set<Int> {
    switch self {
    case .always: []
    case .compare(let column, _, _), .contained(let column, _), .text(let column, _): [column]
    case .and(let a, let b), .or(let a, let b): a.columns.union(b.columns)
    case .not(let condition): condition.columns
    }
  }

  /// The conditions that must all hold for this one to hold.
  var conjuncts: [QueryCondition] {
    switch self {
    case .always: []
    case .and(let a, let b): a.conjuncts + b.conjuncts
    default: [self]
    }
  }
}

extension QueryCondition.Comparison {
  func matches(_ a: ColumnValue, _ b: ColumnValue) -> Bool {
    switch self {
    case .equal: a == b
    case .notEqual: a != b
    case .less: a.order(b).map { $0 < 0 } ?? false
    case .lessOrEqual: a.order(b).map { $0 <= 0 } ?? false
    case .greater: a.order(b).map { $0 > 0 } ?? false
    case .greaterOrEqual: a.order(b).map { $0 >= 0 } ?? false
    }
  }
}

// MARK: As text

extension QueryCondition {
  /// Returns the condition with the names of columns, as `explain` shows it.
  func text(_ names: [String]) -> String {
    switch self {
    case .always: "true"
    case .compare(let column, let comparison, let value):
      "\(names[column]) \(comparison.symbol) \(value.text)"
    case .contained(let column, let members): "\(names[column]) in \(members.count) values"
    case .text(let column, let match):
      "\(names[column]) \(match.operation.symbol)\(match.ignoresCase ? " (any case)" : "") "
        + match.operand.debugDescription
    case .and(let a, let b): "\(a.operandText(names)) && \(b.operandText(names))"
    case .or(let a, let b): "\(a.operandText(names)) || \(b.operandText(names))"
    case .not(let condition): "!(\(condition.text(names)))"
    }
  }

  /// The same as an operand of `&&` or `||`.
  func operandText(_ names: [String]) -> String {
    switch self {
    case .and, .or: "(\(text(names)))"
    default: text(names)
    }
  }
}

extension QueryCondition.Comparison {
  fileprivate var symbol: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension TextMatch.Operation {
  fileprivate var symbol: String {
    switch self {
    case .equals: "=="
    case .contains: "contains"
    case .begins: "starts with"
    case .ends: "ends with"
    case .like: "like"
    }
  }
}

extension ColumnValue {
  fileprivate var text: String {
    if case .string(let value) = self { return value.debugDescription }
    return anyValue.map { "\($0)" } ?? "nil"
  }
}
