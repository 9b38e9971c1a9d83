// One walk over an SQLite database. Every page gets one use: bits for visited and for free pages, nothing else for each.
import SystemIO

struct SQLiteWalk {
  static let maxDepth = 20

  let header: SQLiteHeader
  private(set) var pages: SQLitePages
  var visited: PageBitmap
  var free: PageBitmap
  var problems = ProblemList()
  var trees = LargestTrees()
  /// The pages that a VACUUM would write.
  var packed = 0...0
  var unusedBytes = 0
  var isComplete = true
  var autoVacuumMaps = 0
  private(set) var grid: SpaceGrid

  init(main: WindowedReader, log: SQLiteLog?, header: SQLiteHeader) {
    self.header = header
    let fits = log?.pageBytes == header.pageBytes
    var pages = SQLitePages(main: main, log: fits ? log : nil, pageBytes: header.pageBytes)
    pages.setCount(header: header)
    if let log, !fits, log.committedFrames > 0 {
      problems.add(
        "the log has pages of \(log.pageBytes) B and the database of \(header.pageBytes) B: the log was left out"
      )
    }
    // A damaged count must not make the maps of bits larger than the file warrants.
    let known = main.size / header.pageBytes + (pages.log?.pagesInLog ?? 0)
    if pages.count > known {
      problems.add("the header counts \(pages.count) pages, and only \(known) are there")
      pages.limitCount(to: known)
      isComplete = false
    }
    self.pages = pages
    visited = PageBitmap(limit: pages.count + 1)
    free = PageBitmap(limit: pages.count + 1)
    let logical = pages.count * header.pageBytes
    grid = SpaceGrid(fileBytes: max(logical, main.size))
    grid.add(logical, main.size - logical, .free)
  }

  /// Marks a page as used, and returns false with a problem where that cannot be.
  mutating func claim(
    _ page: Int, _ use: @autoclosure () -> String, as kind: SpaceGrid.Use = .live
  ) -> Bool {
    guard page >= 1, page <= pages.count else {
      problems.add("\(use()) names page \(page), and the last is \(pages.count)")
      isComplete = false
      return false
    }
    guard visited.insert(page) else {
      problems.add("page \(page) is used twice, the second time by \(use())")
      isComplete = false
      return false
    }
    note(page, kind)
    return true
  }

  private mutating func note(_ page: Int, _ kind: SpaceGrid.Use) {
    grid.add((page - 1) * header.pageBytes, header.pageBytes, kind)
  }

  mutating func report() throws(SystemError) -> FileReport {
    markReservedPages()
    try readFreelist()
    let schema = try readSchema()
    trees.add(schema)
    let report = makeReport()
    return report
  }

  /// Marks the pages that no tree and no list has: pointer maps, and the page of the lock byte.
  private mutating func markReservedPages() {
    if header.lockBytePage <= pages.count, visited.insert(header.lockBytePage) {
      note(header.lockBytePage, .overhead)
    }
    guard header.hasPointerMap else { return }
    var page = 2
    while page <= pages.count {
      let map = page == header.lockBytePage ? page + 1 : page
      if map <= pages.count, visited.insert(map) {
        autoVacuumMaps += 1
        note(map, .overhead)
      }
      page += header.usableBytes / 5 + 1
    }
  }

  private mutating func readFreelist() throws(SystemError) {
    var trunk = header.firstTrunk
    while trunk != 0 {
      guard claim(trunk, "the free list", as: .free) else { break }
      guard let block = try pages.block(trunk), let next = block.big(0, 4),
        let leaves = block.big(4, 4), leaves <= header.usableBytes / 4 - 2
      else {
        problems.add("page \(trunk) of the free list is damaged or not there")
        isComplete = false
        break
      }
      _ = free.insert(trunk)
      for index in 0..<leaves {
        let page = block.big(8 + 4 * index, 4) ?? 0
        if claim(page, "the free list", as: .free) { _ = free.insert(page) }
      }
      trunk = next
    }
    if free.count != header.freelistCount {
      problems.add(
        "the header counts \(header.freelistCount) free pages, and the free list has \(free.count)")
    }
  }

  private func makeReport() -> FileReport {
    let page = header.pageBytes
    let logical = pages.count * page
    let overheadPages = autoVacuumMaps + (header.lockBytePage <= pages.count ? 1 : 0)
    let livePages = visited.count - free.count - overheadPages
    let lost = pages.count - visited.count
    var report = FileReport(
      format: .sqlite, formatVersion: formatVersion, fileBytes: pages.main.size, pageBytes: page,
      space: SpaceByUse(
        logical: logical, live: measure(livePages), free: measure(free.count),
        overhead: .exact(overheadPages * page),
        unreachable: isComplete
          ? .exact(lost * page)
          : .unknown(reason: "a damaged page may have led to more"),
        tail: max(0, pages.main.size - logical)),
      log: pages.log?.report, trees: trees, facts: facts, compacted: compacted(livePages),
      problems: problems)
    if lost > 0, let first = PageBitmap.firstMissing(from: 1, visited, free) {
      report.problems.add(
        "page \(first) is not reachable" + (lost > 1 ? ", nor \(lost - 1) others" : ""))
    }
    free.forEachRun {
      report.freePieces.add(offset: ($0.lowerBound - 1) * page, size: $0.count * page)
    }
    report.versions = versions
    report.grid = grid
    return report
  }

  /// Live pages that were reached are a lower bound where a damaged page may have led to more.
  private func measure(_ count: Int) -> ByteMeasure {
    let page = header.pageBytes
    let reason = "a damaged page may have led to more"
    return isComplete
      ? .exact(count * page)
      : .between(count * page, (count + pages.count - visited.count) * page, reason: reason)
  }
}
