// A savepoint in a commit record. The version's table list is written once, in a block of its own, instead of being
// repeated in every later record. Only records refer to the block, so it counts as overhead, as they do, and is free as
// soon as no record refers to it.

struct SavepointEntry: Equatable {
  var name: String
  /// The pinned version: the one whose commit made the savepoint.
  var version: UInt64
  /// Nanoseconds since 1970.
  var madeAt: UInt64
  /// The version's table list; null until the commit that makes the savepoint has placed its tables.
  var list = BlockRef()

  static func == (a: SavepointEntry, b: SavepointEntry) -> Bool {
    a.name == b.name && a.version == b.version
  }

  /// Reads the part of the version's record that reading it requires.
  func contents(
    _ space: BlockSpace
  ) throws(StorageError) -> (liveBytes: Int, tables: [TableEntry]) {
    let epoch = space.view.enterEpoch()
    defer { space.view.leaveEpoch(epoch) }
    guard space.matches(list) else { throw space.mismatch(list) }
    let bytes = UnsafeRawBufferPointer(start: try space.resolve(list), count: list.size)
    var reader = RecordReader(bytes, version: version)
    let liveBytes = try reader.number() * Layout.granule
    return (liveBytes, try TableEntry.decode(&reader))
  }

  /// Returns the size of the table lists in the file, in bytes.
  static func listBytes(_ entries: [SavepointEntry]) -> Int {
    entries.reduce(0) { $0 + $1.list.space }
  }

  static func encode(_ entries: [SavepointEntry], into out: inout RecordWriter) {
    out.put(entries.count)
    for entry in entries {
      var name = entry.name
      name.withUTF8 { out.put(bytes: UnsafeRawBufferPointer($0)) }
      out.put(entry.version)
      out.putFixed(entry.madeAt)
      out.put(entry.list.size)
      out.put(entry.list.offset / Layout.granule)
      out.put(entry.list.birth)
      out.putFixed(entry.list.checksum)
    }
  }

  static func decode(_ reader: inout RecordReader) throws(StorageError) -> [SavepointEntry] {
    var entries: [SavepointEntry] = []
    for _ in 0..<(try reader.number(upTo: Layout.maxSavepoints)) {
      let name = try reader.string()
      let version = try reader.get()
      let madeAt = try reader.fixed()
      let size = try reader.number(upTo: Int(UInt32.max))
      let offset = try reader.number() * Layout.granule
      let birth = try reader.get()
      guard size > 0, version <= reader.version, birth <= reader.version else {
        throw reader.corrupt("its savepoint \"\(name)\" is of version \(version)")
      }
      let list = BlockRef(
        offset: offset, size: size, birth: birth, checksum: try reader.fixed())
      entries.append(SavepointEntry(name: name, version: version, madeAt: madeAt, list: list))
    }
    return entries
  }
}
