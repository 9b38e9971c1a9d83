// Writes a node from pieces: runs of another node's entries, and single entries. Insertion, removal, split and merge
// are all one such composition, so there is one place that packs nodes.

/// What an entry holds: a value within the leaf, or a reference.
enum Cell {
  case inline(UnsafeRawBufferPointer)
  case reference(BlockRef)

  @inline(__always) var size: Int {
    switch self {
    case .inline(let bytes): bytes.count
    case .reference: BlockRef.size
    }
  }
}

struct NodeBuilder {
  private let bytes: UnsafeMutableRawPointer
  private let kind: KeyKind
  private let total: Int
  private var index = 0
  private var place: Int

  /// Begins a node of exactly `count` entries in `bytes`.
  init(_ bytes: UnsafeMutableRawPointer, _ kind: KeyKind, level: Int, count: Int) {
    self.bytes = bytes
    self.kind = kind
    total = count
    place = Node.headerSize + count * Node.entrySize(kind)
    bytes.put8(Node.tag(kind), 0)
    bytes.put8(UInt8(level), 1)
    bytes.put16(UInt16(count), 2)
  }

  @inline(__always)
  private func slotPlace(_ index: Int) -> Int {
    8 &+ total &* (kind == .int64 ? 8 : 4) &+ index &* 4
  }

  /// Adds the entries `from..<to` of `node`, which is sound.
  mutating func append(_ node: Node, _ from: Int, _ to: Int) {
    let number = to &- from
    guard number > 0 else { return }
    let start = node.cellStart(from, kind)
    let length = node.cellStart(to, kind) &- start
    (bytes + place).copyMemory(from: node.bytes + start, byteCount: length)
    let shift = UInt32(truncatingIfNeeded: place &- start)
    if kind == .int64 {
      (bytes + 8 + index * 8).copyMemory(from: node.bytes + 8 + from * 8, byteCount: number * 8)
    } else {
      Self.shift(node.bytes + 8 + from * 4, bytes + 8 + index * 4, number, shift)
    }
    Self.shift(node.bytes + node.slotOffset(from, kind), bytes + slotPlace(index), number, shift)
    index &+= number
    place &+= length
  }

  @inline(__always)
  private static func shift(
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ by: UInt32
  ) {
    var offset = 0
    while offset < count &* 4 {
      let slot = source.u32(offset)
      target.put32(slot & 0xFFFF_0000 | (slot &+ by) & 0xFFFF, offset)
      offset &+= 4
    }
  }

  mutating func append(_ key: Key, _ cell: Cell) {
    if kind == .int64 {
      bytes.put64(UInt64(bitPattern: key.number), 8 + index * 8)
    } else {
      bytes.put32(UInt32(key.bytes.count) << 16 | UInt32(place), 8 + index * 4)
      if let source = key.bytes.baseAddress {
        (bytes + place).copyMemory(from: source, byteCount: key.bytes.count)
      }
      place += key.bytes.count
    }
    let reference: UInt32
    switch cell {
    case .inline(let value):
      reference = 0
      if let source = value.baseAddress {
        (bytes + place).copyMemory(from: source, byteCount: value.count)
      }
    case .reference(let ref):
      reference = Node.referenceBit
      ref.store(bytes, at: place)
    }
    bytes.put32(reference | UInt32(cell.size) << 16 | UInt32(place), slotPlace(index))
    place += cell.size
    index += 1
  }

  /// Ends the node; answers its size. The bytes up to the next granule are zero.
  @discardableResult
  mutating func finish() -> Int {
    assert(index == total, "A node gets as many entries as were announced.")
    bytes.put32(UInt32(place), 4)
    for offset in place..<roundedUp(place) { bytes.put8(0, offset) }
    return place
  }
}
