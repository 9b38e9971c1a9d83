// Builds a node from ranges of another node's entries and single entries. Insertion, removal, split and merge are all
// such compositions, so nodes are packed only here.

/// The contents of an entry: an inline value or a reference.
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
  private let level: Int
  private let total: Int
  private var index = 0
  private var writeOffset: Int
  /// The bits of a 32-bit slot that are its offset.
  private static let offsetBits: UInt32 = 0xFFFF

  /// Begins a node of exactly `count` entries in `bytes`.
  init(_ bytes: UnsafeMutableRawPointer, _ kind: KeyKind, level: Int, count: Int) {
    self.bytes = bytes
    self.kind = kind
    self.level = level
    total = count
    writeOffset = Node.headerSize + count * Node.entrySize(kind, level)
    bytes.put8(Node.tag(kind), 0)
    bytes.put8(UInt8(level), 1)
    bytes.put16(UInt16(count), 2)
  }

  /// Appends the entries `from..<to` of `node`, which is consistent.
  mutating func append(_ node: Node, _ from: Int, _ to: Int) {
    let number = to &- from
    guard number > 0 else { return }
    let start = node.cellStart(from, kind)
    let length = node.cellStart(to, kind) &- start
    (bytes + writeOffset).copyMemory(from: node.bytes + start, byteCount: length)
    let shift = writeOffset &- start
    if kind == .int64 {
      (bytes + 8 + index * 8).copyMemory(from: node.bytes + 8 + from * 8, byteCount: number * 8)
      if level == 0 {
        Self.shift(
          node.bytes + 8 + node.count * 8 + from * 2, bytes + 8 + total * 8 + index * 2, number,
          shift, UInt16(0x7FFF))
      }
    } else {
      Self.shift(node.bytes + 8 + from * 4, bytes + 8 + index * 4, number, shift, Self.offsetBits)
      Self.shift(
        node.bytes + 8 + (node.count + from) * 4, bytes + 8 + (total + index) * 4, number, shift,
        Self.offsetBits)
    }
    index &+= number
    writeOffset &+= length
  }

  /// Copies slots and adds `by` to their offsets, which are the bits in `mask`.
  @inline(__always)
  private static func shift<Slot: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ by: Int,
    _ mask: Slot
  ) {
    let by = Slot(truncatingIfNeeded: by)
    let step = MemoryLayout<Slot>.size
    var offset = 0
    while offset < count &* step {
      let slot = Slot(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: Slot.self))
      let moved = slot & ~mask | (slot &+ by) & mask
      target.storeBytes(of: moved.littleEndian, toByteOffset: offset, as: Slot.self)
      offset &+= step
    }
  }

  mutating func append(_ key: TreeKey, _ cell: Cell) {
    if kind == .int64 {
      bytes.put64(UInt64(bitPattern: key.number), 8 + index * 8)
    } else {
      bytes.put32(UInt32(key.bytes.count) << 16 | UInt32(writeOffset), 8 + index * 4)
      if let source = key.bytes.baseAddress {
        (bytes + writeOffset).copyMemory(from: source, byteCount: key.bytes.count)
      }
      writeOffset += key.bytes.count
    }
    let isReference: Bool
    switch cell {
    case .inline(let value):
      isReference = false
      if let source = value.baseAddress {
        (bytes + writeOffset).copyMemory(from: source, byteCount: value.count)
      }
    case .reference(let ref):
      isReference = true
      ref.store(bytes, at: writeOffset)
    }
    if kind == .bytes {
      bytes.put32(
        (isReference ? Node.referenceBit : 0) | UInt32(cell.size) << 16 | UInt32(writeOffset),
        8 + (total + index) * 4)
    } else if level == 0 {
      bytes.put16((isReference ? 0x8000 : 0) | UInt16(writeOffset), 8 + total * 8 + index * 2)
    }
    writeOffset += cell.size
    index += 1
  }

  /// Completes the node and returns its size. The bytes up to the next granule are zero.
  @discardableResult
  mutating func finish() -> Int {
    assert(index == total, "A node must get the announced number of entries.")
    bytes.put32(UInt32(writeOffset), 4)
    for offset in writeOffset..<roundedUp(writeOffset) { bytes.put8(0, offset) }
    return writeOffset
  }
}
