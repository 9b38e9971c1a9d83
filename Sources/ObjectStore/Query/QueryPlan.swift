// How the rows of a query are found: by primary key, by an index, by backlinks, or by a scan of the table. The file has no
// statistics, so the choice depends on the condition alone, and a query is carried out as `explain` shows it.
import StorageEngine

/// What a query reads, and what it compares.
struct QueryPlan {
  enum Access {
    case scan
    case primaryKey(KeyRanges)
    case index(column: Int, KeyRanges)
    /// The rows that link to other rows by a column.
    case backlinks(column: Int, LinkTargets)
  }

  var access = Access.scan
  /// Conditions on the index's column, which are evaluated on its entries.
  var onIndex: [QueryCondition] = []
  /// Conditions on rows.
  var onRows: [QueryCondition] = []
  /// Whether the index has the order in which the query sorts first.
  var followsIndex = false
  /// The condition for which backlinks are read; nil if they are not.
  var onLinks: QueryCondition?
  /// How few rows are read: 0 for one, 3 for a range with one end, 4 for a scan.
  private(set) var rank = 4
}

/// The rows whose backlinks are read.
indirect enum LinkTargets {
  case keys([RowKey])
  /// Those of a class that a plan finds.
  case found(ClassInfo, QueryPlan)
}

extension QueryPlan {
  /// `sortKey` is what the query sorts by first. Classes that links lead to are those of the instance.
  init(
    _ condition: QueryCondition, sortedFirstBy sortKey: SortKey?, _ info: ClassInfo,
    _ instance: OpenRealm
  ) {
    let conjuncts = condition.conjuncts
    onRows = conjuncts
    let sortColumn = sortKey.flatMap { $0.column.links.isEmpty ? $0.column.column : nil }
    let choices = Self.choices(condition, info) + Self.linkChoices(conjuncts, info, instance)
    if let best = choices.min(by: { $0.order < $1.order }) {
      access = best.access
      rank = best.order / 2
      if let served = best.servedConjunct { onLinks = onRows.remove(at: served) }
    } else if conjuncts.isEmpty, let sortColumn, info.indexes[sortColumn] != nil {
      access = .index(column: sortColumn, KeyRanges([KeyRange(from: [], to: nil)]))
    }
    guard case .index(let column, _) = access else { return }
    onIndex = conjuncts.filter { $0.columns == [column] }
    onRows = conjuncts.filter { $0.columns != [column] }
    followsIndex = sortColumn == column
  }

  /// A way to find the rows. Of several the first in this order is taken: single keys before ranges with two ends, these
  /// before ranges with one, and the primary key, whose keys are the rows themselves, before an index and backlinks.
  private struct Choice {
    let access: Access
    let order: Int
    /// The condition for which backlinks are read, and which the rows need not be compared with.
    var servedConjunct: Int?
  }

  private static func choices(_ condition: QueryCondition, _ info: ClassInfo) -> [Choice] {
    var choices: [Choice] = []
    if let primary = info.primary, let ranges = condition.ranges(primary, .primaryKey) {
      let rank = rank(condition, primary, ranges, isUnique: true)
      choices.append(Choice(access: .primaryKey(ranges), order: 2 * rank))
    }
    for column in info.indexes.indices where info.indexes[column] != nil {
      guard let ranges = condition.ranges(column, .index) else { continue }
      let rank = rank(condition, column, ranges, isUnique: false)
      choices.append(Choice(access: .index(column: column, ranges), order: 2 * rank + 1))
    }
    return choices
  }

  private static func linkChoices(
    _ conjuncts: [QueryCondition], _ info: ClassInfo, _ instance: OpenRealm
  ) -> [Choice] {
    conjuncts.enumerated().compactMap { index, conjunct in
      guard let (column, targets, rank) = conjunct.linkTargets(info, instance) else { return nil }
      return Choice(
        access: .backlinks(column: column, targets), order: 2 * rank + 1, servedConjunct: index)
    }
  }

  private static func rank(
    _ condition: QueryCondition, _ column: Int, _ ranges: KeyRanges, isUnique: Bool
  ) -> Int {
    if condition.conjuncts.contains(where: { $0.isSingleKeys(column) }) { return isUnique ? 0 : 1 }
    return ranges.ranges.allSatisfy { $0.upper != nil && $0.lower.count > 1 } ? 2 : 3
  }

  /// Whether rows must be read, for the conditions or for `wanted`.
  func readsRows(for wanted: [ColumnPath]) -> Bool {
    switch access {
    case .scan, .primaryKey: true
    case .index(let column, _):
      !onRows.isEmpty || wanted.contains { !$0.links.isEmpty || $0.column != column }
    case .backlinks: !onRows.isEmpty || !wanted.isEmpty
    }
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
  func text(_ ordering: [OrderStep], _ info: ClassInfo) -> String {
    let names = QueryNames(info.schema.columnNames)
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
    case .backlinks(let column, let targets):
      let name = "backlinks of \(info.schema.name).\(names[column])"
      switch targets {
      case .keys: parts.append("\(name): \(onLinks?.text(names) ?? "")")
      case .found(let target, let plan): parts.append("\(name) from (\(plan.text([], target)))")
      }
    }
    if !filters.isEmpty { parts.append("filter: \(Self.text(filters, names))") }
    for (position, step) in ordering.enumerated() {
      parts.append(step.text(isIndexOrder: position == 0 && followsIndex))
    }
    return parts.joined(separator: "; ")
  }

  /// Ranges that no condition on the column alone determines come from conditions on several columns.
  private static func limits(_ conditions: [QueryCondition], _ names: QueryNames) -> String {
    conditions.isEmpty ? ": ranges that the filter allows" : ": \(text(conditions, names))"
  }

  private static func text(_ conditions: [QueryCondition], _ names: QueryNames) -> String {
    conditions.count == 1
      ? conditions[0].text(names)
      : conditions.map { $0.operandText(names) }.joined(separator: " && ")
  }
}
