// What the C interfaces of LMDB and libmdbx have in common. libmdbx descends from LMDB, and its functions for transactions,
// rows and cursors still have the same meaning; names, types and the order of a structure's members differ. Everything here
// is generic and inlinable, so that each adapter is compiled for its own library, without a call through a witness table.
package import EngineInterface

/// A key or a value as the library takes it: `MDB_val`, `MDBX_val`.
package protocol MDBValue {
  init(address: UnsafeMutableRawPointer?, count: Int)

  /// The bytes that the library points at: valid until the transaction ends or, in a write transaction, changes something.
  var bytes: UnsafeRawBufferPointer { get }
}

/// The functions of one library. Each returns the library's code: 0 for success.
package protocol MDBLibrary: Sendable {
  associatedtype Value: MDBValue

  /// The code for a row or position that does not exist.
  static var notFound: Int32 { get }

  func get(
    _ transaction: OpaquePointer, _ table: UInt32, _ key: inout Value, _ value: inout Value
  ) -> Int32
  func put(
    _ transaction: OpaquePointer, _ table: UInt32, _ key: inout Value, _ value: inout Value
  ) -> Int32
  func delete(_ transaction: OpaquePointer, _ table: UInt32, _ key: inout Value) -> Int32
  func countRows(_ transaction: OpaquePointer, _ table: UInt32, _ count: inout Int) -> Int32

  func openCursor(
    _ transaction: OpaquePointer, _ table: UInt32, _ cursor: inout OpaquePointer?
  ) -> Int32
  func closeCursor(_ cursor: OpaquePointer?)
  func moveToFirst(_ cursor: OpaquePointer?, _ key: inout Value, _ value: inout Value) -> Int32
  /// Moves the cursor to the first row whose key is at least `key`.
  func seek(_ cursor: OpaquePointer?, _ key: inout Value, _ value: inout Value) -> Int32
  /// Moves the cursor to the row after the present one.
  func moveToNext(_ cursor: OpaquePointer?, _ key: inout Value, _ value: inout Value) -> Int32

  func version(of transaction: OpaquePointer) -> Int
  /// Releases the version of a read transaction, which is then renewed or aborted.
  func reset(_ transaction: OpaquePointer)
  func renew(_ transaction: OpaquePointer) -> Int32
  func commit(_ transaction: OpaquePointer) -> Int32
  func abort(_ transaction: OpaquePointer)

  /// Returns the error for a code other than 0, with what was being done.
  func error(_ code: Int32, while action: String) -> EngineError
}

extension MDBLibrary {
  /// Throws if the library did not return success.
  @inlinable package func check(
    _ code: Int32, _ action: @autoclosure () -> String
  ) throws(EngineError) {
    if code != 0 { throw error(code, while: action()) }
  }

  /// A point read, the same in snapshots and write transactions.
  @inlinable @inline(__always)
  func read(
    _ transaction: OpaquePointer, _ table: UInt32, _ key: Int64,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    var integerKey = IntegerKey(key)
    var value = Value(address: nil, count: 0)
    let code = integerKey.withValue { get(transaction, table, &$0, &value) }
    if code == 0 {
      body(value.bytes)
      return true
    }
    if code == Self.notFound { return false }
    throw error(code, while: "reading a row")
  }
}

extension MDBLibrary {
  /// Calls `body` with the key and the value of each record of a table, in the order of the keys.
  @inlinable package func forEachRecord(
    _ transaction: OpaquePointer, _ table: UInt32, _ action: @autoclosure () -> String,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) {
    var cursor: OpaquePointer?
    try check(openCursor(transaction, table, &cursor), action())
    defer { closeCursor(cursor) }
    var key = Value(address: nil, count: 0)
    var value = Value(address: nil, count: 0)
    var code = moveToFirst(cursor, &key, &value)
    while code == 0 {
      body(key.bytes, value.bytes)
      code = moveToNext(cursor, &key, &value)
    }
    if code != Self.notFound { throw error(code, while: action()) }
  }
}

/// What transactions need of the session that began them.
package protocol MDBSession: AnyObject, Sendable {
  associatedtype Library: MDBLibrary

  var library: Library { get }

  /// A snapshot was moved to another version.
  func moved(_ pin: Int, to version: Int)

  /// A thread renews the snapshot from now on.
  func beginRenewing(_ pin: Int)

  /// Ends a snapshot; `pin` is nil for one that a thread renewed.
  func end(_ snapshot: OpaquePointer, pin: Int?)

  /// The write transaction has ended. Called on its thread.
  func writeEnded(committed: Bool)
}
