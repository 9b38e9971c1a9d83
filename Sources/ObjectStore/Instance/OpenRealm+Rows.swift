// Reading rows: in the write transaction if there is one, in the snapshot otherwise.
import StorageEngine

extension OpenRealm {
  /// Calls `body` with the row's bytes; returns false if there is no such row.
  @inline(__always)
  func get(
    _ table: Table, _ key: RowKey, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    if let writing {
      switch key {
      case .int(let key): return try writing.get(table, key, body)
      case .bytes(let key):
        return try withBytes(key) { (key) throws(StorageError) in
          try writing.get(table, key, body)
        }
      }
    }
    let snapshot = try snapshot()
    switch key {
    case .int(let key): return try snapshot.get(table, key, body)
    case .bytes(let key):
      return try withBytes(key) { (key) throws(StorageError) in
        try snapshot.get(table, key, body)
      }
    }
  }

  /// Calls `body` with the rows from `first` on in key order, until it returns false. `body` may change the table: rows
  /// are read in batches, and the next batch begins after the last key.
  func scan(
    _ table: Table, from first: RowKey? = nil,
    _ body: (RowKey, UnsafeRawBufferPointer) -> Bool
  ) throws(StorageError) {
    let batch = 256
    var wantsMore = true
    var next = first
    while wantsMore {
      var last: RowKey?
      let count = try scanBatch(table, from: next, limit: batch) { key, value in
        guard wantsMore else { return }
        wantsMore = body(key, value)
        last = key
      }
      guard count == batch, let last, let following = last.next else { return }
      next = following
    }
  }

  private func scanBatch(
    _ table: Table, from first: RowKey?, limit: Int,
    _ body: (RowKey, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    if table.keyKind == .int64 {
      var key = Int64.min
      if case .int(let first)? = first { key = first }
      if let writing {
        return try writing.scan(table, from: key, limit: limit) { body(.int($0), $1) }
      }
      return try snapshot().scan(table, from: key, limit: limit) { body(.int($0), $1) }
    }
    var key: [UInt8] = []
    if case .bytes(let first)? = first { key = first }
    return try withBytes(key) { (key) throws(StorageError) in
      if let writing {
        return try writing.scan(table, from: key, limit: limit) { body(.bytes(Array($0)), $1) }
      }
      return try snapshot().scan(table, from: key, limit: limit) { body(.bytes(Array($0)), $1) }
    }
  }

  /// Calls `body` with the rows before `end`, or all, in descending key order, until it returns false. `body` must not change
  /// the table.
  func scanBackward(
    _ table: Table, before end: RowKey?, _ body: (RowKey, UnsafeRawBufferPointer) -> Bool
  ) throws(StorageError) {
    // Mostly the first row is the one that is wanted.
    var batch = 4
    var wantsMore = true
    var next = end
    while wantsMore {
      var last: RowKey?
      let count = try scanBatchBackward(table, before: next, limit: batch) { key, value in
        guard wantsMore else { return }
        wantsMore = body(key, value)
        last = key
      }
      guard count == batch, let last else { return }
      next = last
      batch = min(4 * batch, 256)
    }
  }

  private func scanBatchBackward(
    _ table: Table, before end: RowKey?, limit: Int,
    _ body: (RowKey, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    if table.keyKind == .int64 {
      var key: Int64?
      if case .int(let end)? = end { key = end }
      if let writing {
        return try writing.scanBackward(table, before: key, limit: limit) { body(.int($0), $1) }
      }
      return try snapshot().scanBackward(table, before: key, limit: limit) { body(.int($0), $1) }
    }
    var key: [UInt8] = []
    if case .bytes(let end)? = end { key = end }
    return try withBytes(key) { (key) throws(StorageError) in
      if let writing {
        return try writing.scanBackward(table, before: key, limit: limit) {
          body(.bytes(Array($0)), $1)
        }
      }
      return try snapshot().scanBackward(table, before: key, limit: limit) {
        body(.bytes(Array($0)), $1)
      }
    }
  }

  func count(_ table: Table) throws(StorageError) -> Int {
    if let writing { return try writing.count(table) }
    return try snapshot().count(table)
  }
}
