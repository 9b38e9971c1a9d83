// A node of the B+tree. It has the same bytes in the file and in a transaction's memory. Entries are packed in order
// without gaps, so the bytes are determined by the entries.
// ```
// leaf by Int64     │ tag level count:16 size:32 │ keys:64 × n          │ slots:16 × n │ cells │
// inner by Int64    │ tag level count:16 size:32 │ keys:64 × n          │ references │
// keyed by bytes    │ tag level count:16 size:32 │ slots of keys:32 × n │ slots:32 × n │ key cell key cell … │
// ```
// A slot of 32 bits is offset:16, length:15 and one bit that is set if the cell is a reference to a block. One of 16
// bits is offset:15 and that bit; its cell ends where the next begins. Above level 0 every cell is a reference to a
// child, and the key of the first entry is not used.

struct Node {
  static let headerSize = 8
  private static let tagBase: UInt8 = 0xB0
  static let referenceBit: UInt32 = 0x8000_0000

  /// The maximum number of entries. A node is rewritten as a whole for each row that changes below it: many entries
  /// make commits slower, few make the tree deeper and reads slower. See Docs/Allocation.md.
  @inline(__always)
  static func maxEntries(_ level: Int) -> Int { level == 0 ? 64 : 16 }

  /// The maximum size in bytes: a node of long keys or values has fewer entries. Two leaves share a page of the disk.
  @inline(__always)
  static func maxBytes(_ level: Int) -> Int { level == 0 ? 2048 : 4096 }

  /// Whether the node should be merged with a neighbor.
  var isSmall: Bool {
    count < Self.maxEntries(level) / 4 && size < Self.maxBytes(level) / 2
  }

  let bytes: UnsafeRawPointer

  @inline(__always) var count: Int { Int(bytes.u16(2)) }
  @inline(__always) var level: Int { Int(bytes.u8(1)) }
  @inline(__always) var size: Int { Int(bytes.u32(4)) }
  @inline(__always) var kind: KeyKind { bytes.u8(0) == Self.tagBase ? .int64 : .bytes }
  @inline(__always) static func tag(_ kind: KeyKind) -> UInt8 { tagBase | kind.rawValue }
  /// The bytes of an entry in front of the cells.
  @inline(__always)
  static func entrySize(_ kind: KeyKind, _ level: Int) -> Int {
    kind == .int64 && level == 0 ? 10 : 8
  }

  @inline(__always) init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

  /// Resolves a reference to a node, with the checks that make reading its header safe. Error `corrupt`.
  @inline(__always)
  init(_ ref: BlockRef, _ space: BlockSpace, _ kind: KeyKind) throws(StorageError) {
    bytes = try space.resolve(ref)
    guard bytes.u8(0) == Self.tag(kind), size == ref.size,
      Self.headerSize &+ count &* minEntrySize(kind) <= ref.size, count > 0
    else { throw Self.malformed(ref) }
  }

  /// The minimum size of an entry: its share of the front, and its reference if that has a fixed offset.
  @inline(__always)
  private func minEntrySize(_ kind: KeyKind) -> Int {
    kind == .bytes ? 8 : level == 0 ? 10 : 8 + BlockRef.size
  }

  @inline(never)
  static func malformed(_ ref: BlockRef) -> StorageError {
    StorageError(
      .corrupt, "The block at offset \(ref.offset) is referenced as a tree node but is not one.")
  }

  /// Returns whether the lengths of keys and cells add up to the node's size. Nodes are rebuilt from these lengths, so
  /// without this check a damaged node would make the writer overrun its memory.
  func isConsistent(_ kind: KeyKind) -> Bool {
    guard count > 0, count <= Self.maxEntries(level) else { return false }
    let front = Self.headerSize &+ count &* Self.entrySize(kind, level)
    if kind == .bytes {
      var sum = front
      for index in 0..<count {
        sum &+= Int(slot(index, kind) >> 16 & 0x7FFF) &+ Int(keySlot(index) >> 16 & 0x7FFF)
      }
      return sum == size
    }
    if level > 0 { return size == front &+ count &* BlockRef.size }
    // The cells of a leaf by Int64 end where the next begin. The differences are joined, and their common sign is looked at
    // once: without a branch for each entry the compiler compares many of them at a time.
    var differences: Int32 = 0
    for index in 1..<count {
      differences |=
        Int32(truncatingIfNeeded: shortSlot(index) & 0x7FFF)
        &- Int32(truncatingIfNeeded: shortSlot(index &- 1) & 0x7FFF)
    }
    return differences >= 0 && cellStart(0, kind) == front && cellStart(count &- 1, kind) <= size
  }

  /// Returns whether any cell of a leaf is a reference.
  func hasReferences(_ kind: KeyKind) -> Bool {
    assert(level == 0, "Above the leaves every cell is a reference.")
    // All slots are joined before any is looked at, for the same reason as above.
    if kind == .bytes {
      var slots: UInt32 = 0
      for index in 0..<count { slots |= slot(index, kind) }
      return slots & Self.referenceBit != 0
    }
    var slots = 0
    for index in 0..<count { slots |= shortSlot(index) }
    return slots & 0x8000 != 0
  }

  // MARK: Keys

  @inline(__always)
  func number(_ index: Int) -> Int64 { Int64(bitPattern: bytes.u64(8 &+ index &* 8)) }

  @inline(__always)
  func keySlot(_ index: Int) -> UInt32 { bytes.u32(8 &+ index &* 4) }

  /// The offset of a reference in an inner node by Int64.
  @inline(__always)
  private func referenceOffset(_ index: Int) -> Int { 8 &+ count &* 8 &+ index &* BlockRef.size }

