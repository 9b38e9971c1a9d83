// Where the bytes of a libmdbx file are, exactly, from libmdbx's own books: the geometry, the statistics of its trees and
// its free database, whose records have the pages that each commit freed.
import CMDBX
import EngineInterface
import MDBInterface
import MetricModel
import SystemIO

/// The account of an environment. Safe to use from many threads.
///
/// It reads in a transaction of its own that is reset after each use: between uses it pins nothing.
final class SpaceAccount: @unchecked Sendable {
  /// The three commit slots at the beginning of the file.
  private static let metaPages = 3

  private let mdbx: MDBXLibrary
  private let environment: Environment
  private let mutex = ThreadMutex()
  private let transaction: OpaquePointer

  init(_ environment: Environment) throws(EngineError) {
    let mdbx = environment.mdbx
    self.mdbx = mdbx
    self.environment = environment
    var begun: OpaquePointer?
    try mdbx.check(
      mdbx.call.txnBeginEx(environment.handle, nil, UInt32(MDBX_TXN_RDONLY), &begun, nil),
      "measuring space")
    guard let begun else { preconditionFailure("libmdbx began no transaction.") }
    _ = mdbx.call.txnReset(begun)
    transaction = begun
  }

  deinit { _ = mdbx.call.txnAbort(transaction) }

  /// The account of the newest version, beside these readers.
  func usage(beside readers: [HeldVersion]) throws(EngineError) -> SpaceUsage {
    try atNewestVersion { facts throws(EngineError) in
      let live = try livePages()
      var freed = FreedPages(oldestReader: (readers.first?.version).map { UInt64($0) }, facts)
      try forEachRecord { freed.count($0, pages: $1) }
      let overhead = Self.metaPages + (try pages(CoreTable.free))
      let size = ByteCount(environment.pageSize)
      // What lies behind the last page that was ever used is free as much as what is in the free database.
      let unused = facts.length - (facts.lastPage + 1) * size
      return SpaceUsage(
        file: facts.length, live: live * size, free: freed.free * size + unused,
        pinned: freed.pinned * size, pending: freed.pending * size, overhead: overhead * size)
    }
  }

  /// Returns the bytes pinned by each reader. Only the end of the oldest one frees pages: those freed between its version
  /// and the next reader's, unless the last durable version needs them.
  func pins(of readers: [HeldVersion]) throws(EngineError) -> [EnginePin] {
    if readers.isEmpty { return [] }
    return try atNewestVersion { facts throws(EngineError) in
      var retained = [Int](repeating: 0, count: readers.count)
      var freedByFirst = 0
      let next = min(
        readers.dropFirst().first?.version ?? .max, facts.lastDurableVersion.map { Int($0) } ?? .max
      )
      try forEachRecord { freedBy, pages in
        let version = Int(freedBy)
        for (index, reader) in readers.enumerated() where version > reader.version {
          retained[index] += pages
        }
        if version > readers[0].version, version <= next { freedByFirst += pages }
      }
      return readers.indices.map { index in
        EnginePin(
          label: readers[index].label, retained: retained[index] * environment.pageBytes,
          exclusive: (index == 0 ? freedByFirst : 0) * environment.pageBytes)
      }
    }
  }

  /// Runs `body` in a transaction on the newest version, with what libmdbx reports of that version.
  private func atNewestVersion<Result>(
    _ body: (EnvironmentFacts) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try mutex.withLock { () throws(EngineError) in
      try mdbx.check(mdbx.call.txnRenew(transaction), "measuring space")
      defer { _ = mdbx.call.txnReset(transaction) }
      return try body(try environment.facts(transaction))
    }
  }

  /// Returns the size of a compacted copy of the newest version: the pages of the tables, and the slots.
  func copyBytes() throws(EngineError) -> ByteCount {
    try atNewestVersion { _ throws(EngineError) in
      (try livePages() + Self.metaPages) * environment.pageBytes
    }
  }

  private func livePages() throws(EngineError) -> Int {
    var live = try pages(CoreTable.main)
    for table in environment.allTables { live += try pages(table) }
    return live
  }

  private func pages(_ table: MDBX_dbi) throws(EngineError) -> Int {
    var facts = MDBX_stat()
    try mdbx.check(
      mdbx.call.dbiStat(transaction, table, &facts, MemoryLayout<MDBX_stat>.size),
      "measuring space")
    return Int(facts.ms_branch_pages + facts.ms_leaf_pages + facts.ms_overflow_pages)
  }

  /// Gives each record of the free database: the version that freed the pages, and how many there are.
  private func forEachRecord(_ body: (UInt64, Int) -> Void) throws(EngineError) {
    try mdbx.forEachRecord(transaction, CoreTable.free, "measuring space") { version, pages in
      body(version.loadUnaligned(as: UInt64.self), Int(pages.loadUnaligned(as: UInt32.self)))
    }
  }
}

/// The pages of the free database, sorted by the rule of libmdbx's page allocator: the next commit reuses the
/// records of versions up to the last durable one and the oldest reader's, both included.
private struct FreedPages {
  private let lastDurable: UInt64
  private let oldestReader: UInt64
  private(set) var free = 0
  private(set) var pinned = 0
  private(set) var pending = 0

  init(oldestReader: UInt64?, _ facts: EnvironmentFacts) {
    lastDurable = facts.lastDurableVersion ?? .max
    self.oldestReader = oldestReader ?? .max
  }

  mutating func count(_ version: UInt64, pages: Int) {
    if version > oldestReader {
      pinned += pages
    } else if version > lastDurable {
      pending += pages
    } else {
      free += pages
    }
  }
}

extension Environment {
  var pageBytes: ByteCount { ByteCount(pageSize) }
}
