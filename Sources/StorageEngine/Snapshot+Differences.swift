// The rows in which a table differs between two snapshots, at the cost of the blocks in which they differ.

/// A row that differs between two versions. The bytes are valid within the call that it is passed to.
public struct RowDifference {
  /// The key of a row.
  public enum Key {
    /// The key in a table with integer keys.
    case int64(Int64)
    /// The key in a table with keys of bytes.
    case bytes(UnsafeRawBufferPointer)
  }

  public let key: Key
  /// The value in the older version; nil if it does not have the row.
  public let old: UnsafeRawBufferPointer?
  /// The value in the newer version; nil if it does not have the row.
  public let new: UnsafeRawBufferPointer?
}

extension Snapshot {
  /// Bytes of nodes that are read in one epoch of an encrypted file: all of them stay decrypted until it ends.
  private static let maxEpochBytes = 1 << 18

  /// Calls `body`, in key order, with each row of the table that differs from `older`. Rows whose blocks compaction has
  /// moved do not differ.
  ///
  /// Blocks that both versions reference are not read: the cost depends on the blocks written between the versions, and
  /// not on the number of rows. Returns the number of tree nodes that were read. Errors: `corrupt`, `closed`, and
  /// `unsupported` if the snapshots belong to different databases.
  @discardableResult
  public func differences(
    from older: Snapshot, in table: Table, _ body: (RowDifference) -> Void
  ) throws(StorageError) -> Int {
    let (old, new) = try versions(older)
    var diff = TreeDiff(old.root(table), old.space, new.root(table), new.space)
    let isEncrypted = new.space.view.encryptedFile != nil
    var next: OwnedKey?
    repeat {
      let epoch = new.space.view.enterEpoch()
      defer { new.space.view.leaveEpoch(epoch) }
      next = try diff.run(past: next, limit: isEncrypted ? Self.maxEpochBytes : .max) {
        let key: RowDifference.Key = $0.kind == .int64 ? .int64($0.number) : .bytes($0.bytes)
        body(RowDifference(key: key, old: $1, new: $2))
      }
    } while next != nil
    return diff.nodesRead
  }

  private func versions(
    _ older: Snapshot
  ) throws(StorageError) -> (old: VersionState, new: VersionState) {
    guard let old = older.pinned, let new = pinned else {
      throw StorageError(.closed, "The snapshot has ended.")
    }
    guard old.store === new.store else {
      throw StorageError(.unsupported, "The snapshots belong to different databases.")
    }
    return (old.version, new.version)
  }
}
