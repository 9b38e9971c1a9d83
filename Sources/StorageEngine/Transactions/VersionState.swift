// One committed version as readers hold it: immutable, shared by all snapshots of the version.
import SystemIO

final class VersionState: @unchecked Sendable {
  let number: UInt64
  /// The file's length in this version.
  let fileSize: Int
  /// The bytes of all blocks that the roots reach.
  let liveBytes: Int
  let names: [String]
  let tableCount: Int
  let roots: UnsafeMutablePointer<TableRoot>
  let space: BlockSpace

  init(
    number: UInt64, fileSize: Int, liveBytes: Int, names: [String],
    roots source: UnsafePointer<TableRoot>, base: UnsafeRawPointer
  ) {
    self.number = number
    self.fileSize = fileSize
    self.liveBytes = liveBytes
    self.names = names
    tableCount = names.count
    roots = .allocate(capacity: max(1, names.count))
    roots.initialize(from: source, count: names.count)
    space = BlockSpace(base: base, end: fileSize)
  }

  deinit { roots.deallocate() }

  /// The table's root, or an empty one where this version does not have the table yet.
  @inline(__always)
  func root(_ table: Table) -> TableRoot {
    table.index < tableCount ? roots[table.index] : TableRoot(kind: table.keyKind)
  }
}
