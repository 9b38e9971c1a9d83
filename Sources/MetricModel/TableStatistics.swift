// The fill of the pages of a table, for engines that report it: why live bytes exceed the bytes of the rows.

/// The pages of one table's tree.
package struct TableStatistics: Sendable, Hashable, Codable {
  package var table: String
  package var innerPages: Int
  package var leafPages: Int
  /// Pages of values that are too long for their leaf.
  package var overflowPages: Int
  /// The bytes of all pages.
  package var bytes: ByteCount
  /// The bytes of rows, and the unused bytes; the rest are headers and pointers.
  package var payload: ByteCount
  package var unused: ByteCount

  package init(
    table: String, innerPages: Int, leafPages: Int, overflowPages: Int, bytes: ByteCount,
    payload: ByteCount, unused: ByteCount
  ) {
    self.table = table
    self.innerPages = innerPages
    self.leafPages = leafPages
    self.overflowPages = overflowPages
    self.bytes = bytes
    self.payload = payload
    self.unused = unused
  }
}
