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

  /// Runs `block` in a write transaction on the caller's actor. Neither the wait for the write lock nor the commit, which
  /// ends with a sync, blocks the actor's thread. Returns after the commit. What else runs on the actor until then reads
  /// the version before or the new one, and may write synchronously.
  ///
  /// Errors: those of `write`; `incorrectThread` if the realm does not belong to the actor of the caller;
  /// `CancellationError` if the task is cancelled before `block` runs.
  @discardableResult
  public func asyncWrite<Result>(
    isolation: isolated (any Actor)? = #isolation, _ block: () throws -> Result
  ) async throws -> Result {
    try instance.checkBelongs(to: isolation)
    try instance.checkOrThrow()
    try instance.checkWritable()
    try instance.coordinator.checkNoNestedWrite()
    let asyncWrites = instance.coordinator.asyncWrites
    try await asyncWrites.acquire()
    defer { asyncWrites.release() }
    try await instance.beginAsyncWrite()
    let result = try runWrite(block)
    if instance.writing != nil { try await instance.commitAsyncWrite() }
    return result
  }

  private func finishWrite<Result>(
    withoutNotifying tokens: [NotificationToken], _ block: () throws -> Result
  ) throws -> Result {
    let result = try runWrite(block)
    // The block may have ended the transaction itself.
    if instance.writing != nil {
      try instance.commitWrite(withoutNotifying: tokens.compactMap(\.observer))
    }
    return result
  }

  private func runWrite<Result>(_ block: () throws -> Result) throws -> Result {
    do { return try block() } catch {
      if instance.writing != nil { instance.cancelWrite() }
      throw error
    }
  }

  /// Begins a write transaction. Since this cannot throw, it reports misuse, also for an error of the file.
  public func beginWrite() {
    do { try instance.beginWrite() } catch {
      Misuse.report((error as? Realm.Error) ?? Realm.Error(.fail, "\(error)"))
    }
  }

  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try instance.commitWrite(withoutNotifying: tokens.compactMap(\.observer))
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
  /// Error `incorrectThread` if code that is isolated to `isolation` would leave the instance's confinement when it is
  /// suspended.
  fileprivate func checkBelongs(to isolation: (any Actor)?) throws(RealmError) {
    switch confinement {
    case .main where isolation === MainActor.shared: return
    case .actor(let actor) where isolation === actor: return
    default:
      throw RealmError(
        .incorrectThread,
        "asyncWrite needs a realm that was opened for the caller's actor: this one belongs to "
          + "\(confinement.name), and the caller may continue on another thread after it waits.",
        file: url)
    }
  }

  /// Begins a transaction after waiting for the write lock on a background thread.
  fileprivate func beginAsyncWrite(
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let database = coordinator.database
    while true {
      let request = WriteRequest(confinement.key)
      coordinator.writeRequest.withLock { $0 = request }
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiting in
          request.begin(database) { waiting.resume() }
        }
      } onCancel: {
        request.abandon()
      }
      coordinator.writeRequest.withLock { $0 = nil }
      guard !Task.isCancelled else {
        request.abandon()
        throw CancellationError()
      }
      let transaction = try mappingErrors { () throws(StorageError) in try request.take() }
      // A synchronous write of this confinement may have taken it.
      if let transaction { return try begin(transaction) }
    }
  }

  /// Commits on a background thread.
  fileprivate func commitAsyncWrite(
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    var commit: BackgroundCommit?
    var failure: (any Error)?
    await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in
      do { commit = try commitInBackground { waiting.resume() } } catch {
        failure = error
        waiting.resume()
      }
    }
    if let commit { failure = end(commit) }
    if let failure { throw failure }
  }
}
