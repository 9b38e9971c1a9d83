// A condition as text, as `explain` shows it.

/// The names of columns at the end of steps.
struct QueryNames {
  private let columns: [String]
  private var prefix = ""
  private var isAny = false

  init(_ columns: [String]) { self.columns = columns }

  private init(_ columns: [String], _ prefix: String, isAny: Bool) {
    self.columns = columns
    self.prefix = prefix
    self.isAny = isAny
  }

  subscript(column: Int) -> String { "\(isAny ? "any " : "")\(prefix)\(columns[column])" }

  /// Returns the names behind a step; those of values are the step's own. Without `isAny` each element is meant.
  func following(_ step: LinkStep, isAny: Bool = true) -> QueryNames {
    let isAny = self.isAny || (isAny && step.isToMany)
    guard let target = step.target else { return QueryNames([step.name], prefix, isAny: isAny) }
    return QueryNames(target.schema.columnNames, "\(prefix)\(step.name).", isAny: isAny)
  }

  /// The names of the one value `text`.
  static func of(_ text: String) -> QueryNames { QueryNames([text]) }
}

extension QueryCondition {
  /// Returns the condition with the names of columns, as `explain` shows it.
  func text(_ names: QueryNames) -> String {
    switch self {
    case .always: "true"
    case .compare(let column, let comparison, let value):
      "\(names[column]) \(comparison.symbol) \(value.text)"
    case .contained(let column, let members): "\(names[column]) in \(members.count) values"
    case .text(let column, let match):
      "\(names[column]) \(match.operation.symbol)\(match.ignoresCase ? " (any case)" : "") "
        + match.operand.debugDescription
    case .linked(let step, let condition): condition.text(names.following(step))
    case .computed(let computation, let condition):
      condition.text(.of(computation.text(names)))
    case .and(let a, let b): "\(a.operandText(names)) && \(b.operandText(names))"
    case .or(let a, let b): "\(a.operandText(names)) || \(b.operandText(names))"
    case .not(let condition): "!(\(condition.text(names)))"
    }
  }

  /// The same as an operand of `&&` or `||`.
  func operandText(_ names: QueryNames) -> String {
    switch self {
    case .and, .or: "(\(text(names)))"
    case .linked(_, let condition):
      switch condition {
      case .and, .or: "(\(text(names)))"
      default: text(names)
      }
    default: text(names)
    }
  }
}

extension Computation {
  fileprivate func text(_ names: QueryNames) -> String {
    let element = names.following(step, isAny: false)
    if case .count(let condition) = function {
      let collection = names.following(step.toValues, isAny: false)[0]
      return condition.isAlways ? "\(collection).count" : "(\(condition.text(element))).count"
    }
    let value = links.reduce(element) { $0.following($1, isAny: false) }[column]
    return "\(value).\(function.name)"
  }
}

extension Computation.Function {
  fileprivate var name: String {
    switch self {
    case .count: "count"
    case .min: "min"
    case .max: "max"
    case .sum: "sum"
    case .average: "avg"
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
    switch self {
    case .string(let value): value.debugDescription
    case .link(.int(let number)): "object \(number)"
    case .link: "object"
    default: anyValue.map { "\($0)" } ?? "nil"
    }
  }
}