  @inline(__always)
  private func shortSlot(_ index: Int) -> Int { Int(bytes.u16(8 &+ count &* 8 &+ index &* 2)) }

  /// Returns the entry's slot in its 32-bit form.
  @inline(__always)
  func slot(_ index: Int, _ kind: KeyKind) -> UInt32 {
    if kind == .bytes { return bytes.u32(8 &+ count &* 4 &+ index &* 4) }
    if level > 0 {
      return Self.referenceBit | UInt32(BlockRef.size) << 16
        | UInt32(truncatingIfNeeded: referenceOffset(index)) & 0xFFFF
    }
    let short = shortSlot(index)
    let offset = short & 0x7FFF
    // Damaged slots may be in descending order: such a cell is empty.
    let length = max(0, cellStart(index &+ 1, kind) &- offset) & 0x7FFF
    return UInt32(truncatingIfNeeded: (short & 0x8000) << 16 | length << 16 | offset)
  }

  /// Returns the offset of an entry's cell if that is a reference, else nil. It reads less than `slot`.
  @inline(__always)
  func referenceStart(_ index: Int, _ kind: KeyKind) -> Int? {
    if kind == .bytes {
      let slot = slot(index, kind)
      return slot & Self.referenceBit != 0 ? Int(slot & 0xFFFF) : nil
    }
    if level > 0 { return referenceOffset(index) }
    let short = shortSlot(index)
    return short & 0x8000 != 0 ? short & 0x7FFF : nil
  }

  func key(_ index: Int, _ kind: KeyKind) -> TreeKey {
    kind == .int64 ? TreeKey(number(index)) : TreeKey(keyBytes(index))
  }

  @inline(__always)
  func keyBytes(_ index: Int) -> UnsafeRawBufferPointer {
    let slot = keySlot(index)
    let offset = Int(slot & 0xFFFF)
    let length = Int(slot >> 16 & 0x7FFF)
    // A damaged slot yields an empty key rather than other bytes.
    guard offset &+ length <= size else { return UnsafeRawBufferPointer(start: bytes, count: 0) }
    return UnsafeRawBufferPointer(start: bytes + offset, count: length)
  }

  /// The number of keys that a search compares one by one.
  private static var maxCompared: Int { 16 }

  /// Returns the first index in `from..<count` whose key is not less than `key`.
  @inline(__always)
  func lowerBound(_ key: TreeKey, from: Int = 0) -> Int {
    var low = from
    var high = count
    if key.kind == .int64 {
      let number = key.number
      while high &- low > Self.maxCompared {
        let middle = (low &+ high) >> 1
        if self.number(middle) < number { low = middle &+ 1 } else { high = middle }
      }
      // All that are left are compared: no branch is mispredicted, and no load waits for another.
      var smaller = 0
      for index in low..<high { smaller &+= self.number(index) < number ? 1 : 0 }
      return low &+ smaller
    } else {
      while low < high {
        let middle = (low &+ high) >> 1
        if TreeKey.compare(keyBytes(middle), key.bytes) < 0 {
          low = middle &+ 1
        } else {
          high = middle
        }
      }
    }
    return low
  }

  @inline(__always)
  func isKey(_ index: Int, _ key: TreeKey) -> Bool {
    key.kind == .int64
      ? number(index) == key.number : TreeKey.compare(keyBytes(index), key.bytes) == 0
  }

  /// Returns the index of the child that contains `key`: the last whose key is not greater, or the first.
  @inline(__always)
  func childIndex(_ key: TreeKey) -> Int {
    let index = lowerBound(key, from: 1)
    return index < count && isKey(index, key) ? index : index &- 1
  }

  // MARK: Cells

  /// Returns the reference in an entry's cell. Error `corrupt` if the cell is none.
  @inline(__always)
  func reference(_ index: Int, _ kind: KeyKind) throws(StorageError) -> BlockRef {
    // `init` has checked that these lie within the node.
    if kind == .int64, level > 0 { return BlockRef(bytes, at: referenceOffset(index)) }
    let slot = slot(index, kind)
    let offset = Int(slot & 0xFFFF)
    guard slot & Self.referenceBit != 0, offset &+ BlockRef.size <= size else {
      throw badSlot(index)
    }
    return BlockRef(bytes, at: offset)
  }

  @inline(never)
  func badSlot(_ index: Int) -> StorageError {
    StorageError(.corrupt, "Entry \(index) of a tree node points outside of the node.")
  }

  /// Returns the value of a leaf's entry. Error `corrupt`.
  @inline(__always)
  func value(
    _ index: Int, _ kind: KeyKind, _ space: BlockSpace
  ) throws(StorageError) -> UnsafeRawBufferPointer {
    let slot = slot(index, kind)
    let offset = Int(slot & 0xFFFF)
    if slot & Self.referenceBit != 0 {
      guard offset &+ BlockRef.size <= size else { throw badSlot(index) }
      let ref = BlockRef(bytes, at: offset)
      return UnsafeRawBufferPointer(start: try space.resolve(ref), count: ref.size)
    }
    let length = Int(slot >> 16)
    guard offset &+ length <= size else { throw badSlot(index) }
    return UnsafeRawBufferPointer(start: bytes + offset, count: length)
  }

  /// Returns the offset of the packed bytes of entry `index`; for `count`, their end.
  @inline(__always)
  func cellStart(_ index: Int, _ kind: KeyKind) -> Int {
    guard index < count else { return size }
    if kind == .bytes { return Int(keySlot(index) & 0xFFFF) }
    return level > 0 ? referenceOffset(index) : shortSlot(index) & 0x7FFF
  }
}
