// How the rows of a query are found: by primary key, by an index, or by a scan of the table. The file has no statistics, so
// the choice depends on the condition alone, and a query is carried out as `explain` shows it.
import StorageEngine

/// What a query reads, and what it compares.
struct QueryPlan {
  enum Access: Equatable {
    case scan
    case primaryKey(KeyRanges)
    case index(column: Int, KeyRanges)
  }

  var access = Access.scan
  /// Conditions on the index's column, which are evaluated on its entries.
  var onIndex: [QueryCondition] = []
  /// Conditions on rows.
  var onRows: [QueryCondition] = []
  /// Whether the index has the order in which the query sorts first.
  var followsIndex = false
}

extension QueryPlan {
  init(_ condition: QueryCondition, sortedFirstBy sortKey: SortKey?, _ info: ClassInfo) {
    let conjuncts = condition.conjuncts
    onRows = conjuncts
    let choices = Self.choices(condition, info)
    if let best = choices.min(by: { $0.rank < $1.rank }) {
      access = best.access
    } else if conjuncts.isEmpty, let sortKey, info.indexes[sortKey.column] != nil {
      access = .index(column: sortKey.column, KeyRanges([KeyRange(from: [], to: nil)]))
    }
    guard case .index(let column, _) = access else { return }
    onIndex = conjuncts.filter { $0.columns == [column] }
    onRows = conjuncts.filter { $0.columns != [column] }
    followsIndex = sortKey?.column == column
  }

  /// A way to find the rows. Of several the one with the lowest rank is taken: single keys before ranges with two ends, these
  /// before ranges with one, and the primary key, whose keys are the rows themselves, before an index.
  private struct Choice {
    let access: Access
    let rank: Int
  }

  private static func choices(_ condition: QueryCondition, _ info: ClassInfo) -> [Choice] {
    var choices: [Choice] = []
    if let primary = info.primary, let ranges = condition.ranges(primary, .primaryKey) {
      let rank = rank(condition, primary, ranges, isUnique: true)
      choices.append(Choice(access: .primaryKey(ranges), rank: 2 * rank))
    }
    for column in info.indexes.indices where info.indexes[column] != nil {
      guard let ranges = condition.ranges(column, .index) else { continue }
      let rank = rank(condition, column, ranges, isUnique: false)
      choices.append(Choice(access: .index(column: column, ranges), rank: 2 * rank + 1))
    }
    return choices
  }

  private static func rank(
    _ condition: QueryCondition, _ column: Int, _ ranges: KeyRanges, isUnique: Bool
  ) -> Int {
    if condition.conjuncts.contains(where: { $0.isSingleKeys(column) }) { return isUnique ? 0 : 1 }
    return ranges.ranges.allSatisfy { $0.upper != nil && $0.lower.count > 1 } ? 2 : 3
  }

  /// The columns that must be read from rows, for the conditions and for `wanted`.
  func readsRows(for wanted: [Int]) -> Bool {
    guard case .index(let column, _) = access else { return true }
    return !onRows.isEmpty || wanted.contains { $0 != column }
  }
}

extension QueryCondition {
  /// Whether the column must equal one of given values.
  fileprivate func isSingleKeys(_ column: Int) -> Bool {
    switch self {
    case .compare(column, .equal, _), .contained(column, _): true
    case .text(column, let match): match.operation == .equals && !match.ignoresCase
    case .or(let a, let b): a.isSingleKeys(column) && b.isSingleKeys(column)
    default: false
    }
  }
}

// MARK: As text

extension QueryPlan {
  /// Returns the plan in one line: what is read, by which conditions it is limited, what is filtered after that, and how the
  /// result is ordered.
  func text(_ condition: QueryCondition, _ ordering: [OrderStep], _ info: ClassInfo) -> String {
    let names = info.schema.columnNames
    var parts: [String] = []
    var filters = onRows
    switch access {
    case .scan: parts.append("scan of \(info.schema.name)")
    case .primaryKey:
      let column = info.primary ?? 0
      let limits = onRows.filter { $0.columns == [column] && $0.ranges(column, .primaryKey) != nil }
      filters = onRows.filter { $0.columns != [column] || $0.ranges(column, .primaryKey) == nil }
      parts.append("primary key \(info.schema.name).\(names[column])\(Self.limits(limits, names))")
    case .index(let column, let ranges):
      let limits = onIndex.filter { $0.ranges(column, .index) != nil }
      let checks = onIndex.filter { $0.ranges(column, .index) == nil }
      let isWhole = ranges == KeyRanges([KeyRange(from: [], to: nil)])
      parts.append(
        "index \(info.schema.name).\(names[column])"
          + (isWhole ? "" : Self.limits(limits, names)))
      if !checks.isEmpty { parts.append("filter on the index: \(Self.text(checks, names))") }
    }
    if !filters.isEmpty { parts.append("filter: \(Self.text(filters, names))") }
    for (position, step) in ordering.enumerated() {
      parts.append(step.text(names, isIndexOrder: position == 0 && followsIndex))
    }
    return parts.joined(separator: "; ")
  }

  /// Ranges that no condition on the column alone determines come from conditions on several columns.
  private static func limits(_ conditions: [QueryCondition], _ names: [String]) -> String {
    conditions.isEmpty ? ": ranges that the filter allows" : ": \(text(conditions, names))"
  }

  private static func text(_ conditions: [QueryCondition], _ names: [String]) -> String {
    conditions.count == 1
      ? conditions[0].text(names)
      : conditions.map { $0.operandText(names) }.joined(separator: " && ")
  }
}
