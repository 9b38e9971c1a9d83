// Asynchronous transactions by callbacks: a block that runs once the instance has the write lock, and a block that runs
// after a commit. Both run where the instance is confined, which neither the wait for the lock nor the commit blocks.
import Foundation
import StorageEngine

/// The asynchronous transactions of an instance by their identifiers. Used where the instance is confined.
struct AsyncTransactions {
  private var lastID: UInt32 = 0
  /// Those that have not begun.
  fileprivate var waiting: [UInt32: AsyncTransaction] = [:]
  /// What is called after the commits that have begun.
  fileprivate var completions: [UInt32: (RealmError?) -> Void] = [:]
  /// Whether the transactions are given up when the thread ends to which the instance belongs.
  fileprivate var endsWithThread = false

  var isEmpty: Bool { waiting.isEmpty && completions.isEmpty }

  fileprivate mutating func makeID() -> UInt32 {
    lastID &+= 1
    return lastID
  }
}

/// A transaction that waits for the write lock.
private final class AsyncTransaction: @unchecked Sendable {
  private struct State {
    var request: WriteRequest?
    var isAbandoned = false
  }

  let id: UInt32
  let ticket: AsyncWriteQueue.Ticket
  private let coordinator: RealmCoordinator
  private let confinement: Confinement
  private let state = LockedValue(State())
  /// nil after `abandon`. Used where the instance is confined, as the blocks are.
  private var instance: OpenRealm?
  private let block: () -> Void
  private let onFailure: (RealmError) -> Void

  init(
    _ instance: OpenRealm, _ id: UInt32, _ block: @escaping () -> Void,
    _ onFailure: @escaping (RealmError) -> Void
  ) {
    self.instance = instance
    self.id = id
    self.block = block
    self.onFailure = onFailure
    coordinator = instance.coordinator
    confinement = instance.confinement
    ticket = coordinator.asyncWrites.drawTicket()
  }

  /// Waits for the write lock on a background thread, then runs the block where the instance is confined.
  func requestLock() {
    let request = WriteRequest(confinement.key)
    let isAbandoned = state.withLock { state in
      state.request = request
      return state.isAbandoned
    }
    guard !isAbandoned else { return coordinator.asyncWrites.release() }
    coordinator.writeRequest.withLock { $0 = request }
    request.begin(coordinator.database) {
      self.confinement.schedule { self.run(request) }
    }
  }

  /// Gives up the lock, or the wait for it, on a thread that ends before the block has run.
  func abandon() {
    instance = nil
    coordinator.asyncWrites.remove(ticket)
    let request = state.withLock { state in
      state.isAbandoned = true
      return state.request
    }
    guard let request else { return }
    coordinator.writeRequest.withLock { if $0 === request { $0 = nil } }
    request.abandon()
    coordinator.asyncWrites.release()
  }

  private func run(_ request: WriteRequest) {
    guard let instance else { return }
    coordinator.writeRequest.withLock { if $0 === request { $0 = nil } }
    guard instance.asyncTransactions.waiting[id] === self else {
      request.abandon()
      return coordinator.asyncWrites.release()
    }
    do {
      let transaction = try instance.mappingErrors { () throws(StorageError) in try request.take() }
      // A synchronous write of this confinement may have taken it.
      guard let transaction else { return requestLock() }
      instance.asyncTransactions.waiting[id] = nil
      try instance.begin(transaction)
    } catch {
      instance.asyncTransactions.waiting[id] = nil
      coordinator.asyncWrites.release()
      return onFailure((error as? RealmError) ?? RealmError(.fail, "\(error)", file: instance.url))
    }
    block()
    // What the block has not committed is undone.
    if instance.writing != nil { instance.cancelWrite() }
    coordinator.asyncWrites.release()
  }
}

/// A commit whose end is to be reported where the instance is confined.
private final class AsyncCommit: @unchecked Sendable {
  private let instance: OpenRealm
  private let id: UInt32
  var commit: BackgroundCommit?

  init(_ instance: OpenRealm, _ id: UInt32) {
    self.instance = instance
    self.id = id
  }

  func finish() {
    guard let commit else { return }
    let error = instance.end(commit)
    instance.asyncTransactions.completions.removeValue(forKey: id)?(error)
  }
}

extension OpenRealm {
  /// Whether blocks can be run later where the instance is confined.
  private var canSchedule: Bool {
    switch confinement {
    case .main, .queue, .actor: true
    case .thread(_, let loop): loop.currentMode != nil
    case .unconfined: false
    }
  }

  /// Runs `block` in a transaction, later; returns its identifier, or 0 after misuse. `onFailure` is called instead if the
  /// transaction cannot begin.
  func beginAsync(
    _ block: @escaping () -> Void, onFailure: @escaping (RealmError) -> Void
  ) -> UInt32 {
    guard check() else { return 0 }
    guard !isFrozen, !configuration.readOnly else {
      Misuse.report(
        isFrozen ? .frozen : .readOnly, "The realm cannot be written: it is frozen or read-only.",
        file: url)
      return 0
    }
    guard canSchedule else {
      Misuse.report(
        .incorrectThread,
        "An asynchronous transaction is begun on the main thread, a queue, an actor, or inside of a run "
          + "loop: it runs there later.", file: url)
      return 0
    }
    abandonAtEndOfThread()
    let id = asyncTransactions.makeID()
    let transaction = AsyncTransaction(self, id, block, onFailure)
    asyncTransactions.waiting[id] = transaction
    coordinator.asyncWrites.enqueue(transaction.ticket) { isCancelled in
      if !isCancelled { transaction.requestLock() }
    }
    return id
  }

  /// On a thread with a run loop: has the transactions given up that wait when the thread ends. Others could otherwise never
  /// get the write lock again.
  private func abandonAtEndOfThread() {
    guard case .thread = confinement, !asyncTransactions.endsWithThread else { return }
    asyncTransactions.endsWithThread = true
    ThreadEnd.perform { [weak self] in
      guard let waiting = self?.asyncTransactions.waiting.values else { return }
      self?.asyncTransactions.waiting = [:]
      for transaction in waiting { transaction.abandon() }
    }
  }

  /// Commits in the background, then calls `completion`; returns the commit's identifier, or 0 after misuse.
  func commitAsync(_ completion: @escaping (RealmError?) -> Void) -> UInt32 {
    guard transaction(for: "commit asynchronously") != nil else { return 0 }
    guard canSchedule else {
      Misuse.report(
        .incorrectThread, "The end of the commit could not be reported on this thread.", file: url)
      return 0
    }
    let id = asyncTransactions.makeID()
    let ending = AsyncCommit(self, id)
    asyncTransactions.completions[id] = completion
    let confinement = confinement
    do {
      ending.commit = try commitInBackground { confinement.schedule { ending.finish() } }
    } catch {
      asyncTransactions.completions[id] = nil
      completion((error as? RealmError) ?? RealmError(.fail, "\(error)", file: url))
    }
    return id
  }

  /// Removes a transaction that has not begun, or the report of a commit. Error `invalidInput` if there is neither.
  func cancelAsync(_ id: UInt32) throws(RealmError) {
    try checkOrThrow()
    if let transaction = asyncTransactions.waiting.removeValue(forKey: id) {
      return coordinator.asyncWrites.remove(transaction.ticket)
    }
    guard asyncTransactions.completions.removeValue(forKey: id) != nil else {
      throw RealmError(
        .invalidInput, "There is no asynchronous transaction \(id) that has not ended.", file: url)
    }
  }
}
