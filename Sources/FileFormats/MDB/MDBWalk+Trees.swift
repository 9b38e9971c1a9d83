// The trees of an LMDB or libmdbx file, each walked from its root with one array of children for each level.
import SystemIO

extension MDBWalk {
  /// What the leaves of a tree hold.
  enum Content {
    /// Lists of free pages.
    case freeList
    /// Values, and the records of named databases.
    case main
    case values

    var use: SpaceGrid.Use { self == .freeList ? .overhead : .live }
  }

  /// Walks a tree, and adds its pages to `usage`. Trees of duplicates are part of the database that has them.
  mutating func walk(
    _ tree: MDBTree, _ usage: inout TreeUsage, _ content: Content
  ) throws(SystemError) {
    usage.entries = tree.entries
    usage.unused = usage.unused ?? 0
    guard let root = tree.root else { return }
    let before = usage.pages
    let depth = usage.depth
    try walkPages(from: root, &usage, content)
    if content != .values || depth == 0 {
      // The record of a database does not count the pages of its trees of duplicates.
      let counted = usage.pages - before
      if tree.flags & MDBWalk.duplicatesFlag == 0, counted != tree.pages, usage.isComplete {
        problems.add("\(usage.name) has \(counted) pages, and its record counts \(tree.pages)")
      }
    }
  }

  private static let duplicatesFlag = 4

  private mutating func walkPages(
    from root: Int, _ usage: inout TreeUsage, _ content: Content
  ) throws(SystemError) {
    var levels: [(children: [Int], next: Int)] = []
    var page: Int? = root
    while true {
      if let next = page {
        if let children = try visit(next, &usage, content) {
          usage.depth = max(usage.depth, levels.count + 1)
          if !children.isEmpty { levels.append((children, 0)) }
        } else {
          usage.isComplete = false
          isComplete = false
        }
        if levels.count > layout.maxDepth {
          problems.add("\(usage.name) is deeper than \(layout.maxDepth) pages")
          (isComplete, usage.isComplete) = (false, false)
          levels.removeLast()
        }
      }
      guard let last = levels.indices.last else { return }
      if levels[last].next < levels[last].children.count {
        page = levels[last].children[levels[last].next]
        levels[last].next += 1
      } else {
        levels.removeLast()
        page = nil
      }
    }
  }

  /// Counts a page with what its nodes lead to, and returns its children; nil with a problem where it is damaged.
  private mutating func visit(
    _ number: Int, _ usage: inout TreeUsage, _ content: Content
  ) throws(SystemError) -> [Int]? {
    guard claim(number, usage.name, as: content.use) else { return nil }
    usage.pages += 1
    usage.bytes += meta.pageBytes
    guard let page = try reader.block(at: number * meta.pageBytes, count: meta.pageBytes),
      let kind = layout.kind(page), kind != .large, layout.pageNumber(page) == number,
      let nodes = layout.nodes(page)
    else {
      problems.add("page \(number) of \(usage.name) is damaged")
      return nil
    }
    usage.unused = (usage.unused ?? 0) + nodes.unused
    unusedBytes += nodes.unused
    guard kind != .fixedLeaf else { return [] }
    var children: [Int] = []
    for index in 0..<nodes.count {
      guard let offset = layout.nodeOffset(page, index) else {
        problems.add("node \(index) of page \(number) is damaged")
        return nil
      }
      if kind == .branch {
        guard let child = layout.child(page, offset) else { return nil }
        children.append(child)
      } else if let leaf = layout.leaf(page, offset) {
        try visit(leaf, page, &usage, content)
      } else {
        problems.add("node \(index) of page \(number) is damaged")
        return nil
      }
    }
    return children
  }

