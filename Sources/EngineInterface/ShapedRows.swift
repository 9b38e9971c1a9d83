// Rows that have more than bytes, for engines whose own objects have links, lists, embedded objects or indexes. On the other
// engines the runner writes rows of key and value in their place.

/// What a row has besides its bytes.
package enum RowParts: Hashable, Sendable {
  /// Keys of rows of the same table, none twice.
  case links([Int64])
  case list([Int64])
  /// The bytes of the embedded objects: each child, followed by its leaves.
  case tree([[UInt8]])
  case columns([Int64])
}

/// A write transaction whose rows have the shapes that the session was opened with.
package protocol ShapedTransaction: EngineTransaction {
  /// Inserts the row or replaces it with all that it has. Links lead to rows that exist; a list is not replaced, so that a row
  /// of that shape is written by `put` without parts.
  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer, _ parts: RowParts
  ) throws(EngineError)

  /// Appends an element to the list of a row that exists.
  func append(_ element: Int64, _ table: TableIndex, _ key: Int64) throws(EngineError)

  /// Removes the first element of the row's list, which has one.
  func removeFirst(_ table: TableIndex, _ key: Int64) throws(EngineError)
}

/// A snapshot of rows with shapes.
package protocol ShapedSnapshot: EngineSnapshot {
  /// Returns what the row has besides its bytes; nil if there is no such row. Links ascend.
  func parts(_ table: TableIndex, _ key: Int64) throws(EngineError) -> RowParts?

  /// Returns the keys of the rows that have the value in an indexed column, in ascending order, by the index.
  func keys(
    _ table: TableIndex, column: Int, equalTo value: Int64
  ) throws(EngineError) -> [Int64]
}
