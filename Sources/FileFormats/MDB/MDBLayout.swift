// Where LMDB and libmdbx, which descends from it, store the same things. Both write as the machine does: the files of 64-bit
// little-endian machines are read.

struct MDBLayout {
  let format: FileFormat
  /// The length of a page's header, behind which its node pointers stand.
  let headerBytes: Int
  let metaCount: Int
  /// The bytes of a page number in a free list, and in a node that names a large value.
  let pageNumberBytes: Int
  /// The bytes of a tree's record.
  let treeBytes = 48
  let maxDepth = 32

  static let lmdb = MDBLayout(format: .lmdb, headerBytes: 16, metaCount: 2, pageNumberBytes: 8)
  static let libmdbx = MDBLayout(
    format: .libmdbx, headerBytes: 20, metaCount: 3, pageNumberBytes: 4)

  private init(format: FileFormat, headerBytes: Int, metaCount: Int, pageNumberBytes: Int) {
    self.format = format
    self.headerBytes = headerBytes
    self.metaCount = metaCount
    self.pageNumberBytes = pageNumberBytes
  }

  var isLMDB: Bool { format == .lmdb }

  /// The kinds of pages, by the bits of the header.
  enum PageKind {
    case branch, leaf, fixedLeaf, large
  }

  /// The bits of a page's header that are of interest.
  private enum Flag {
    static let branch = 1
    static let leaf = 2
    static let large = 4
    static let fixed = 0x20
  }

  func pageNumber(_ page: ByteBlock) -> Int? {
    isLMDB ? page.little(0, 8) : page.little(16, 4)
  }

  func kind(_ page: ByteBlock) -> PageKind? {
    guard let flags = page.little(10, 2) else { return nil }
    switch flags & (Flag.branch | Flag.leaf | Flag.large | Flag.fixed) {
    case Flag.branch: return .branch
    case Flag.leaf: return .leaf
    case Flag.leaf | Flag.fixed: return .fixedLeaf
    case Flag.fixed: return isLMDB ? nil : .fixedLeaf
    case Flag.large: return .large
    default: return nil
    }
  }

  /// The number of pages that a large value takes, from its first page's header.
  func largePages(_ page: ByteBlock) -> Int? { page.little(12, 4) }

  /// The number of nodes, and the bytes between the pointers and the nodes; nil where they cannot be.
  func nodes(_ page: ByteBlock) -> (count: Int, unused: Int)? {
    guard let lower = page.little(12, 2), let upper = page.little(14, 2) else { return nil }
    let base = isLMDB ? headerBytes : 0
    let end = page.count - (isLMDB ? 0 : headerBytes)
    guard lower >= base, lower <= upper, upper <= end else { return nil }
    return ((lower - base) / 2, upper - lower)
  }

  /// The offset of a node; nil where it cannot be.
  func nodeOffset(_ page: ByteBlock, _ index: Int) -> Int? {
    guard let pointer = page.little(headerBytes + 2 * index, 2) else { return nil }
    return isLMDB ? pointer : pointer + headerBytes
  }

  /// The child of a branch's node at that offset.
  func child(_ page: ByteBlock, _ offset: Int) -> Int? {
    guard isLMDB else { return page.little(offset, 4) }
    guard let low = page.little(offset, 4), let high = page.little(offset + 4, 2) else {
      return nil
    }
    return high << 32 | low
  }

  /// A node of a leaf.
  struct Leaf {
    var key: ArraySlice<UInt8>
    /// The offset and the length of the data; of a large value the length is that of the value.
    var dataOffset: Int
    var dataBytes: Int
    var isLarge: Bool
    var isTree: Bool
    var isDuplicates: Bool
  }

  func leaf(_ page: ByteBlock, _ offset: Int) -> Leaf? {
    guard let size = page.little(offset, 4), let flags = page.little(offset + 4, isLMDB ? 2 : 1),
      let keyBytes = page.little(offset + 6, 2), let key = page.slice(offset + 8, keyBytes)
    else { return nil }
    let data = offset + 8 + keyBytes
    let leaf = Leaf(
      key: key, dataOffset: data, dataBytes: size, isLarge: flags & 1 != 0,
      isTree: flags & 2 != 0, isDuplicates: flags & 4 != 0)
    guard data + (leaf.isLarge ? pageNumberBytes : size) <= page.count else { return nil }
    return leaf
  }

  /// Returns the tree's record at that offset; nil where it is not whole.
  func tree(_ block: ByteBlock, at offset: Int) -> MDBTree? {
    func field(_ lmdb: (Int, Int), _ libmdbx: (Int, Int)) -> Int? {
      let (at, width) = isLMDB ? lmdb : libmdbx
      return block.little(offset + at, width)
    }
    guard let flags = field((4, 2), (0, 2)), let depth = field((6, 2), (2, 2)),
      let branch = field((8, 8), (12, 4)), let leaf = field((16, 8), (16, 4)),
      let large = field((24, 8), (20, 4)), let entries = field((32, 8), (32, 8)),
      let root = block.bits(offset + (isLMDB ? 40 : 8))
    else { return nil }
    let number = isLMDB ? root : root & 0xffff_ffff
    let none = isLMDB ? UInt64.max : 0xffff_ffff
    return MDBTree(
      flags: flags, depth: depth, branchPages: branch, leafPages: leaf, largePages: large,
      entries: entries, root: number == none ? nil : Int(exactly: number) ?? .max)
  }
}

/// What a tree's record has: of the free list, the main tree or a named database.
struct MDBTree {
  let flags: Int
  let depth: Int
  let branchPages: Int
  let leafPages: Int
  let largePages: Int
  let entries: Int
  /// Nil for an empty tree.
  let root: Int?

  var pages: Int { branchPages &+ leafPages &+ largePages }
}
