// One page of an SQLite b-tree: its header, its cells, and the bytes that hold nothing.

struct SQLiteBTreePage {
  /// The longest row that SQLite can write.
  private static let maxPayload = Int(Int32.max)

  enum Kind: Int {
    case interiorIndex = 2
    case interiorTable = 5
    case leafIndex = 10
    case leafTable = 13

    var isLeaf: Bool { self == .leafIndex || self == .leafTable }
    var isIndex: Bool { self == .leafIndex || self == .interiorIndex }
  }

  let block: ByteBlock
  let kind: Kind
  let cellCount: Int
  let usableBytes: Int
  /// The header's offset: 100 on the first page.
  private let start: Int

  /// Nil if the header cannot be that of a b-tree page.
  init?(_ block: ByteBlock, page: Int, usableBytes: Int) {
    start = page == 1 ? SQLiteHeader.bytes : 0
    guard let kind = block.big(start, 1).flatMap(Kind.init), let cells = block.big(start + 3, 2),
      start + (kind.isLeaf ? 8 : 12) + 2 * cells <= usableBytes
    else { return nil }
    self.block = block
    self.kind = kind
    self.usableBytes = usableBytes
    cellCount = cells
  }

  private var headerBytes: Int { kind.isLeaf ? 8 : 12 }
  private var pointersEnd: Int { start + headerBytes + 2 * cellCount }

  /// The child behind the last cell; nil on a leaf.
  var rightmostChild: Int? { kind.isLeaf ? nil : block.big(start + 8, 4) }

  /// The unallocated bytes, the free blocks and the fragments; nil where the chain of free blocks is damaged.
  var unusedBytes: Int? {
    guard let content = block.big(start + 5, 2), let fragments = block.big(start + 7, 1) else {
      return nil
    }
    let contentStart = content == 0 ? 65536 : content
    guard contentStart >= pointersEnd, contentStart <= usableBytes else { return nil }
    var unused = contentStart - pointersEnd + fragments
    var next = block.big(start + 1, 2) ?? 0
    var previousEnd = contentStart
    while next != 0 {
      guard next >= previousEnd, next <= usableBytes - 4, let size = block.big(next + 2, 2),
        size >= 4, next + size <= usableBytes
      else { return nil }
      unused += size
      previousEnd = next + size
      next = block.big(next, 2) ?? 0
    }
    return unused
  }

  /// A cell: what it holds on its page, and where the rest is.
  struct Cell {
    /// The left child's page; nil on a leaf.
    var child: Int?
    /// The length of the payload, on all pages.
    var payload = 0
    /// The offset and length of its part on this page.
    var local = 0..<0
    /// The first overflow page; nil without one.
    var overflow: Int?
    /// All bytes on this page, without the pointer.
    var bytes = 0
  }

  /// Returns a cell; nil where it is damaged.
  func cell(_ index: Int) -> Cell? {
    guard let offset = block.big(start + headerBytes + 2 * index, 2), offset >= pointersEnd,
      offset < usableBytes
    else { return nil }
    var cell = Cell()
    var position = offset
    if !kind.isLeaf {
      guard let child = block.big(position, 4) else { return nil }
      cell.child = child
      position += 4
    }
    if kind == .interiorTable {
      guard let key = block.varint(at: position) else { return nil }
      cell.bytes = position + key.length - offset
      return cell
    }
    guard let length = block.varint(at: position), (0...Self.maxPayload).contains(length.value)
    else { return nil }
    position += length.length
    if kind == .leafTable {
      guard let key = block.varint(at: position) else { return nil }
      position += key.length
    }
    cell.payload = length.value
    let local = Self.localBytes(of: length.value, usable: usableBytes, isIndex: kind.isIndex)
    cell.local = position..<position + local
    position += local
    if local < length.value {
      guard let page = block.big(position, 4) else { return nil }
      cell.overflow = page
      position += 4
    }
    guard position <= usableBytes else { return nil }
    cell.bytes = max(4, position - offset)
    return cell
  }

  /// Returns how much of a payload is on the b-tree page itself.
  static func localBytes(of payload: Int, usable: Int, isIndex: Bool) -> Int {
    let maximum = isIndex ? (usable - 12) * 64 / 255 - 23 : usable - 35
    guard payload > maximum else { return payload }
    let minimum = (usable - 12) * 32 / 255 - 23
    let local = minimum + (payload - minimum) % (usable - 4)
    return local <= maximum ? local : minimum
  }
}

extension ByteBlock {
  /// Returns a number of 1 to 9 bytes, seven bits in each of the first eight, and its length; nil outside.
  func varint(at offset: Int) -> (value: Int, length: Int)? {
    guard offset >= 0 else { return nil }
    var value: UInt64 = 0
    for index in 0..<9 {
      guard offset + index < count else { return nil }
      let byte = bytes[offset + index]
      if index == 8 { return (Int(truncatingIfNeeded: value << 8 | UInt64(byte)), 9) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return (Int(truncatingIfNeeded: value), index + 1) }
    }
    return nil
  }
}
