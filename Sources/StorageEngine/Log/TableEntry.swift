// A table in a commit record or in the table list of a savepoint.

struct TableEntry {
  var name: String
  var root: TableRoot
}

extension TableEntry {
  static func encode(_ tables: [TableEntry], into out: inout RecordWriter) {
    out.put(tables.count)
    for table in tables {
      var name = table.name
      name.withUTF8 { out.put(bytes: UnsafeRawBufferPointer($0)) }
      out.put(UInt64(table.root.kind.rawValue))
      out.put(table.root.rows)
      out.put(table.root.root.size)
      guard !table.root.root.isNull else { continue }
      out.put(table.root.root.offset / Layout.granule)
      out.put(table.root.root.birth)
      out.putFixed(table.root.root.checksum)
    }
  }

  static func decode(_ reader: inout RecordReader) throws(StorageError) -> [TableEntry] {
    var tables: [TableEntry] = []
    for _ in 0..<(try reader.number(upTo: Layout.maxTables)) {
      let name = try reader.string()
      let raw = try reader.number(upTo: 1)
      var root = TableRoot(kind: raw == 0 ? .int64 : .bytes)
      root.rows = try reader.number()
      let size = try reader.number(upTo: 1 << 16)
      if size > 0 {
        let offset = try reader.number() * Layout.granule
        let birth = try reader.get()
        root.root = BlockRef(
          offset: offset, size: size, birth: birth, checksum: try reader.fixed())
      }
      tables.append(TableEntry(name: name, root: root))
    }
    return tables
  }
}
