// A prepared statement as a plain value: the connection destroys it, so that using one on a hot path counts no references.
import CDuckDB
import EngineInterface

/// A prepared statement of a connection. Used by the connection's thread, not after the connection is gone.
struct Statement {
  let duck: DuckDBLibrary
  let handle: OpaquePointer

  /// Binds a value to the parameter `$1`, `$2`, …
  @inline(__always)
  func bind(_ number: Int64, at parameterIndex: UInt64) {
    _ = duck.call.bindInt64(handle, parameterIndex, number)
  }

  /// Binds bytes, which are copied.
  @inline(__always)
  func bind(_ bytes: UnsafeRawBufferPointer, at parameterIndex: UInt64) {
    // No address would mean NULL.
    guard let address = bytes.baseAddress, bytes.count > 0 else {
      var empty: UInt8 = 0
      _ = duck.call.bindBlob(handle, parameterIndex, &empty, 0)
      return
    }
    _ = duck.call.bindBlob(handle, parameterIndex, address, UInt64(bytes.count))
  }

  /// Runs a statement that returns no rows.
  @inline(__always)
  func run() throws(EngineError) {
    try withResult { _ in }
  }

  /// Runs a statement that changes rows, and returns how many: DuckDB reads the number from rows of the result.
  @inline(__always)
  func countChangedRows() throws(EngineError) -> Int {
    try withResult { Int(duck.call.rowsChanged(&$0)) }
  }

  /// Runs a query of at most one row, calls `body` with the chunk that has it, and returns whether there is one.
  @inline(__always)
  func forFirstRow(_ body: (Chunk) -> Void) throws(EngineError) -> Bool {
    try withResult { result in
      guard var chunk = duck.call.fetchChunk(result) as OpaquePointer? else { return false }
      defer { destroy(&chunk) }
      let rows = Chunk(duck: duck, handle: chunk)
      if rows.count == 0 { return false }
      body(rows)
      return true
    }
  }

  /// Runs a query, calls `body` with the chunks of its rows, and returns the number of rows.
  @inline(__always)
  @discardableResult
  func forEachChunk(_ body: (Chunk) -> Void) throws(EngineError) -> Int {
    try withResult { result in
      var seen = 0
      while var chunk = duck.call.fetchChunk(result) as OpaquePointer? {
        let rows = Chunk(duck: duck, handle: chunk)
        seen += rows.count
        body(rows)
        destroy(&chunk)
      }
      return seen
    }
  }

  /// Runs a query of one row of numbers.
  func numbers(_ count: Int) throws(EngineError) -> [Int] {
    var numbers: [Int] = []
    try forEachChunk { chunk in
      for column in 0..<count where chunk.count > 0 { numbers.append(Int(chunk.keys(column)[0])) }
    }
    return numbers
  }

  @inline(__always)
  private func withResult<Value>(
    _ body: (inout duckdb_result) -> Value
  ) throws(EngineError) -> Value {
    var result = duckdb_result()
    let state = duck.call.executePrepared(handle, &result)
    defer { duck.call.destroyResult(&result) }
    guard state == DuckDBSuccess else { throw failed(&result) }
    return body(&result)
  }

  @inline(__always)
  private func destroy(_ chunk: inout OpaquePointer) {
    withUnsafeMutablePointer(to: &chunk) { address in
      address.withMemoryRebound(to: OpaquePointer?.self, capacity: 1) {
        duck.call.destroyChunk($0)
      }
    }
  }

  @inline(never)
  private func failed(_ result: inout duckdb_result) -> EngineError {
    DuckDBFailure(duck.call.resultError(&result)).error(while: "a statement")
  }
}

/// Rows of a result, up to 2,048 of them.
struct Chunk {
  let duck: DuckDBLibrary
  let handle: OpaquePointer

  var count: Int { Int(duck.call.chunkSize(handle)) }

  /// The column of BIGINT.
  func keys(_ column: Int) -> UnsafePointer<Int64> {
    UnsafePointer(data(column).assumingMemoryBound(to: Int64.self))
  }

  /// The column of BLOB.
  func values(_ column: Int) -> BlobColumn {
    BlobColumn(first: UnsafePointer(data(column).assumingMemoryBound(to: duckdb_string_t.self)))
  }

  private func data(_ column: Int) -> UnsafeMutableRawPointer {
    guard let data = duck.call.vectorData(duck.call.chunkVector(handle, UInt64(column))) else {
      preconditionFailure("DuckDB returned a column without data.")
    }
    return data
  }
}

/// A column of values of bytes.
struct BlobColumn {
  let first: UnsafePointer<duckdb_string_t>
  /// As many bytes are in the column itself.
  private static let maxInlined = 12
  private static let inlinedOffset = 4

  /// The bytes are valid as long as the chunk.
  @inline(__always)
  subscript(row: Int) -> UnsafeRawBufferPointer {
    let value = first + row
    let count = Int(value.pointee.length)
    return UnsafeRawBufferPointer(
      start: count <= Self.maxInlined
        ? UnsafeRawPointer(value) + Self.inlinedOffset
        : UnsafeRawPointer(value.pointee.address),
      count: count)
  }
}
