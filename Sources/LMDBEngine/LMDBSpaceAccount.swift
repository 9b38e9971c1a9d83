// Where the bytes of an LMDB file are, exactly, from LMDB's own accounting: the statistics of its trees and its free
// database, whose records have the pages that each commit freed.
import CLMDB
import EngineInterface
import MDBInterface
import MetricModel
import SystemIO

/// The account of an environment. Safe to use from many threads.
///
/// It reads in a transaction of its own that is reset after each use: between uses it pins nothing.
final class SpaceAccount: @unchecked Sendable {
  /// The free database: each record's key is the transaction that freed the pages, its value their count and numbers.
  private static let freeDatabase: MDB_dbi = 0
  /// The table of tables.
  private static let mainDatabase: MDB_dbi = 1
  /// The two commit slots at the beginning of the file.
  private static let metaPages = 2

  private let lmdb: LMDBLibrary
  private let environment: Environment
  private let mutex = ThreadMutex()
  private let transaction: OpaquePointer
  private let freeCursor: OpaquePointer

  init(_ environment: Environment) throws(EngineError) {
    let lmdb = environment.lmdb
    self.lmdb = lmdb
    self.environment = environment
    var begun: OpaquePointer?
    try lmdb.check(
      lmdb.call.txnBegin(environment.handle, nil, UInt32(MDB_RDONLY), &begun), "measuring space")
    guard let begun else { preconditionFailure("LMDB began no transaction.") }
    var cursor: OpaquePointer?
    let code = lmdb.call.cursorOpen(begun, Self.freeDatabase, &cursor)
    guard code == MDB_SUCCESS, let cursor else {
      lmdb.call.txnAbort(begun)
      throw lmdb.error(code, while: "measuring space")
    }
    lmdb.call.txnReset(begun)
    transaction = begun
    freeCursor = cursor
  }

  deinit {
    lmdb.call.cursorClose(freeCursor)
    lmdb.call.txnAbort(transaction)
  }

  /// The account of the newest version.
  func usage() throws(EngineError) -> SpaceUsage {
    try mutex.withLock { () throws(EngineError) in
      let facts = try renew()
      defer { lmdb.call.txnReset(transaction) }
      let newest = facts.me_last_txnid
      let oldest = ReaderTable(environment).oldest ?? newest
      var live = try pages(Self.mainDatabase)
      for table in environment.allTables { live += try pages(table) }
      let freed = try freedPages(newest: newest, oldestReader: oldest)
      let overhead = Self.metaPages + (try pages(Self.freeDatabase))
      let size = ByteCount(environment.pageSize)
      return SpaceUsage(
        file: (facts.me_last_pgno + 1) * size, live: live * size, free: freed.free * size,
        pinned: freed.pinned * size, pending: freed.pending * size, overhead: overhead * size)
    }
  }

  /// Returns the number of versions that readers hold, including the newest.
  func liveVersions() throws(EngineError) -> Int {
    var facts = MDB_envinfo()
    try lmdb.check(lmdb.call.envInfo(environment.handle, &facts), "counting versions")
    return ReaderTable(environment).versions.union([facts.me_last_txnid]).count
  }

  /// Returns the pins of these readers. Only the end of the oldest one frees pages: those of the records between its
  /// version and that of the next reader, except the newest commit's own record.
  func pins(of readers: [HeldVersion]) throws(EngineError) -> [EnginePin] {
    guard let oldest = readers.first?.version else { return [] }
    return try mutex.withLock { () throws(EngineError) in
      let newest = try renew().me_last_txnid
      defer { lmdb.call.txnReset(transaction) }
      var retained = [Int](repeating: 0, count: readers.count)
      var freedByFirst = 0
      let next = min(newest, readers.dropFirst().first?.version ?? newest)
      try forEachRecord { commit, pages in
        for (index, reader) in readers.enumerated()
        where commit >= reader.version && reader.version < newest {
          retained[index] += pages
        }
        if commit >= oldest, commit < next { freedByFirst += pages }
      }
      let size = ByteCount(environment.pageSize)
      return readers.indices.map { index in
        EnginePin(
          label: readers[index].label, retained: retained[index] * size,
          exclusive: (index == 0 ? freedByFirst : 0) * size)
      }
    }
  }

  /// Moves to the newest version. Its number must be that of the commit slot that `last_pgno` comes from: while
  /// another thread commits, both are read again.
  private func renew() throws(EngineError) -> MDB_envinfo {
    while true {
      try lmdb.check(lmdb.call.txnRenew(transaction), "measuring space")
      var facts = MDB_envinfo()
      let code = lmdb.call.envInfo(environment.handle, &facts)
      if code == MDB_SUCCESS, facts.me_last_txnid == lmdb.call.txnId(transaction) { return facts }
      lmdb.call.txnReset(transaction)
      try lmdb.check(code, "measuring space")
    }
  }

  private func pages(_ table: MDB_dbi) throws(EngineError) -> Int {
    var facts = MDB_stat()
    try lmdb.check(lmdb.call.stat(transaction, table, &facts), "measuring space")
    return facts.ms_branch_pages + facts.ms_leaf_pages + facts.ms_overflow_pages
  }

  /// Walks the free database by the rule of LMDB's page allocator: the next commit reuses the records whose key is
  /// below both the newest version's number and the oldest reader's. The newest commit's own record always stays, so
  /// that the version before it is whole should the newest slot be lost: pending, or pinned where a reader is as old.
  private func freedPages(
    newest: Int, oldestReader: Int
  ) throws(EngineError) -> (free: Int, pinned: Int, pending: Int) {
    let reusableBelow = min(newest, oldestReader)
    var freed = (free: 0, pinned: 0, pending: 0)
    try forEachRecord { commit, pages in
      if commit < reusableBelow {
        freed.free += pages
      } else if oldestReader < newest {
        freed.pinned += pages
      } else {
        freed.pending += pages
      }
    }
    return freed
  }

  /// Calls `body` for each record of the free database, with the commit that freed the pages and their count.
  private func forEachRecord(_ body: (Int, Int) -> Void) throws(EngineError) {
    var key = MDB_val()
    var value = MDB_val()
    try lmdb.check(lmdb.call.cursorRenew(transaction, freeCursor), "measuring space")
    var code = lmdb.call.cursorGet(freeCursor, &key, &value, MDB_FIRST)
    while code == MDB_SUCCESS {
      body(key.bytes.loadUnaligned(as: Int.self), value.bytes.loadUnaligned(as: Int.self))
      code = lmdb.call.cursorGet(freeCursor, &key, &value, MDB_NEXT)
    }
    if code != MDB_NOTFOUND { throw lmdb.error(code, while: "measuring space") }
  }
}
