// What the rows of a table have besides their bytes, and what a migration changes: words that scenarios and engines share.

/// What each row of a table has besides its bytes, as the objects of an app's model have it.
package enum RowShape: Hashable, Sendable, Codable {
  /// Links to so many rows of the same table at most.
  case links(Int)
  /// A list of integers, which begins empty.
  case list
  /// Embedded objects: so many children, each with so many leaves.
  case tree(Int)
  /// So many indexed integer columns.
  case indexes(Int)

  /// The embedded objects of a tree whose objects have so many children.
  package static func treeNodes(_ width: Int) -> Int { width + width * width }
}

/// What a migration changes in all rows, in one transaction.
package enum RowMigration: String, Sendable, Codable, Hashable, CaseIterable {
  /// Each row's value moves to a new property, converted: every bit is inverted.
  case values
  /// The value's property gets another name. Rows of key and value have no names, so that nothing is written there.
  case name
}
