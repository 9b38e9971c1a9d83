// A commit that a background thread performs: it ends with a sync, which would block the instance's thread.
import Dispatch
import StorageEngine

/// A transaction that is being committed.
final class BackgroundCommit: @unchecked Sendable {
  /// The version that the commit creates.
  let version: UInt64
  /// What the instance needs when the commit has ended. Used where the instance is confined.
  let ending: Ending
  private let transaction: WriteTransaction
  private let outcome = LockedValue<Result<Void, StorageError>?>(nil)
  private let completion = DispatchGroup()

  struct Ending {
    /// The classes that the transaction has created.
    var createdClasses: [ClassInfo]
    var changes: [String: ChangeCounts]
    /// The version before the transaction, if there are observers of the difference.
    var before: Snapshot?
    var silent: [any ChangeObserver]
    /// The instance's generation when the commit began.
    var generation: Int
  }

  init(_ transaction: WriteTransaction, _ ending: Ending) {
    self.transaction = transaction
    self.ending = ending
    version = transaction.version
    completion.enter()
  }

  /// Commits on a background thread, then calls `whenDone` there.
  func begin(whenDone: @escaping @Sendable () -> Void) {
    DispatchQueue.global(qos: .userInitiated).async {
      let result: Result<Void, StorageError>
      do throws(StorageError) { result = .success(try self.transaction.commit()) } catch {
        result = .failure(error)
      }
      self.outcome.withLock { $0 = result }
      self.completion.leave()
      whenDone()
    }
  }

  /// Waits for the end of the commit, and returns its error.
  func wait() -> StorageError? {
    completion.wait()
    if case .failure(let error) = outcome.withLock({ $0 }) { return error }
    return nil
  }
}
