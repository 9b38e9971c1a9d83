// What the open write transaction has changed, in memory: trees, tables and savepoints. The commit writes it.
import SystemIO

struct PendingChanges: ~Copyable {
  var tree: TreeWriter
  var tables = UniqueList<TableRoot>()
  var names: [String] = []
  var savepoints: [SavepointEntry] = []
  /// Table lists of savepoints that the transaction drops or moves.
  private(set) var freedMetadata: [Extent] = []

  init(_ newest: VersionState, inlineValueLimit: Int) {
    tree = TreeWriter(
      space: newest.space, version: newest.number + 1, inlineValueLimit: inlineValueLimit)
  }

  /// The version that the commit creates.
  var version: UInt64 { tree.version }

  /// Begins a transaction on the newest version; what an earlier one has left is discarded.
  mutating func begin(on newest: VersionState) {
    tables.removeAll()
    for index in 0..<newest.tableCount { tables.append(newest.roots[index]) }
    names = newest.names
    savepoints = newest.savepoints
    freedMetadata = []
    tree.begin(newest.space, version: newest.number + 1)
  }

  /// The bytes of the blocks that the transaction freed.
  var freedBytes: Int { tree.freed.buffer.reduce(0) { $0 + $1.space } }

  // MARK: Tables

  /// Adds an empty table. Returns its index.
  mutating func addTable(_ name: String, _ kind: KeyKind) -> Int {
    precondition(tables.count == names.count, "Each table has a name.")
    names.append(name)
    tables.append(TableRoot(kind: kind))
    return names.count - 1
  }

  var entries: [TableEntry] {
    names.indices.map { TableEntry(name: names[$0], root: tables[$0]) }
  }

  // MARK: Rows

  @inline(__always)
  @discardableResult
  mutating func put(
    _ table: Int, _ key: TreeKey, _ value: UnsafeRawBufferPointer, replacing: Bool = true
  ) throws(StorageError) -> Bool {
    try tree.put(&tables[table], key, value, replacing: replacing)
  }

  @inline(__always)
  mutating func delete(_ table: Int, _ key: TreeKey) throws(StorageError) -> Bool {
    try tree.delete(&tables[table], key)
  }

  @inline(__always)
  mutating func mutableValue(
    _ table: Int, _ key: TreeKey
  ) throws(StorageError) -> UnsafeMutableRawBufferPointer? {
    try tree.mutableValue(&tables[table], key)
  }

  /// Copies the path to the key into memory.
  mutating func descend(_ table: Int, _ key: TreeKey) throws(StorageError) {
    try tree.descend(&tables[table], key)
  }

  // MARK: Savepoints

  /// Copies the bytes into the transaction's memory, padded with zeros, as a dirty block.
  mutating func dirtyBlock(_ bytes: UnsafeRawBufferPointer) -> BlockRef {
    let space = roundedUp(bytes.count)
    let memory = tree.arena.allocate(space)
    memory.put64(0, space - 8)
    memory.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    return BlockRef(dirty: memory, size: bytes.count)
  }

  /// Removes the savepoint from the list; its version stays readable until the commit.
  mutating func dropSavepoint(at index: Int) {
    let list = savepoints.remove(at: index).list
    if !list.isNull, !list.isDirty { freedMetadata.append(list.extent) }
  }

  /// Copies table lists of savepoints that reach past `limit`, so that the commit moves them. Returns their bytes.
  mutating func moveSavepointLists(above limit: Int) throws(StorageError) -> Int {
    var moved = 0
    for index in savepoints.indices {
      let list = savepoints[index].list
      guard !list.isNull, !list.isDirty, list.end > limit else { continue }
      guard tree.space.matches(list) else { throw tree.space.mismatch(list) }
      let bytes = UnsafeRawBufferPointer(start: try tree.space.resolve(list), count: list.size)
      savepoints[index].list = dirtyBlock(bytes)
      freedMetadata.append(list.extent)
      moved += list.space
    }
    return moved
  }
}

extension BlockRef {
  fileprivate var extent: Extent { Extent(offset: offset, size: space) }
}
