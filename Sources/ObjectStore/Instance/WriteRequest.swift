// An asynchronous writer's request for the write lock. A background thread waits for the lock; the writer's own thread
// stays free, and may meanwhile begin a synchronous write, which then takes over the transaction: waiting for the lock
// would be waiting for a transaction that can only begin on the thread that waits.
import Dispatch
import StorageEngine

/// A request for the write lock.
final class WriteRequest: @unchecked Sendable {
  private enum Phase {
    case waiting
    case granted(WriteTransaction)
    case failed(StorageError)
    /// A synchronous writer has the transaction.
    case taken
    case abandoned
  }

  private struct State {
    var phase = Phase.waiting
    /// Called once: when the request is decided, or abandoned.
    var completion: (@Sendable () -> Void)?

    mutating func takeCompletion() -> (@Sendable () -> Void)? {
      defer { completion = nil }
      return completion
    }
  }

  /// Where the writer is confined.
  let confinement: Confinement.Key?
  private let state = LockedValue(State())
  private let decision = DispatchGroup()

  init(_ confinement: Confinement.Key?) {
    self.confinement = confinement
    decision.enter()
  }

  /// Waits for the write lock on a background thread. Calls `completion` there, or at once when the request is abandoned.
  func begin(_ database: Database, completion: @escaping @Sendable () -> Void) {
    let isAbandoned = state.withLock { state in
      if case .abandoned = state.phase { return true }
      state.completion = completion
      return false
    }
    if isAbandoned {
      decision.leave()
      return completion()
    }
    DispatchQueue.global(qos: .userInitiated).async {
      self.acquire(database)
      self.decision.leave()
      self.state.withLock { $0.takeCompletion() }?()
    }
  }

  private func acquire(_ database: Database) {
    let outcome: Phase
    do throws(StorageError) { outcome = .granted(try database.beginWrite()) } catch {
      outcome = .failed(error)
    }
    let isAbandoned = state.withLock { state in
      if case .abandoned = state.phase { return true }
      state.phase = outcome
      return false
    }
    if isAbandoned, case .granted(let transaction) = outcome { transaction.rollBack() }
  }

  /// Returns the transaction; nil if another writer has taken it, or the request was abandoned.
  func take() throws(StorageError) -> WriteTransaction? {
    let found = state.withLock { state in
      defer { if case .granted = state.phase { state.phase = .taken } }
      return state.phase
    }
    switch found {
    case .granted(let transaction): return transaction
    case .failed(let error): throw error
    case .waiting, .taken, .abandoned: return nil
    }
  }

  /// The same, after waiting for the lock.
  func waitAndTake() throws(StorageError) -> WriteTransaction? {
    decision.wait()
    return try take()
  }

  /// Gives up: the lock is released as soon as it is acquired.
  func abandon() {
    let (found, completion) = state.withLock { state in
      defer { state.phase = .abandoned }
      return (state.phase, state.takeCompletion())
    }
    if case .granted(let transaction) = found { transaction.rollBack() }
    completion?()
  }
}

extension RealmCoordinator {
  /// Waits for the write lock for a synchronous writer. An asynchronous writer of the same confinement that waits for it gives
  /// it up: it could not use it before the synchronous one has ended.
  func acquireTransaction(for confinement: Confinement) throws(StorageError) -> WriteTransaction {
    if let key = confinement.key, let request = writeRequest.withLock({ $0 }),
      request.confinement == key, let transaction = try request.waitAndTake()
    {
      return transaction
    }
    return try database.beginWrite()
  }
}
