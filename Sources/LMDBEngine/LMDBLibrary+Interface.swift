// LMDB's functions under the names that transactions use.
import CLMDB
import EngineInterface
import MDBInterface

extension MDB_val: MDBValue {
  package init(address: UnsafeMutableRawPointer?, count: Int) {
    self.init(mv_size: count, mv_data: address)
  }

  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: mv_data, count: mv_size)
  }
}

extension LMDBLibrary: MDBLibrary {
  static var notFound: Int32 { MDB_NOTFOUND }

  func get(
    _ transaction: OpaquePointer, _ table: UInt32, _ key: inout MDB_val, _ value: inout MDB_val
  ) -> Int32 {
    call.get(transaction, table, &key, &value)
  }

  func put(
    _ transaction: OpaquePointer, _ table: UInt32, _ key: inout MDB_val, _ value: inout MDB_val
  ) -> Int32 {
    call.put(transaction, table, &key, &value, 0)
  }

  func delete(_ transaction: OpaquePointer, _ table: UInt32, _ key: inout MDB_val) -> Int32 {
    call.del(transaction, table, &key, nil)
  }

  func countRows(_ transaction: OpaquePointer, _ table: UInt32, _ count: inout Int) -> Int32 {
    var facts = MDB_stat()
    let code = call.stat(transaction, table, &facts)
    count = facts.ms_entries
    return code
  }

  func openCursor(
    _ transaction: OpaquePointer, _ table: UInt32, _ cursor: inout OpaquePointer?
  ) -> Int32 {
    call.cursorOpen(transaction, table, &cursor)
  }

  func closeCursor(_ cursor: OpaquePointer?) { call.cursorClose(cursor) }

  func moveToFirst(
    _ cursor: OpaquePointer?, _ key: inout MDB_val, _ value: inout MDB_val
  ) -> Int32 {
    call.cursorGet(cursor, &key, &value, MDB_FIRST)
  }

  func seek(_ cursor: OpaquePointer?, _ key: inout MDB_val, _ value: inout MDB_val) -> Int32 {
    call.cursorGet(cursor, &key, &value, MDB_SET_RANGE)
  }

  func moveToNext(
    _ cursor: OpaquePointer?, _ key: inout MDB_val, _ value: inout MDB_val
  ) -> Int32 {
    call.cursorGet(cursor, &key, &value, MDB_NEXT)
  }

  func version(of transaction: OpaquePointer) -> Int { call.txnId(transaction) }

  func reset(_ transaction: OpaquePointer) { call.txnReset(transaction) }

  func renew(_ transaction: OpaquePointer) -> Int32 { call.txnRenew(transaction) }

  func commit(_ transaction: OpaquePointer) -> Int32 { call.txnCommit(transaction) }

  func abort(_ transaction: OpaquePointer) { call.txnAbort(transaction) }
}
