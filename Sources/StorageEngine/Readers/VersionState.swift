// A committed version as readers use it: immutable, and shared by all snapshots of the version.
import SystemIO

final class VersionState: @unchecked Sendable {
  let number: UInt64
  /// The logical length of the file in this version.
  let fileSize: Int
  /// The bytes of all blocks reachable from the roots.
  let liveBytes: Int
  let names: [String]
  let tableCount: Int
  let roots: UnsafeMutablePointer<TableRoot>
  let space: BlockSpace
  /// The savepoints in the version's record; empty in the version of a savepoint, which is read without them.
  let savepoints: [SavepointEntry]

  init(
    number: UInt64, fileSize: Int, liveBytes: Int, names: [String],
    roots source: UnsafePointer<TableRoot>, space: BlockSpace,
    savepoints: [SavepointEntry] = []
  ) {
    self.number = number
    self.fileSize = fileSize
    self.liveBytes = liveBytes
    self.names = names
    self.savepoints = savepoints
    tableCount = names.count
    roots = .allocate(capacity: max(1, names.count))
    roots.initialize(from: source, count: names.count)
    self.space = space
  }

  deinit { roots.deallocate() }

  /// Returns the savepoint of this name. Error `notFound`.
  func savepoint(_ name: String) throws(StorageError) -> SavepointEntry {
    guard let entry = savepoints.first(where: { $0.name == name }) else {
      throw StorageError.noSavepoint(name, savepoints)
    }
    return entry
  }

  /// Returns the table's root; an empty one if this version does not have the table yet.
  @inline(__always)
  func root(_ table: Table) -> TableRoot {
    table.index < tableCount ? roots[table.index] : TableRoot(kind: table.keyKind)
  }
}

extension SavepointEntry {
  /// Returns the version as snapshots use it.
  func state(_ space: BlockSpace) throws(StorageError) -> VersionState {
    let (liveBytes, tables) = try contents(space)
    var roots = RawList<TableRoot>(capacity: max(1, tables.count))
    defer { roots.deallocate() }
    for table in tables { roots.append(table.root) }
    return VersionState(
      number: version, fileSize: space.end, liveBytes: liveBytes, names: tables.map(\.name),
      roots: roots.start, space: space)
  }
}

extension StorageError {
  static func noSavepoint(_ name: String, _ known: [SavepointEntry]) -> StorageError {
    let names = known.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return StorageError(
      .notFound,
      "There is no savepoint \"\(name)\"; "
        + (known.isEmpty ? "the database has none." : "there are \(names)."))
  }
}
