// LMDB with its defaults: integer keys, no writable map, a synced meta page per durable commit; without sync,
// MDB_NOSYNC.
import BenchSupport
import CBenchLMDB

final class LMDBBench: BenchEngine {
  let name = "LMDB"
  let modes: [CommitMode] = [.durable, .unsynced]
  let readsInParallel = true
  private let path: String
  private var environment: OpaquePointer?
  private var table: MDB_dbi = 0

  init(folder: String) throws {
    path = folder + "/lmdb.db"
    try reopen()
  }

  var files: [String] { [path] }

  func reopen() throws {
    try check(mdb_env_create(&environment))
    try check(mdb_env_set_mapsize(environment, 32 << 30))
    try check(mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR | MDB_NOTLS), 0o644))
    try write { transaction in
      try check(mdb_dbi_open(transaction, nil, UInt32(MDB_INTEGERKEY), &table))
    }
  }

  func load(_ keys: Range<Int64>, value: UnsafeRawBufferPointer) throws {
    try write { transaction in
      for key in keys { try put(transaction, key, value, UInt32(MDB_APPEND)) }
    }
  }

  func setMode(_ mode: CommitMode) throws {
    try check(mdb_env_set_flags(environment, UInt32(MDB_NOSYNC), mode == .unsynced ? 1 : 0))
    if mode != .unsynced { try check(mdb_env_sync(environment, 1)) }
  }

  func update(_ keys: [Int64], value: UnsafeRawBufferPointer) throws {
    try write { transaction in
      for key in keys { try put(transaction, key, value, 0) }
    }
  }

  func delete(_ keys: [Int64]) throws {
    try write { transaction in
      for key in keys {
        var number = key
        try withUnsafeMutableBytes(of: &number) { bytes in
          var name = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
          try check(mdb_del(transaction, table, &name, nil))
        }
      }
    }
  }

  private func reading<Result>(_ body: (OpaquePointer?) throws -> Result) throws -> Result {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
    defer { mdb_txn_abort(transaction) }
    return try body(transaction)
  }

  func read(_ keys: [Int64]) throws -> UInt64 {
    try reading { transaction in
      var total: UInt64 = 0
      for key in keys {
        var number = key
        try withUnsafeMutableBytes(of: &number) { bytes in
          var name = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
          var found = MDB_val()
          try check(mdb_get(transaction, table, &name, &found))
          total &+= sum(UnsafeRawBufferPointer(start: found.mv_data, count: found.mv_size))
        }
      }
      return total
    }
  }

  func scan() throws -> UInt64 {
    try reading { transaction in
      var cursor: OpaquePointer?
      try check(mdb_cursor_open(transaction, table, &cursor))
      defer { mdb_cursor_close(cursor) }
      var total: UInt64 = 0
      var key = MDB_val()
      var found = MDB_val()
      while mdb_cursor_get(cursor, &key, &found, MDB_NEXT) == MDB_SUCCESS {
        total &+= sum(UnsafeRawBufferPointer(start: found.mv_data, count: found.mv_size))
      }
      return total
    }
  }

  func close() throws { mdb_env_close(environment) }

  private func write(_ body: (OpaquePointer?) throws -> Void) throws {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(environment, nil, 0, &transaction))
    do {
      try body(transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction))
  }

  private func put(
    _ transaction: OpaquePointer?, _ key: Int64, _ value: UnsafeRawBufferPointer, _ flags: UInt32
  ) throws {
    var number = key
    try withUnsafeMutableBytes(of: &number) { bytes in
      var name = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var data = MDB_val(
        mv_size: value.count, mv_data: UnsafeMutableRawPointer(mutating: value.baseAddress))
      try check(mdb_put(transaction, table, &name, &data, flags))
    }
  }

  private func check(_ code: Int32) throws {
    guard code != MDB_SUCCESS else { return }
    throw BenchError(description: "LMDB: " + String(cString: mdb_strerror(code)))
  }
}
