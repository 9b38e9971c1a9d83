// The node that a copy is filling on one level of a tree. The size of a node's front depends on its number of entries,
// so keys, slots and packed bytes are collected in three areas of one buffer, and assembled when the node is full.

struct LevelBuilder: ~Copyable {
  private static let slotsStart = Node.maxEntries(0) * 8
  private static let packedStart = slotsStart + Node.maxEntries(0) * 4

  private let kind: KeyKind
  private let level: Int
  /// Keys, or slots of keys │ slots │ packed bytes; offsets in slots are relative to the first packed byte.
  private let buffer = RawBuffer(count: packedStart + Node.maxBytes(1))
  private(set) var count = 0
  private var packed = 0

  init(_ kind: KeyKind, level: Int) {
    self.kind = kind
    self.level = level
  }

  @inline(__always)
  private var memory: UnsafeMutableRawPointer { buffer.start }

  /// The current size of the node.
  var size: Int { Node.headerSize + count * Node.entrySize(kind, level) + packed }

  /// The first key; valid until the next `append` after `clear`.
  var firstKey: TreeKey {
    guard kind == .bytes else { return TreeKey(Int64(bitPattern: UnsafeRawPointer(memory).u64(0))) }
    let length = Int(UnsafeRawPointer(memory).u32(0) >> 16)
    return TreeKey(UnsafeRawBufferPointer(start: memory + Self.packedStart, count: length))
  }

  /// The only child of a level with one entry, which is the root of the tree.
  var onlyReference: BlockRef {
    BlockRef(memory + Self.packedStart, at: kind == .bytes ? firstKey.bytes.count : 0)
  }

  @inline(__always)
  func hasRoom(for key: TreeKey, _ cellSize: Int) -> Bool {
    let more = Node.entrySize(kind, level) + key.bytes.count + cellSize
    return count == 0 || (count < Node.maxEntries(level) && size + more <= Node.maxBytes(level))
  }

  @inline(__always)
  mutating func append(_ key: TreeKey, _ ref: BlockRef) {
    append(key)
    ref.store(memory + Self.packedStart, at: packed)
    endEntry(Node.referenceBit, BlockRef.size)
  }

  @inline(__always)
  mutating func append(_ key: TreeKey, _ value: UnsafeRawBufferPointer) {
    append(key)
    if let source = value.baseAddress, value.count > 0 {
      (memory + Self.packedStart + packed).copyMemory(from: source, byteCount: value.count)
    }
    endEntry(0, value.count)
  }

  @inline(__always)
  private mutating func append(_ key: TreeKey) {
    assert(count < Node.maxEntries(level), "An entry is appended to a node that has room (TREE-4).")
    guard kind == .bytes else {
      memory.put64(UInt64(bitPattern: key.number), count &* 8)
      return
    }
    memory.put32(UInt32(key.bytes.count) << 16 | UInt32(packed), count &* 4)
    if let source = key.bytes.baseAddress {
      (memory + Self.packedStart + packed).copyMemory(from: source, byteCount: key.bytes.count)
    }
    packed += key.bytes.count
  }

  @inline(__always)
  private mutating func endEntry(_ reference: UInt32, _ length: Int) {
    memory.put32(
      reference | UInt32(length) << 16 | UInt32(packed), Self.slotsStart &+ count &* 4)
    packed += length
    count += 1
    assert(
      Self.packedStart + packed <= buffer.count, "The packed bytes lie within the buffer (TREE-4).")
  }

  /// Assembles the node in `target`, which has space for its rounded size.
  func build(into target: UnsafeMutableRawPointer) {
    precondition(count > 0, "A node has an entry at least (TREE-4).")
    let front = Node.headerSize + count * Node.entrySize(kind, level)
    target.put8(Node.tag(kind), 0)
    target.put8(UInt8(level), 1)
    target.put16(UInt16(count), 2)
    target.put32(UInt32(size), 4)
    let source = UnsafeRawPointer(memory)
    let slots = source + Self.slotsStart
    if kind == .int64 {
      (target + Node.headerSize).copyMemory(from: source, byteCount: count * 8)
      let slotsOffset = Node.headerSize + count * 8
      for index in 0..<count where level == 0 {
        let slot = slots.u32(index * 4)
        let offset = Int(slot & 0xFFFF) + front
        target.put16(UInt16(slot >> 31) << 15 | UInt16(offset), slotsOffset + index * 2)
      }
    } else {
      for index in 0..<count {
        target.put32(source.u32(index * 4) + UInt32(front), Node.headerSize + index * 4)
        target.put32(
          slots.u32(index * 4) + UInt32(front), Node.headerSize + (count + index) * 4)
      }
    }
    (target + front).copyMemory(from: source + Self.packedStart, byteCount: packed)
    for offset in size..<roundedUp(size) { target.put8(0, offset) }
  }

  mutating func clear() {
    count = 0
    packed = 0
  }
}
