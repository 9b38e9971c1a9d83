// Savepoints: versions with a name, which stay readable over closing, killing and power loss until they are dropped.
import SystemIO

/// A version that is kept by name.
public struct Savepoint: Sendable, Equatable {
  public var name: String
  /// The version that is kept.
  public var version: UInt64
  /// When it was made: nanoseconds since 1970.
  public var madeAt: UInt64
}

extension Database {
  /// Keeps the newest version's rows by name until `dropSavepoint`, in a commit of its own; answers the version that is
  /// kept. It pins: what later commits free of it is not used again. Errors: those of
  /// `WriteTransaction.makeSavepoint` and of a commit.
  @discardableResult
  public func makeSavepoint(_ name: String) throws(StorageError) -> UInt64 {
    let transaction = try beginWrite()
    do throws(StorageError) { try transaction.makeSavepoint(name) } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
    return transaction.version
  }

  /// Drops the savepoint in a commit of its own. Error `notFound`, and those of a commit.
  public func dropSavepoint(_ name: String) throws(StorageError) {
    let transaction = try beginWrite()
    do throws(StorageError) { try transaction.dropSavepoint(name) } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
  }

  /// The savepoints of the newest version, oldest first, then in the order in which they were made. Error `closed`.
  public var savepoints: [Savepoint] {
    get throws(StorageError) {
      let store = try store
      return store.mutex.withLock { store.shared.pointee.newest.savepoints }.map {
        Savepoint(name: $0.name, version: $0.version, madeAt: $0.madeAt)
      }
    }
  }

  /// A snapshot of the version that the savepoint keeps; dropping the savepoint leaves it readable until it ends.
  /// Errors: `notFound`, `corrupt` where the savepoint's list of tables is damaged.
  public func snapshot(
    atSavepoint name: String, label: String = ""
  ) throws(StorageError) -> Snapshot {
    try withStore { (store) throws(StorageError) in
      Snapshot(store, try store.pinSavepoint(name, label: label), label: label)
    }
  }
}

extension WriteTransaction {
  /// Keeps the version that this transaction makes, with all its changes, also those yet to come, by name until
  /// `dropSavepoint`. Errors: `alreadyExists`; `unsupported` for a name that is empty or too long, or one savepoint too
  /// many. The transaction goes on after an error.
  public func makeSavepoint(_ name: String) throws(StorageError) {
    let state = try store.writer
    guard (1...Layout.maxNameLength).contains(name.utf8.count),
      state.pointee.savepoints.count < Layout.maxSavepoints
    else {
      throw StorageError(
        .unsupported,
        "A savepoint's name has 1 to \(Layout.maxNameLength) bytes, and a file at most "
          + "\(Layout.maxSavepoints) savepoints.")
    }
    if let known = state.pointee.savepoints.first(where: { $0.name == name }) {
      throw StorageError(
        .alreadyExists,
        "There is a savepoint \"\(name)\" on version \(known.version); drop it first, or take another "
          + "name.")
    }
    state.pointee.savepoints.append(
      SavepointEntry(name: name, version: version, madeAt: Clock.wallNanoseconds()))
  }

  /// Lets go of the version that the savepoint keeps; the bytes are free after the commit. Error `notFound`; the
  /// transaction goes on.
  public func dropSavepoint(_ name: String) throws(StorageError) {
    let state = try store.writer
    guard let index = state.pointee.savepoints.firstIndex(where: { $0.name == name }) else {
      throw StorageError.noSavepoint(name, state.pointee.savepoints)
    }
    state.pointee.dropSavepoint(at: index)
  }
}
