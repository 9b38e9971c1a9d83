// A notification token on the rows of a table, for an adapter whose clients decide when a turn of the run loop comes and
// how long a callback takes. The callback blocks the queue of its realm, as one that works for long blocks its thread, and
// while it does both versions are held: the one that was seen and the one that is.
import Dispatch
import Foundation
package import StorageEngine

/// An observer of a table. Used by one thread at a time.
package final class RowObserver: @unchecked Sendable {
  /// What came of a turn.
  package enum Outcome: Sendable {
    /// There was no newer version.
    case nothingNew
    /// There was, with the table as it was before.
    case moved
    /// The callback is at work.
    case called
  }

  private enum Request {
    case read(table: Int, key: Int64)
    case goOn
  }

  private let queue: DispatchQueue
  /// What its versions' pins are called.
  package let label: String
  // In blocks of the queue.
  private var reader: RowReader?
  private var token: NotificationToken?
  // Between the caller and the callback, which take turns: written before one's signal, read after the other's wait.
  private var request = Request.goOn
  private var value: Result<[UInt8]?, StorageError> = .success(nil)
  private var outcome: Result<Outcome, StorageError> = .success(.nothingNew)
  private let asked = DispatchSemaphore(value: 0)
  private let answered = DispatchSemaphore(value: 0)
  private var isCalled = false

  fileprivate init(_ reader: RowReader, _ queue: DispatchQueue) {
    self.reader = reader
    self.queue = queue
    label = reader.label
  }

  /// In a block of the queue.
  fileprivate func begin(_ rows: RowObjects, _ table: Int) {
    guard let realm = reader?.realm else { return }
    token = rows.token(realm, table) { [weak self] in self?.calledBack() }
    // Tells what there is.
    realm.refresh()
  }

  /// The callback: at the caller's service until it is told to go on.
  private func calledBack() {
    outcome = .success(.called)
    isCalled = true
    answered.signal()
    while true {
      asked.wait()
      guard case .read(let table, let key) = request else { return }
      value = read(table, key)
      answered.signal()
    }
  }

  private func read(_ table: Int, _ key: Int64) -> Result<[UInt8]?, StorageError> {
    var found: [UInt8]?
    do throws(StorageError) {
      _ = try reader?.read(table, key) { found = Array($0) }
      return .success(found)
    } catch { return .failure(error) }
  }

  /// Has a turn come, in which the realm moves to the newest version. Returns when that is over, or within the callback.
  package func deliver() throws(StorageError) -> Outcome {
    precondition(!isCalled, "A turn comes when the callback of the one before has returned.")
    queue.async { [self] in
      let moved = Result<Bool, StorageError> { () throws(StorageError) in
        try noMisuse { () throws(Never) in reader?.realm.refresh() ?? false }
      }
      if case .failure(let error) = moved { outcome = .failure(error) }
      if !isCalled { outcome = moved.map { $0 ? .moved : .nothingNew } }
      answered.signal()
    }
    answered.wait()
    return try outcome.get()
  }

  /// Reads what it sees now: in the callback, where it is at work.
  package func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    if isCalled {
      request = .read(table: table, key: key)
      asked.signal()
      answered.wait()
    } else {
      queue.sync { value = read(table, key) }
    }
    guard let found = try value.get() else { return false }
    found.withUnsafeBytes { body($0) }
    return true
  }

  /// Lets the callback return, and with it the version that was seen before. Without one it is nothing.
  package func callbackReturns() throws(StorageError) {
    guard isCalled else { return }
    request = .goOn
    asked.signal()
    answered.wait()
    isCalled = false
    _ = try outcome.get()
  }

  /// Ends it, and its callback before. Again is nothing.
  package func end() {
    try? callbackReturns()
    queue.sync {
      token?.invalidate()
      token = nil
      reader?.realm.invalidate()
      reader = nil
    }
  }
}

extension RowObjects {
  /// An observer of the table, in a place of its own; it holds the newest version from now on.
  package func observe(_ table: Int, _ holder: String) throws(StorageError) -> RowObserver {
    let queue = DispatchQueue(label: holder)
    return try queue.block { () throws(StorageError) in
      let observer = RowObserver(try open(for: queue), queue)
      try noMisuse { () throws(Never) in observer.begin(self, table) }
      return observer
    }
  }
}
