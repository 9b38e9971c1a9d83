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
    number: UInt64, liveBytes: Int, names: [String], roots source: borrowing UniqueList<TableRoot>,
    space: BlockSpace, savepoints: [SavepointEntry] = []
  ) {
    precondition(source.count == names.count, "Each table of a version has a name.")
    self.number = number
    fileSize = space.end
    self.liveBytes = liveBytes
    self.names = names
    self.savepoints = savepoints
    tableCount = names.count
    roots = .allocate(capacity: max(1, names.count))
    roots.initialize(from: source.buffer.baseAddress!, count: names.count)
    self.space = space
  }

  convenience init(
    number: UInt64, liveBytes: Int, tables: [TableEntry], space: BlockSpace,
    savepoints: [SavepointEntry] = []
  ) {
    var roots = UniqueList<TableRoot>(capacity: max(1, tables.count))
    for table in tables { roots.append(table.root) }
    self.init(
      number: number, liveBytes: liveBytes, names: tables.map(\.name), roots: roots, space: space,
      savepoints: savepoints)
  }

  /// The version that a commit record describes.
  convenience init(_ record: CommitRecord, _ space: BlockSpace) {
    precondition(record.sizeAfter == space.end, "A version is read within its own length.")
    self.init(
      number: record.version, liveBytes: record.liveBytes, tables: record.tables, space: space,
      savepoints: record.savepoints)
  }

  /// The same version, read through another mapping of the file.
  convenience init(_ version: VersionState, _ space: BlockSpace) {
    precondition(version.fileSize == space.end, "A version is read within its own length.")
    var roots = UniqueList<TableRoot>(capacity: max(1, version.tableCount))
    for index in 0..<version.tableCount { roots.append(version.roots[index]) }
    self.init(
      number: version.number, liveBytes: version.liveBytes, names: version.names, roots: roots,
      space: space, savepoints: version.savepoints)
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
    return VersionState(number: version, liveBytes: liveBytes, tables: tables, space: space)
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
