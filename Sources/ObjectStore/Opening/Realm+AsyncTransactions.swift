// Asynchronous transactions by callbacks, for code without async/await.

/// Identifies an asynchronous transaction or commit of one realm.
public typealias AsyncTransactionId = UInt32

extension Realm {
  /// Whether an asynchronous transaction waits or runs, or a commit has not ended.
  public var isPerformingAsynchronousWriteOperations: Bool {
    instance.check() && (!instance.asyncTransactions.isEmpty || instance.backgroundCommit != nil)
  }

  /// Runs `block` in a write transaction, later, where the realm is confined, then commits in the background and calls
  /// `onComplete`. Neither the wait for the write lock nor the commit blocks the realm's thread. Asynchronous transactions
  /// run in the order in which they were begun. The realm is retained until then.
  ///
  /// Reports misuse for a frozen or read-only realm, and on a thread without a run loop; returns 0 then.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void, onComplete: ((_ error: (any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let realm = self
    return instance.beginAsync(
      {
        block()
        // The block may have ended the transaction itself.
        if realm.isInWriteTransaction { realm.commitAsyncWrite(onComplete) }
      }, onFailure: { onComplete?($0) })
  }

  /// Runs `block` in a write transaction, later, where the realm is confined. The block ends with `commitAsyncWrite` or
  /// `commitWrite`; what it does not commit is undone. Reports misuse if the transaction cannot begin.
  @discardableResult
  public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
    instance.beginAsync(block) { Misuse.report($0) }
  }

  /// Commits the write transaction in the background, then calls `onComplete` where the realm is confined. Until then the
  /// realm reads the version before the transaction or the new one. Each commit is synced by itself: `allowGrouping`
  /// permits the SDK to sync several at once, and has no effect here. Reports misuse outside of a transaction.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: ((_ error: (any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    instance.commitAsync { onComplete?($0) }
  }

  /// Cancels a transaction that has not begun; of a commit that has begun, only the call of its `onComplete`. Error
  /// `invalidInput`: there is no such transaction or commit any more.
  public func cancelAsyncWrite(_ id: AsyncTransactionId) throws { try instance.cancelAsync(id) }
}
