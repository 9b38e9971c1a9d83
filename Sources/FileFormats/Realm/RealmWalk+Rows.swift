// The number of a Realm table's objects, from the root of its tree of clusters (realm/table.hpp, realm/cluster_tree.cpp).
import SystemIO

extension RealmWalk {
  /// The elements of a table's array, and of a cluster's, that are read.
  private enum Slot {
    static let clusters = 2
    /// A leaf's keys: their array, or where they are 0, 1, 2, … their number.
    static let keys = 0
    static let treeSize = 2
  }

  /// The shortest array of a table in the formats that are read.
  private static let minTableSlots = 12

  /// Returns the number of rows of the table at `reference`; nil where its array is damaged, or not that of a table.
  func rows(ofTable reference: Int) throws(SystemError) -> Int? {
    guard var table = try RealmArrayReader(reader, at: reference, limit: logical),
      table.header.hasReferences, table.count >= Self.minTableSlots,
      let clusters = try table.element(Slot.clusters), clusters != 0, clusters & 1 == 0,
      var root = try RealmArrayReader(reader, at: clusters, limit: logical),
      root.header.hasReferences
    else { return nil }
    if root.header.isInnerNode {
      return try root.element(Slot.treeSize).flatMap { $0 & 1 == 1 ? $0 >> 1 : nil }
    }
    guard let keys = try root.element(Slot.keys) else { return nil }
    if keys & 1 == 1 { return keys >> 1 }
    return keys == 0 ? 0 : try RealmArrayReader(reader, at: keys, limit: logical)?.count
  }
}
