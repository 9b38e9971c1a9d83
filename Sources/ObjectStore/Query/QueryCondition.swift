// The condition of a query as a value: `where` builds it, the planner derives ranges of keys from it, and rows are compared
// with it.

/// A predicate over the columns of one object. Columns are indices into the class that is queried.
indirect enum QueryCondition: Sendable {
  case always
  case compare(Int, Comparison, ColumnValue)
  case contained(Int, Set<ColumnValue>)
  case text(Int, TextMatch)
  /// An object, or a value, that the step leads to matches. A link to nothing leads to an object whose properties are nil;
  /// values have the column 0.
  case linked(LinkStep, QueryCondition)
  /// A number matches, as column 0.
  case computed(Computation, QueryCondition)
  case and(QueryCondition, QueryCondition)
  case or(QueryCondition, QueryCondition)
  case not(QueryCondition)

  enum Comparison: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  /// The condition that no object matches.
  static let never = QueryCondition.not(.always)
}

/// What a condition is evaluated on.
protocol QueryRow {
  /// Returns the value of a column of the row's class.
  func value(_ column: Int) -> ColumnValue
  /// Calls `body` with what a step leads to, until it returns false.
  func follow(_ step: LinkStep, _ body: (LinkedRow) -> Bool)
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
    case .linked(let step, let condition):
      var isFound = false
      row.follow(step) { linked in
        isFound = condition.matches(linked)
        return !isFound
      }
      return isFound
    case .computed(let computation, let condition):
      return condition.matches(LinkedRow.value(computation.value(of: row)))
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
    case .linked(let step, _): [step.ownColumn]
    case .computed(let computation, _): [computation.step.ownColumn]
    case .and(let a, let b), .or(let a, let b): a.columns.union(b.columns)
    case .not(let condition): condition.columns
    }
  }

  /// Whether the condition reads more than the row.
  var readsLinks: Bool {
    switch self {
    case .always, .compare, .contained, .text: false
    case .linked, .computed: true
    case .and(let a, let b), .or(let a, let b): a.readsLinks || b.readsLinks
    case .not(let condition): condition.readsLinks
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
