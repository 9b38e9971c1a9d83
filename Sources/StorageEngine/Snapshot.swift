// A read transaction: a version's roots, and the registration that keeps its blocks.

/// One version, pinned until `end` or until the object goes. Used by one thread at a time; may move between threads.
public final class Snapshot: @unchecked Sendable {
  public let label: String
  /// In raw memory, so that a look-up pays no exclusivity check; nil inside once the snapshot has ended.
  private let state: UnsafeMutablePointer<(store: Store, pin: PinnedVersion)?>

  init(_ store: Store, _ pin: PinnedVersion, label: String) {
    self.label = label
    state = .allocate(capacity: 1)
    state.initialize(to: (store, pin))
  }

  deinit {
    end()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// The version that is seen; 0 after `end`.
  public var version: UInt64 { state.pointee?.pin.version.number ?? 0 }

  /// Whether the bytes that look-ups give stay as they are until the snapshot ends or is refreshed, and may be looked at
  /// that long. In a plain file nothing that a registered version reaches is written over; what was decrypted of an
  /// encrypted one goes when nobody visits it. False after `end`.
  public var hasStableValues: Bool {
    state.pointee.map { $0.pin.version.space.view.encryptedFile == nil } ?? false
  }

  /// The table of that name in this version.
  public func table(_ name: String) -> Table? {
    guard let version = state.pointee?.pin.version else { return nil }
    return version.names.firstIndex(of: name).map {
      Table(index: $0, keyKind: version.roots[$0].kind)
    }
  }

  @inline(__always)
  private func current(_ table: Table, _ kind: KeyKind) throws(StorageError) -> VersionState {
    guard let version = state.pointee?.pin.version else {
      throw StorageError(.closed, "The snapshot has ended.")
    }
    guard table.keyKind == kind else { throw Database.wrongKind(table) }
    return version
  }

  /// Gives the row's bytes to `body` and answers true, or false where there is none. The bytes are valid within the
  /// call only.
  public func get(
    _ table: Table, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    let version = try current(table, .int64)
    let epoch = version.space.view.enterEpoch()
    defer { version.space.view.leaveEpoch(epoch) }
    guard let value = try TreeReader.find(version.root(table), Key(key), version.space) else {
      return false
    }
    body(value)
    return true
  }

  public func get(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    let version = try current(table, .bytes)
    let epoch = version.space.view.enterEpoch()
    defer { version.space.view.leaveEpoch(epoch) }
    guard let value = try TreeReader.find(version.root(table), Key(key), version.space) else {
      return false
    }
    body(value)
    return true
  }

  /// Gives up to `limit` rows in key order from `key` on; answers how many there were.
  public func scan(
    _ table: Table, from key: Int64 = .min, limit: Int = .max,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let version = try current(table, .int64)
    var count = 0
    var next: Int64? = key
    while count < limit, let from = next {
      let epoch = version.space.view.enterEpoch()
      defer { version.space.view.leaveEpoch(epoch) }
      var portion = Portion(version.space)
      var cursor = try TreeCursor(version.root(table), from: Key(from), version.space)
      while count < limit, portion.hasRoom, let (leaf, index) = cursor.current {
        let value = try leaf.value(index, .int64, version.space)
        body(leaf.number(index), value)
        count += 1
        portion.add(value.count)
        try cursor.advance()
      }
      next = cursor.current.map { $0.leaf.number($0.index) }
    }
    return count
  }

  /// What one visit of an encrypted file reads of a scan: all that was touched stays decrypted until its end. A plain file
  /// is read in one go.
  private struct Portion {
    private var left: Int

    init(_ space: BlockSpace) { left = space.view.encryptedFile == nil ? Int.max : 1 << 18 }

    var hasRoom: Bool { left > 0 }
    mutating func add(_ bytes: Int) { left &-= bytes &+ 16 }
  }

  /// The same for a table keyed by bytes; an empty `key` begins at the first row.
  public func scan(
    _ table: Table, from key: UnsafeRawBufferPointer, limit: Int = .max,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let version = try current(table, .bytes)
    var count = 0
    // The key behind the last row of the portion before.
    var next: [UInt8]?
    repeat {
      let epoch = version.space.view.enterEpoch()
      defer { version.space.view.leaveEpoch(epoch) }
      var portion = Portion(version.space)
      func begin() throws(StorageError) -> TreeCursor {
        guard let next else {
          return try TreeCursor(version.root(table), from: Key(key), version.space)
        }
        return try next.withBytes { (bytes) throws(StorageError) in
          try TreeCursor(version.root(table), from: Key(bytes), version.space)
        }
      }
      var cursor = try begin()
      while count < limit, portion.hasRoom, let (leaf, index) = cursor.current {
        let value = try leaf.value(index, .bytes, version.space)
        body(leaf.keyBytes(index), value)
        count += 1
        portion.add(value.count)
        try cursor.advance()
      }
      next = cursor.current.map { Array($0.leaf.keyBytes($0.index)) }
    } while count < limit && next != nil
    return count
  }

  /// How many rows the table has in this version.
  public func count(_ table: Table) throws(StorageError) -> Int {
    try current(table, table.keyKind).root(table).rows
  }

  /// One more snapshot of the same version, with a label and an end of its own.
  public func duplicate(label: String) throws(StorageError) -> Snapshot {
    guard let own = state.pointee else {
      throw StorageError(.closed, "The snapshot has ended.")
    }
    return Snapshot(own.store, try own.store.pinAgain(own.pin, label: label), label: label)
  }

  /// Moves to the newest version, as ending and beginning again would.
  public func refresh() throws(StorageError) {
    guard let old = state.pointee else {
      throw StorageError(.closed, "The snapshot has ended.")
    }
    let pin = try old.store.pinNewest(label: label)
    state.pointee = (old.store, pin)
    old.store.unpin(old.pin)
  }

  /// Ends the read transaction. Again is nothing.
  public func end() {
    guard let old = state.pointee else { return }
    state.pointee = nil
    old.store.unpin(old.pin)
  }
}
