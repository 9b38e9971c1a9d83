// Savepoints: named versions that stay readable after closing, a kill or a power loss, until they are dropped.
import SystemIO

/// A named version in the file.
public struct Savepoint: Sendable, Equatable {
  public var name: String
  /// The pinned version.
  public var version: UInt64
  /// When it was made, in nanoseconds since 1970.
  public var madeAt: UInt64
}

extension Database {
  /// Makes a savepoint of the newest version's rows, in a commit of its own. Returns the version that it pins. Until
  /// `dropSavepoint` it retains the space that later commits free. Errors: those of `WriteTransaction.makeSavepoint`
  /// and of a commit.
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

  /// Drops the savepoint, in a commit of its own. Errors: `notFound`, and those of a commit.
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
      try store.readers.newest.savepoints.map {
        Savepoint(name: $0.name, version: $0.version, madeAt: $0.madeAt)
      }
    }
  }

  /// Begins a snapshot of the savepoint's version, which stays readable until the snapshot ends even if the savepoint
  /// is dropped. Errors: `notFound`; `corrupt` if the savepoint's table list is damaged.
  public func snapshot(
    atSavepoint name: String, label: String = ""
  ) throws(StorageError) -> Snapshot {
    try withStore { (store) throws(StorageError) in
      Snapshot(store, try store.readers.pinSavepoint(name, label: label), label: label)
    }
  }
}

extension WriteTransaction {
  /// Makes a savepoint of the version that this transaction creates, including changes yet to come. Errors:
  /// `alreadyExists`; `unsupported` for a name that is empty or too long, or if there are too many savepoints. The
  /// transaction continues after an error.
  public func makeSavepoint(_ name: String) throws(StorageError) {
    let writer = try writer
    guard (1...Layout.maxNameLength).contains(name.utf8.count),
      writer.pointee.changes.savepoints.count < Layout.maxSavepoints
    else {
      throw StorageError(
        .unsupported,
        "A savepoint's name has 1 to \(Layout.maxNameLength) bytes, and a file at most "
          + "\(Layout.maxSavepoints) savepoints.")
    }
    if let known = writer.pointee.changes.savepoints.first(where: { $0.name == name }) {
      throw StorageError(
        .alreadyExists,
        "There is a savepoint \"\(name)\" on version \(known.version); drop it first, or take another "
          + "name.")
    }
    writer.pointee.changes.savepoints.append(
      SavepointEntry(name: name, version: version, madeAt: Clock.wallNanoseconds()))
  }

  /// Drops the savepoint; the bytes that only it retains are free after the commit. Error `notFound`; the transaction
  /// continues.
  public func dropSavepoint(_ name: String) throws(StorageError) {
    let writer = try writer
    guard let index = writer.pointee.changes.savepoints.firstIndex(where: { $0.name == name })
    else {
      throw StorageError.noSavepoint(name, writer.pointee.changes.savepoints)
    }
    writer.pointee.changes.dropSavepoint(at: index)
  }
}
