// The b-trees of an SQLite database: each is walked from its root, with one array of children for each level.
import SystemIO

extension SQLiteWalk {
  /// Walks sqlite_schema, and with each row that names a root the tree of that root.
  mutating func readSchema() throws(SystemError) -> TreeUsage {
    try walk(
      TreeUsage(name: "sqlite_schema", kind: .schema, root: 1), readsRows: true)
  }

  private struct Level {
    var page: Int
    var children: [Int]
    var next = 0
  }

  /// Returns a tree with its figures.
  private mutating func walk(
    _ named: TreeUsage, readsRows: Bool = false
  ) throws(SystemError) -> TreeUsage {
    var tree = named
    tree.unused = 0
    tree.entries = 0
    var packing: SQLitePacking?
    var overflowPages = 0
    var levels: [Level] = []
    var page: Int? = tree.root
    while true {
      if let next = page {
        if let read = try readPage(next, &tree, isFirst: packing == nil) {
          if packing == nil {
            packing = SQLitePacking(usableBytes: header.usableBytes, isIndex: read.kind.isIndex)
          }
          let children = try readCells(
            read, next, &tree, &packing!, &overflowPages, readsRows: readsRows)
          tree.depth = max(tree.depth, levels.count + 1)
          if !read.kind.isLeaf { levels.append(Level(page: next, children: children)) }
        } else {
          tree.isComplete = false
        }
        if levels.count > Self.maxDepth {
          problems.add("the tree \"\(tree.name)\" is deeper than \(Self.maxDepth) pages")
          (isComplete, tree.isComplete) = (false, false)
          levels.removeLast()
        }
      }
      guard !levels.isEmpty else { break }
      let last = levels.count - 1
      if levels[last].next < levels[last].children.count {
        page = levels[last].children[levels[last].next]
        levels[last].next += 1
      } else {
        levels.removeLast()
        page = nil
      }
    }
    let own = packing?.pages ?? 1...1
    packed =
      packed.lowerBound + own.lowerBound + overflowPages...packed.upperBound + own.upperBound
      + overflowPages
    unusedBytes += tree.unused ?? 0
    return tree
  }

  /// Returns a page of a tree, counted; nil with a problem where it is damaged.
  private mutating func readPage(
    _ page: Int, _ tree: inout TreeUsage, isFirst: Bool
  ) throws(SystemError) -> SQLiteBTreePage? {
    let name = tree.name
    guard claim(page, "the tree \"\(name)\"") else { return nil }
    tree.pages += 1
    tree.bytes += header.pageBytes
    guard let block = try pages.block(page),
      let read = SQLiteBTreePage(block, page: page, usableBytes: header.usableBytes)
    else {
      problems.add("page \(page) of the tree \"\(name)\" is damaged or not there")
      isComplete = false
      return nil
    }
    if let unused = read.unusedBytes {
      tree.unused = (tree.unused ?? 0) + unused
    } else {
      problems.add("page \(page) of the tree \"\(name)\" has a damaged list of free blocks")
    }
    return read
  }

  /// Counts the cells of a page with their overflow pages, and returns the children.
  private mutating func readCells(
    _ page: SQLiteBTreePage, _ number: Int, _ tree: inout TreeUsage,
    _ packing: inout SQLitePacking, _ overflowPages: inout Int, readsRows: Bool
  ) throws(SystemError) -> [Int] {
    var children: [Int] = []
    for index in 0..<page.cellCount {
      guard let cell = page.cell(index) else {
        problems.add("cell \(index) of page \(number) is damaged")
        (isComplete, tree.isComplete) = (false, false)
        continue
      }
      if let child = cell.child { children.append(child) }
      guard page.kind != .interiorTable else { continue }
      tree.entries = (tree.entries ?? 0) + 1
      packing.add(page.kind == .interiorIndex ? cell.bytes - 4 : cell.bytes)
      if let first = cell.overflow {
        let (count, unused) = try readOverflow(first, cell, &tree)
        overflowPages += count
        tree.unused = (tree.unused ?? 0) + unused
      }
      if readsRows { try readRow(page, cell) }
    }
    if let child = page.rightmostChild { children.append(child) }
    return children
  }

  /// Follows a chain of overflow pages, which is as long as the payload requires; returns its pages and unused bytes.
  private mutating func readOverflow(
    _ first: Int, _ cell: SQLiteBTreePage.Cell, _ tree: inout TreeUsage
  ) throws(SystemError) -> (pages: Int, unused: Int) {
    let perPage = header.usableBytes - 4
    let rest = cell.payload - cell.local.count
    let expected = (rest + perPage - 1) / perPage
    var page = first
    var count = 0
    while count < expected {
      guard claim(page, "an overflow page of \"\(tree.name)\"") else { break }
      count += 1
      tree.pages += 1
      tree.bytes += header.pageBytes
      guard let next = try pages.block(page, count: 4)?.big(0, 4) else {
        problems.add("overflow page \(page) of \"\(tree.name)\" is not there")
        isComplete = false
        break
      }
      if (next == 0) != (count == expected) {
        problems.add(
          "overflow page \(page) of \"\(tree.name)\" is number \(count) of \(expected), and the "
            + (next == 0 ? "chain ends" : "chain goes on"))
        isComplete = false
        break
      }
      page = next
    }
    if count < expected { tree.isComplete = false }
    return (count, count == expected ? expected * perPage - rest : 0)
  }

  /// Walks the tree that a row of sqlite_schema names.
  private mutating func readRow(
    _ page: SQLiteBTreePage, _ cell: SQLiteBTreePage.Cell
  ) throws(SystemError) {
    guard let record = try payload(page, cell),
      let row = SQLiteSchemaRow(record, textEncoding: header.textEncoding)
    else {
      problems.add("a row of sqlite_schema cannot be read")
      isComplete = false
      return
    }
    guard row.root != 0 else { return }
    let isIndex = row.type == "index"
    trees.add(
      try walk(
        TreeUsage(
          name: row.name, kind: isIndex ? .index : .table, owner: isIndex ? row.table : nil,
          root: row.root)))
  }

  /// Returns the first bytes of a payload, with those on overflow pages.
  private func payload(
    _ page: SQLiteBTreePage, _ cell: SQLiteBTreePage.Cell
  ) throws(SystemError) -> ByteBlock? {
    guard let local = page.block.slice(cell.local.lowerBound, cell.local.count) else { return nil }
    var bytes = Array(local)
    let wanted = min(cell.payload, SQLiteSchemaRow.maxBytes)
    var next = cell.overflow ?? 0
    while bytes.count < wanted, next != 0 {
      guard let block = try pages.block(next, count: header.usableBytes) else { break }
      bytes += block.bytes.dropFirst(4)
      next = block.big(0, 4) ?? 0
    }
    return ByteBlock(bytes)
  }
}
