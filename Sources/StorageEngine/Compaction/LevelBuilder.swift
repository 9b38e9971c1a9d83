// The node that a copy is filling on one level of a tree. Its entries are kept aside until it is full, because a node's
// front depends on how many there are.

struct StoredKey {
  var number: Int64 = 0
  var bytes: [UInt8] = []

  init(_ key: Key) {
    number = key.number
    bytes = Array(key.bytes)
  }

  func withKey<R>(_ kind: KeyKind, _ body: (Key) -> R) -> R {
    guard kind == .bytes else { return body(Key(number)) }
    return bytes.withUnsafeBytes { body(Key($0)) }
  }
}

struct LevelBuilder {
  private enum StoredCell {
    case inline([UInt8])
    case reference(BlockRef)
  }

  private let kind: KeyKind
  private let level: Int
  private var entries: [(key: StoredKey, cell: StoredCell)] = []
  private var size = Node.headerSize

  init(_ kind: KeyKind, level: Int) {
    self.kind = kind
    self.level = level
  }

  var count: Int { entries.count }
  var firstKey: StoredKey { entries[0].key }

  var onlyReference: BlockRef {
    guard case .reference(let ref) = entries[0].cell else {
      preconditionFailure("Above the leaves every entry is a reference.")
    }
    return ref
  }

  func hasRoom(for key: Key, _ cell: Cell) -> Bool {
    let more = Node.entrySize(kind) + key.bytes.count + cell.size
    return entries.isEmpty
      || (entries.count < Node.mostEntries && size + more <= Node.mostBytes)
  }

  mutating func append(_ key: Key, _ cell: Cell) {
    size += Node.entrySize(kind) + key.bytes.count + cell.size
    switch cell {
    case .inline(let bytes): entries.append((StoredKey(key), .inline(Array(bytes))))
    case .reference(let ref): entries.append((StoredKey(key), .reference(ref)))
    }
  }

  /// The node's bytes; the builder is empty afterwards.
  mutating func build() -> [UInt8] {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: roundedUp(size), alignment: 16)
    defer { memory.deallocate() }
    var builder = NodeBuilder(memory, kind, level: level, count: entries.count)
    for entry in entries {
      entry.key.withKey(kind) { key in
        switch entry.cell {
        case .inline(let bytes): bytes.withUnsafeBytes { builder.append(key, .inline($0)) }
        case .reference(let ref): builder.append(key, .reference(ref))
        }
      }
    }
    let written = builder.finish()
    entries.removeAll(keepingCapacity: true)
    size = Node.headerSize
    return Array(UnsafeRawBufferPointer(start: memory, count: written))
  }
}
