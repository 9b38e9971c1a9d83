// libmdbx's functions under the names that transactions use.
import CMDBX
import EngineInterface
import MDBInterface

extension MDBX_val: MDBValue {
  package init(address: UnsafeMutableRawPointer?, count: Int) {
    self.init(iov_base: address, iov_len: count)
  }

  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: iov_base, count: iov_len)
  }
}

extension MDBXLibrary: MDBLibrary {
  static var notFound: Int32 { MDBX_NOTFOUND }

  func get(
    _ transaction: OpaquePointer, _ table: UInt32, _ key: inout MDBX_val, _ value: inout MDBX_val
  ) -> Int32 {
    call.get(transaction, table, &key, &value)
  }

  func put(
    _ transaction: OpaquePointer, _ table: UInt32, _ key: inout MDBX_val, _ value: inout MDBX_val
  ) -> Int32 {
    call.put(transaction, table, &key, &value, 0)
  }

  func delete(_ transaction: OpaquePointer, _ table: UInt32, _ key: inout MDBX_val) -> Int32 {
    call.del(transaction, table, &key, nil)
  }

  func countRows(_ transaction: OpaquePointer, _ table: UInt32, _ count: inout Int) -> Int32 {
    var facts = MDBX_stat()
    let code = call.dbiStat(transaction, table, &facts, MemoryLayout<MDBX_stat>.size)
    count = Int(facts.ms_entries)
    return code
  }

  func openCursor(
    _ transaction: OpaquePointer, _ table: UInt32, _ cursor: inout OpaquePointer?
  ) -> Int32 {
    call.cursorOpen(transaction, table, &cursor)
  }

  func closeCursor(_ cursor: OpaquePointer?) { call.cursorClose(cursor) }

  func moveToFirst(
    _ cursor: OpaquePointer?, _ key: inout MDBX_val, _ value: inout MDBX_val
  ) -> Int32 {
    call.cursorGet(cursor, &key, &value, MDBX_FIRST)
  }

  func seek(_ cursor: OpaquePointer?, _ key: inout MDBX_val, _ value: inout MDBX_val) -> Int32 {
    call.cursorGet(cursor, &key, &value, MDBX_SET_RANGE)
  }

  func moveToNext(
    _ cursor: OpaquePointer?, _ key: inout MDBX_val, _ value: inout MDBX_val
  ) -> Int32 {
    call.cursorGet(cursor, &key, &value, MDBX_NEXT)
  }

  func version(of transaction: OpaquePointer) -> Int { Int(call.txnId(transaction)) }

  func reset(_ transaction: OpaquePointer) { _ = call.txnReset(transaction) }

  func renew(_ transaction: OpaquePointer) -> Int32 { call.txnRenew(transaction) }

  func commit(_ transaction: OpaquePointer) -> Int32 { call.txnCommit(transaction) }

  func abort(_ transaction: OpaquePointer) { _ = call.txnAbort(transaction) }
}
