// Read transactions.

/// A read transaction: one version, pinned until `end` or until the object is released. Used by one thread at a time;
/// may move between threads.
public final class Snapshot: @unchecked Sendable {
  /// The label that `beginSnapshot` was given.
  public let label: String
  /// In raw memory, so that a look-up pays no exclusivity check; nil once the snapshot has ended.
  private let state: UnsafeMutablePointer<State?>

  private struct State {
    let store: Store
    let pin: PinnedVersion
    /// The version of the pin, for reads: retained for each row, its reference count would be written by all readers of the
    /// version.
    let unretainedVersion: Unmanaged<VersionState>

    init(_ store: Store, _ pin: PinnedVersion) {
      (self.store, self.pin) = (store, pin)
      unretainedVersion = .passUnretained(pin.version)
    }
  }

  init(_ store: Store, _ pin: PinnedVersion, label: String) {
    self.label = label
    state = .allocate(capacity: 1)
    state.initialize(to: State(store, pin))
  }

  deinit {
    end()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// The pinned version; 0 after `end`.
  public var version: UInt64 { state.pointee?.pin.version.number ?? 0 }

  /// The store and the pinned version; nil after `end`.
  var pinned: (store: Store, version: VersionState)? {
    state.pointee.map { ($0.store, $0.pin.version) }
  }

  /// Whether the bytes that look-ups pass to their closures stay valid and unchanged until the snapshot ends or is
  /// refreshed. True for a plain file, in which nothing that a registered version reaches is overwritten; false for an
  /// encrypted one, whose decrypted units may be evicted, and after `end`.
  public var hasStableValues: Bool {
    state.pointee.map { $0.pin.version.space.view.encryptedFile == nil } ?? false
  }

  /// Returns the table of this name in this version; nil if there is none.
  public func table(_ name: String) -> Table? {
    guard let version = state.pointee?.pin.version else { return nil }
    return version.names.firstIndex(of: name).map {
      Table(index: $0, keyKind: version.roots[$0].kind)
    }
  }

  /// Returns copies of what a read needs of the version. Errors: `closed`, `unsupported` for a table with keys of another
  /// kind.
  @inline(__always)
  private func current(
    _ table: Table, _ kind: KeyKind
  ) throws(StorageError) -> (root: TableRoot, space: BlockSpace) {
    guard let version = state.pointee?.unretainedVersion else {
      throw StorageError(.closed, "The snapshot has ended.")
    }
    guard table.keyKind == kind else { throw Database.wrongKind(table) }
    return version._withUnsafeGuaranteedRef { ($0.root(table), $0.space) }
  }

  /// Calls `body` with the value of the row and returns true; returns false if there is no such row. The bytes are
  /// valid within the call only, unless `hasStableValues`. Errors: `corrupt`, `closed`, `unsupported` for a table with
  /// keys of another kind.
  public func get(
    _ table: Table, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try get(table, TreeKey(key), body)
  }

  /// The same for a table with keys of bytes.
  public func get(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try get(table, TreeKey(key), body)
  }

  @inline(__always)
  private func get(
    _ table: Table, _ key: TreeKey, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    let (root, space) = try current(table, key.kind)
    let epoch = space.view.enterEpoch()
    defer { space.view.leaveEpoch(epoch) }
    guard let value = try TreeReader.find(root, key, space) else { return false }
    body(value)
    return true
  }

  /// Calls `body` with up to `limit` rows in key order, beginning with the first key that is not less than `key`.
  /// Returns the number of rows. Errors as for `get`.
  public func scan(
    _ table: Table, from key: Int64 = .min, limit: Int = .max,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let (root, space) = try current(table, .int64)
    var count = 0
    var next: Int64? = key
    while count < limit, let from = next {
      let epoch = space.view.enterEpoch()
      defer { space.view.leaveEpoch(epoch) }
      var batch = ScanBatch(space)
      var cursor = try TreeCursor(root, from: TreeKey(from), space)
      while count < limit, batch.hasBudget, let (leaf, index) = cursor.current {
        let value = try leaf.value(index, .int64, space)
        body(leaf.number(index), value)
        count += 1
        batch.add(value.count)
        try cursor.advance()
      }
      next = cursor.current.map { $0.leaf.number($0.index) }
    }
    return count
  }

  /// The part of a scan that runs in one epoch: in an encrypted file everything that it reads stays decrypted until the
  /// epoch ends. A plain file is scanned in one batch.
  private struct ScanBatch {
    private var left: Int

    init(_ space: BlockSpace) { left = space.view.encryptedFile == nil ? Int.max : 1 << 18 }

    var hasBudget: Bool { left > 0 }
    mutating func add(_ bytes: Int) { left &-= bytes &+ 16 }
  }

  /// The same for a table with keys of bytes; an empty `key` begins at the first row.
  public func scan(
    _ table: Table, from key: UnsafeRawBufferPointer, limit: Int = .max,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let (root, space) = try current(table, .bytes)
    var count = 0
    // The key after the last row of the previous batch.
    var next: [UInt8]?
    repeat {
      let epoch = space.view.enterEpoch()
      defer { space.view.leaveEpoch(epoch) }
      var batch = ScanBatch(space)
      func begin() throws(StorageError) -> TreeCursor {
        guard let next else {
          return try TreeCursor(root, from: TreeKey(key), space)
        }
        return try next.withBytes { (bytes) throws(StorageError) in
          try TreeCursor(root, from: TreeKey(bytes), space)
        }
      }
      var cursor = try begin()
      while count < limit, batch.hasBudget, let (leaf, index) = cursor.current {
        let value = try leaf.value(index, .bytes, space)
        body(leaf.keyBytes(index), value)
        count += 1
        batch.add(value.count)
        try cursor.advance()
      }
      next = cursor.current.map { Array($0.leaf.keyBytes($0.index)) }
    } while count < limit && next != nil
    return count
  }

  /// Calls `body` with up to `limit` rows in descending key order, beginning with the last key that is less than `key`, or
  /// with the last. Returns the number of rows. Errors as for `get`.
  public func scanBackward(
    _ table: Table, before key: Int64? = nil, limit: Int = .max,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let (root, space) = try current(table, .int64)
    var count = 0
    var next = key
    var isAtStart = false
    while count < limit, !isAtStart {
      let epoch = space.view.enterEpoch()
      defer { space.view.leaveEpoch(epoch) }
      var batch = ScanBatch(space)
      var cursor = try TreeCursor(
        root, endingBefore: next.map { TreeKey($0) }, space)
      while count < limit, batch.hasBudget, let (leaf, index) = cursor.current {
        let value = try leaf.value(index, .int64, space)
        next = leaf.number(index)
        body(leaf.number(index), value)
        count += 1
        batch.add(value.count)
        try cursor.retreat()
      }
      isAtStart = cursor.current == nil
    }
    return count
  }

  /// The same for a table with keys of bytes; an empty `key` begins at the last row.
  public func scanBackward(
    _ table: Table, before key: UnsafeRawBufferPointer, limit: Int = .max,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let (root, space) = try current(table, .bytes)
    var count = 0
    // The last row of the previous batch.
    var next = Array(key)
    var isAtStart = false
    while count < limit, !isAtStart {
      let epoch = space.view.enterEpoch()
      defer { space.view.leaveEpoch(epoch) }
      var batch = ScanBatch(space)
      var cursor = try next.withBytes { (bytes) throws(StorageError) in
        try TreeCursor(
          root, endingBefore: bytes.isEmpty ? nil : TreeKey(bytes), space)
      }
      while count < limit, batch.hasBudget, let (leaf, index) = cursor.current {
        let value = try leaf.value(index, .bytes, space)
        body(leaf.keyBytes(index), value)
        count += 1
        batch.add(value.count)
        if !batch.hasBudget { next = Array(leaf.keyBytes(index)) }
        try cursor.retreat()
      }
      isAtStart = cursor.current == nil
    }
    return count
  }

  /// Returns the number of rows of the table in this version.
  public func count(_ table: Table) throws(StorageError) -> Int {
    try current(table, table.keyKind).root.rows
  }

  /// Begins another snapshot of the same version, with its own label and lifetime.
  public func duplicate(label: String) throws(StorageError) -> Snapshot {
    guard let own = state.pointee else {
      throw StorageError(.closed, "The snapshot has ended.")
    }
    return Snapshot(own.store, try own.store.readers.pinAgain(own.pin, label: label), label: label)
  }

  /// Moves to the newest version, as ending and beginning again would.
  public func refresh() throws(StorageError) {
    guard let old = state.pointee else {
      throw StorageError(.closed, "The snapshot has ended.")
    }
    let pin = try old.store.readers.pinNewest(label: label)
    state.pointee = State(old.store, pin)
    old.store.readers.unpin(old.pin)
  }

  /// Ends the read transaction; no effect if it has ended.
  public func end() {
    guard let old = state.pointee else { return }
    state.pointee = nil
    old.store.readers.unpin(old.pin)
  }
}
