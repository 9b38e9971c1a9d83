// What results search for, and in which order they are.

/// A condition, and what is done with the objects that match, one step after the other.
struct ObjectQuery: Sendable {
  var condition = QueryCondition.always
  var ordering: [OrderStep] = []

  /// Sorts by one more column, after those that the last step sorts by.
  mutating func sort(by keys: [SortKey]) {
    if case .sort(let known)? = ordering.last {
      ordering[ordering.count - 1] = .sort(known + keys)
    } else {
      ordering.append(.sort(keys))
    }
  }

  /// The column of the first step, if that sorts.
  var firstSortKey: SortKey? {
    if case .sort(let keys)? = ordering.first { keys.first } else { nil }
  }

  /// The columns that the steps read, each once.
  var orderingColumns: [ColumnPath] {
    var columns: [ColumnPath] = []
    for column in ordering.flatMap(\.columns)
    where !columns.contains(where: { $0.isSame(as: column) }) {
      columns.append(column)
    }
    return columns
  }

  /// Whether objects match, or are ordered, by more than their own rows.
  var readsLinks: Bool {
    condition.readsLinks || orderingColumns.contains { !$0.links.isEmpty }
  }
}

/// One column of a sort order.
struct SortKey: Sendable {
  var column: ColumnPath
  var ascending: Bool
}

/// A step from the objects that match to the collection.
enum OrderStep: Sendable {
  /// Sorts; equal objects stay in the order that they have.
  case sort([SortKey])
  /// Retains the first object of those that have equal values in these columns.
  case distinct([ColumnPath])

  var columns: [ColumnPath] {
    switch self {
    case .sort(let keys): keys.map(\.column)
    case .distinct(let columns): columns
    }
  }

  /// Whether objects that match may be left out.
  var removesObjects: Bool { if case .distinct = self { true } else { false } }

  func text(isIndexOrder: Bool) -> String {
    switch self {
    case .sort(let keys):
      let list = keys.map { "\($0.column.name)\($0.ascending ? "" : " descending")" }
      return "sort by \(list.joined(separator: ", "))\(isIndexOrder ? " in index order" : "")"
    case .distinct(let columns):
      return "distinct by \(columns.map(\.name).joined(separator: ", "))"
    }
  }
}

/// A row on its way to its position: its key, and its values in the columns that the order needs.
struct OrderedRow {
  var key: RowKey
  var values: [ColumnValue]
}

extension ObjectQuery {
  /// Carries out the steps; `rows` have values by `orderingColumns`.
  func ordered(_ rows: [OrderedRow]) -> [OrderedRow] {
    let columns = orderingColumns
    var rows = rows
    for step in ordering {
      switch step {
      case .sort(let keys):
        let positions = keys.map { (columns.position(of: $0.column), $0.ascending) }
        rows = Self.sorted(rows, by: positions)
      case .distinct(let distinct):
        let positions = distinct.map { columns.position(of: $0) }
        var seen: Set<[[UInt8]]> = []
        rows.removeAll { row in
          !seen.insert(positions.map { Self.identity(row.values[$0]) }).inserted
        }
      }
    }
    return rows
  }

  /// Values are equal if their bytes are: null equals null, and a number that is not one itself.
  private static func identity(_ value: ColumnValue) -> [UInt8] {
    value.isNull ? [] : [1] + value.orderedBytes
  }

  private static func sorted(
    _ rows: [OrderedRow], by keys: [(position: Int, ascending: Bool)]
  ) -> [OrderedRow] {
    // The standard library's sort is stable, and linear where the rows come in order.
    rows.sorted { isOrdered($0, before: $1, by: keys) ?? false }
  }

  /// nil for rows with equal values.
  private static func isOrdered(
    _ a: OrderedRow, before b: OrderedRow, by keys: [(position: Int, ascending: Bool)]
  ) -> Bool? {
    for (position, ascending) in keys {
      let (left, right) = (a.values[position], b.values[position])
      if left.sortsBefore(right) { return ascending }
      if right.sortsBefore(left) { return !ascending }
    }
    return nil
  }

  /// Returns whether one row is before another in a collection without `distinct`.
  func isOrdered(_ a: OrderedRow, before b: OrderedRow) -> Bool {
    guard case .sort(let keys)? = ordering.first else { return a.key < b.key }
    let columns = orderingColumns
    let positions = keys.map { (columns.position(of: $0.column), $0.ascending) }
    return Self.isOrdered(a, before: b, by: positions) ?? (a.key < b.key)
  }
}

extension [ColumnPath] {
  fileprivate func position(of column: ColumnPath) -> Int {
    firstIndex { $0.isSame(as: column) } ?? 0
  }
}
