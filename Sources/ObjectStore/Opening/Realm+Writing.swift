// Write transactions, synchronous and asynchronous.
import Dispatch
import StorageEngine

extension Realm {
  public var isInWriteTransaction: Bool { instance.writing != nil }

  /// Runs `block` in a write transaction, which is committed when it returns and cancelled when it throws. Waits for the
  /// write lock, which one transaction of all processes has at a time. Observers of `tokens` are not notified.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    try instance.beginWrite()
    return try finishWrite(withoutNotifying: tokens, block)
  }

  /// Runs `block` in a write transaction on the caller's actor. Waiting for the write lock does not block the actor's
  /// thread.
  @discardableResult
  public func asyncWrite<Result>(
    isolation: isolated (any Actor)? = #isolation, _ block: () throws -> Result
  ) async throws -> Result {
    try instance.checkOrThrow()
    try instance.checkWritable()
    try instance.coordinator.checkNoNestedWrite()
    let asyncWrites = instance.coordinator.asyncWrites
    await asyncWrites.acquire()
    defer { asyncWrites.release() }
    let transaction = try await instance.beginWriteOnBackgroundThread()
    try instance.begin(transaction.take())
    return try finishWrite(withoutNotifying: [], block)
  }

  private func finishWrite<Result>(
    withoutNotifying tokens: [NotificationToken], _ block: () throws -> Result
  ) throws -> Result {
    let result: Result
    do { result = try block() } catch {
      if instance.writing != nil { instance.cancelWrite() }
      throw error
    }
    // The block may have ended the transaction itself.
    if instance.writing != nil {
      try instance.commitWrite(withoutNotifying: tokens.map(\.observer))
    }
    return result
  }

  /// Begins a write transaction. Since this cannot throw, it reports misuse, also for an error of the file.
  public func beginWrite() {
    do { try instance.beginWrite() } catch {
      Misuse.report((error as? Realm.Error) ?? Realm.Error(.fail, "\(error)"))
    }
  }

  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try instance.commitWrite(withoutNotifying: tokens.map(\.observer))
  }

  /// Undoes the changes of the transaction. Reports misuse outside of a transaction.
  public func cancelWrite() {
    guard instance.check() else { return }
    guard instance.writing != nil else {
      return Misuse.report(
        .wrongTransactionState, "There is no write transaction that could be cancelled.",
        file: instance.url)
    }
    instance.cancelWrite()
  }
}

extension OpenRealm {
  /// Waits for the write lock on a background thread.
  fileprivate func beginWriteOnBackgroundThread(
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> UnsafeTransfer<WriteTransaction> {
    let database = coordinator.database
    let url = url
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        do throws(StorageError) {
          let transaction = try database.beginWrite()
          continuation.resume(returning: UnsafeTransfer(transaction))
        } catch {
          continuation.resume(throwing: RealmError(error, file: url))
        }
      }
    }
  }
}
