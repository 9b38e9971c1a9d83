// Verifies blocks against the checksums in their parents. No block has a younger block below it, so the blocks that one
// commit wrote are found from the roots without visiting the rest.

enum TreeVerifier {
  /// Verifies the table's blocks that were born in `version` or later. Returns their size in the file, in bytes.
  @discardableResult
  static func verify(
    _ table: TableRoot, bornSince version: UInt64, _ space: BlockSpace
  ) throws(StorageError) -> Int {
    guard !table.root.isNull else { return 0 }
    return try verify(table.root, table.kind, level: nil, version, space)
  }

  private static func verify(
    _ ref: BlockRef, _ kind: KeyKind, level: Int?, _ version: UInt64, _ space: BlockSpace
  ) throws(StorageError) -> Int {
    guard ref.birth >= version else { return 0 }
    guard space.matches(ref) else { throw space.mismatch(ref) }
    let node = try Node(ref, space, kind)
    guard node.level == level ?? node.level, node.level < TreeReader.maxLevels else {
      throw Node.malformed(ref)
    }
    var bytes = ref.space
    for index in 0..<node.count {
      guard node.slot(index, kind) & Node.referenceBit != 0 else {
        guard node.level == 0 else { throw Node.malformed(ref) }
        continue
      }
      let child = try node.reference(index, kind)
      if node.level > 0 {
        bytes += try verify(child, kind, level: node.level - 1, version, space)
      } else if child.birth >= version {
        guard space.matches(child) else { throw space.mismatch(child) }
        bytes += child.space
      }
    }
    return bytes
  }
}
