// What results search for.

/// A condition and a sort order.
struct ObjectQuery {
  var condition = QueryCondition.always
  var sortOrder: [SortKey] = []
}

/// One column of a sort order.
struct SortKey {
  var column: Int
  var ascending: Bool
}
