// One walk over an LMDB or libmdbx file of one version: the free list, the main tree, the named databases. One bit for each
// page in each of three maps, and nothing else for each.
import SystemIO

struct MDBWalk {
  let reader: WindowedReader
  let layout: MDBLayout
  let meta: MDBMeta
  let metas: [MDBMeta]
  let readers: MDBReaders
  var visited: PageBitmap
  /// Pages of the free list, and those of them that an older version may need.
  var free: PageBitmap
  var pinned: PageBitmap
  var pending = 0
  var problems = ProblemList()
  var trees = LargestTrees()
  var isComplete = true
  /// Meta pages that the file has.
  private var metaPages = 0
  var freeListPages = 0
  var unusedBytes = 0
  private(set) var grid: SpaceGrid

  init(
    _ reader: WindowedReader, _ layout: MDBLayout, _ meta: MDBMeta, _ metas: [MDBMeta],
    _ readers: MDBReaders
  ) {
    self.reader = reader
    self.layout = layout
    self.meta = meta
    self.metas = metas
    self.readers = readers
    let inFile = reader.size / meta.pageBytes
    if meta.pageCount > inFile {
      problems.add("the meta page counts \(meta.pageCount) pages, and the file has \(inFile)")
      isComplete = false
    }
    let limit = min(meta.pageCount, inFile)
    visited = PageBitmap(limit: limit)
    free = PageBitmap(limit: limit)
    pinned = PageBitmap(limit: limit)
    grid = SpaceGrid(fileBytes: reader.size)
    grid.add(limit * meta.pageBytes, reader.size - limit * meta.pageBytes, .free)
    for page in 0..<layout.metaCount where visited.insert(page) {
      metaPages += 1
      grid.add(page * meta.pageBytes, meta.pageBytes, .overhead)
    }
  }

  /// The oldest version that a reader holds, or that an interrupted machine would go back to.
  private var lastSynced: UInt64 {
    metas.filter(\.isSynced).map(\.version).max() ?? 0
  }

  /// Where pages freed by a version are: reusable by the next commit, retained for a reader, or until one more commit.
  enum Availability { case free, pinned, pending }

  func availability(freedBy version: UInt64) -> Availability {
    if layout.isLMDB {
      // LMDB reuses what versions before the oldest one freed, of the newest and of those that are read.
      if version >= meta.version { return .pending }
      return version < readers.oldest ?? .max ? .free : .pinned
    }
    if version > lastSynced { return .pending }
    return version <= readers.oldest ?? .max ? .free : .pinned
  }

  mutating func report() throws(SystemError) -> FileReport {
    let block = try reader.block(at: meta.index * meta.pageBytes, count: 256)
    guard let block, let list = layout.tree(block, at: meta.treesOffset),
      let main = layout.tree(block, at: meta.treesOffset + layout.treeBytes)
    else {
      problems.add("the meta page has no trees")
      isComplete = false
      return makeReport()
    }
    var freeList = TreeUsage(name: "free list", kind: .other, root: list.root ?? 0)
    try walk(list, &freeList, .freeList)
    freeListPages = freeList.pages
    var tree = TreeUsage(name: "main", kind: .database, root: main.root ?? 0)
    try walk(main, &tree, .main)
    trees.add(tree)
    return makeReport()
  }

  /// Marks a page as used, and returns false with a problem where that cannot be.
  mutating func claim(_ page: Int, _ name: String, as use: SpaceGrid.Use = .live) -> Bool {
    guard page >= layout.metaCount, page < visited.limit else {
      problems.add("\(name) names page \(page) of \(visited.limit)")
      isComplete = false
      return false
    }
    guard visited.insert(page) else {
      problems.add("page \(page) is used twice, the second time by \(name)")
      isComplete = false
      return false
    }
    grid.add(page * meta.pageBytes, meta.pageBytes, use)
    return true
  }

  private func makeReport() -> FileReport {
    let page = meta.pageBytes
    let logical = meta.pageCount * page
    let overhead = metaPages + freeListPages
    let live = visited.count - free.count - overhead
    let lost = visited.limit - visited.count
    let reusable = free.count - pinned.count - pending
    let reason = "a damaged page may have led to more"
    func measure(_ count: Int) -> ByteMeasure {
      isComplete
        ? .exact(count * page)
        : .between(count * page, (count + lost) * page, reason: reason)
    }
    var report = FileReport(
      format: layout.format, formatVersion: formatVersion, fileBytes: reader.size, pageBytes: page,
      space: SpaceByUse(
        logical: logical, live: measure(live), free: measure(reusable),
        pinned: .exact(pinned.count * page), pending: .exact(pending * page),
        overhead: .exact(overhead * page),
        unreachable: isComplete ? .exact(lost * page) : .unknown(reason: reason),
        tail: max(0, reader.size - logical)),
      versions: versions, trees: trees, facts: facts,
      compacted: isComplete ? compacted(live) : .unknown(reason: reason), problems: problems)
    if lost > 0, isComplete, let first = PageBitmap.firstMissing(from: 0, visited, free) {
      report.problems.add(
        "page \(first) is not reachable" + (lost > 1 ? ", nor \(lost - 1) others" : ""))
    }
    report.grid = grid
    free.forEachRun { report.freePieces.add(offset: $0.lowerBound * page, size: $0.count * page) }
    return report
  }
}