  private mutating func visit(
    _ leaf: MDBLayout.Leaf, _ page: ByteBlock, _ usage: inout TreeUsage, _ content: Content
  ) throws(SystemError) {
    if leaf.isLarge {
      guard let number = page.little(leaf.dataOffset, layout.pageNumberBytes) else { return }
      try visitLarge(number, leaf, &usage, content)
    } else if content == .freeList {
      let data = page.slice(leaf.dataOffset, leaf.dataBytes).map { ByteBlock(Array($0)) }
      if let data { readFreePages(leaf.key, data) }
    } else if leaf.isTree {
      guard let tree = layout.tree(page, at: leaf.dataOffset), leaf.dataBytes >= layout.treeBytes
      else { return problems.add("\(usage.name) has a damaged record of a tree") }
      if leaf.isDuplicates {
        try walkDuplicates(tree, &usage)
      } else if content == .main {
        let name = String(decoding: leaf.key.prefix(200).prefix { $0 != 0 }, as: UTF8.self)
        var named = TreeUsage(name: name, kind: .database, root: tree.root ?? 0)
        try walk(tree, &named, .values)
        trees.add(named)
      }
    }
  }

  private mutating func walkDuplicates(
    _ tree: MDBTree, _ usage: inout TreeUsage
  ) throws(SystemError) {
    guard let root = tree.root else { return }
    var below = TreeUsage(name: usage.name, kind: .other, root: root)
    try walkPages(from: root, &below, .values)
    usage.pages += below.pages
    usage.bytes += below.bytes
    usage.unused = (usage.unused ?? 0) + (below.unused ?? 0)
    usage.isComplete = usage.isComplete && below.isComplete
  }

  /// Counts the pages of a large value; only the first has a header.
  private mutating func visitLarge(
    _ number: Int, _ leaf: MDBLayout.Leaf, _ usage: inout TreeUsage, _ content: Content
  ) throws(SystemError) {
    let needed = (layout.headerBytes + leaf.dataBytes + meta.pageBytes - 1) / meta.pageBytes
    let head = try reader.block(at: number &* meta.pageBytes, count: layout.headerBytes)
    guard number < visited.limit, let head, layout.kind(head) == .large,
      let count = layout.largePages(head), count >= needed, count <= visited.limit - number
    else {
      problems.add("the large value at page \(number) of \(usage.name) is damaged")
      (isComplete, usage.isComplete) = (false, false)
      return
    }
    for page in number..<number + count where claim(page, usage.name, as: content.use) {
      usage.pages += 1
      usage.bytes += meta.pageBytes
    }
    if content == .freeList {
      try readLargeFreeList(leaf, at: number * meta.pageBytes + layout.headerBytes)
    }
  }

  /// Reads a list of free pages on pages of its own, piece by piece.
  private mutating func readLargeFreeList(
    _ leaf: MDBLayout.Leaf, at offset: Int
  ) throws(SystemError) {
    let width = layout.pageNumberBytes
    guard let version = key(leaf.key), let head = try reader.block(at: offset, count: width),
      let count = head.little(0, width), count < leaf.dataBytes / width
    else { return damagedList() }
    let perRead = 4096
    for first in stride(from: 0, to: count, by: perRead) {
      let pieces = min(perRead, count - first)
      guard
        let block = try reader.block(at: offset + width * (1 + first), count: width * pieces)
      else { return damagedList() }
      for index in 0..<pieces { addFree(block.little(index * width, width), version) }
    }
  }

  private mutating func readFreePages(_ key: ArraySlice<UInt8>, _ data: ByteBlock) {
    let width = layout.pageNumberBytes
    guard let version = self.key(key), let count = data.little(0, width),
      count < data.count / width
    else { return damagedList() }
    for index in 0..<count { addFree(data.little((1 + index) * width, width), version) }
  }

  private mutating func damagedList() {
    problems.add("a record of the free list is damaged")
    isComplete = false
  }

  private func key(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    bytes.count == 8 ? ByteBlock(Array(bytes)).bits(0) : nil
  }

  private mutating func addFree(_ page: Int?, _ version: UInt64) {
    let availability = availability(freedBy: version)
    let age = meta.version - min(meta.version, version)
    guard let page,
      claim(page, "the free list", as: availability == .free ? .free : .held(age: age))
    else { return }
    _ = free.insert(page)
    switch availability {
    case .free: break
    case .pinned: _ = pinned.insert(page)
    case .pending: pending += 1
    }
  }
}
