// A notification token on the rows of a table. The client decides when its realm refreshes and how long a callback takes:
// the callback blocks the realm's queue, as slow work blocks a thread, and while it does both versions are held, the one
// before the refresh and the one after it.
import Dispatch
import ObjectStore
import StorageEngine

/// An observer of a table. Used by one thread at a time.
final class RowObserver: @unchecked Sendable {
  /// The outcome of a refresh.
  enum Outcome: Sendable {
    /// There was no newer version.
    case unchanged
    /// There was, with the same rows in the table.
    case moved
    /// The callback was called and has not returned.
    case called
  }

  private enum Request {
    case read(table: Int, key: Int64)
    case finish
  }

  private let queue: DispatchQueue
  /// The label of its pins.
  let label: String
  // Used in blocks of the queue.
  private var reader: RowReader?
  private var token: NotificationToken?
  // Passed between the caller and the callback, which alternate: written before a signal, read after the other's wait.
  private var request = Request.finish
  private var value: Result<[UInt8]?, StorageError> = .success(nil)
  private var outcome: Result<Outcome, StorageError> = .success(.unchanged)
  private let requested = DispatchSemaphore(value: 0)
  private let replied = DispatchSemaphore(value: 0)
  private var isCalled = false

  private init(_ reader: RowReader, _ queue: DispatchQueue) {
    self.reader = reader
    self.queue = queue
    label = reader.label
  }

  /// Begins to observe a table on a queue of its own, from the newest version on.
  static func observe(
    _ tables: RowTables, _ table: Int, label: String
  ) throws(StorageError) -> RowObserver {
    let queue = DispatchQueue(label: label)
    return try queue.run { () throws(StorageError) in
      let observer = RowObserver(try tables.open(for: queue), queue)
      try throwingMisuse { () throws(Never) in observer.begin(tables, table) }
      return observer
    }
  }

  /// Called in a block of the queue.
  private func begin(_ tables: RowTables, _ table: Int) {
    guard let realm = reader?.realm else { return }
    token = tables.observe(table, realm) { [weak self] in self?.runCallback() }
    // Makes the initial delivery.
    realm.refresh()
  }

  /// The callback: handles read requests until the caller lets it finish.
  private func runCallback() {
    outcome = .success(.called)
    isCalled = true
    replied.signal()
    while true {
      requested.wait()
      guard case .read(let table, let key) = request else { return }
      value = read(table, key)
      replied.signal()
    }
  }

  private func read(_ table: Int, _ key: Int64) -> Result<[UInt8]?, StorageError> {
    var found: [UInt8]?
    do throws(StorageError) {
      _ = try reader?.read(table, key) { found = Array($0) }
      return .success(found)
    } catch { return .failure(error) }
  }

  /// Refreshes the realm. Returns afterwards, or when the callback was called.
  func deliver() throws(StorageError) -> Outcome {
    precondition(!isCalled, "A realm refreshes after the callback before has returned.")
    queue.async { [self] in
      let moved = Result<Bool, StorageError> { () throws(StorageError) in
        try throwingMisuse { () throws(Never) in reader?.realm.refresh() ?? false }
      }
      if case .failure(let error) = moved { outcome = .failure(error) }
      if !isCalled { outcome = moved.map { $0 ? .moved : .unchanged } }
      replied.signal()
    }
    replied.wait()
    return try outcome.get()
  }

  /// Reads the version that the realm is at: in the callback if that has not returned.
  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    if isCalled {
      request = .read(table: table, key: key)
      requested.signal()
      replied.wait()
    } else {
      queue.sync { value = read(table, key) }
    }
    guard let found = try value.get() else { return false }
    found.withUnsafeBytes { body($0) }
    return true
  }

  /// Lets the callback return, which releases the version before. Does nothing if none was called.
  func callbackReturns() throws(StorageError) {
    guard isCalled else { return }
    request = .finish
    requested.signal()
    replied.wait()
    isCalled = false
    _ = try outcome.get()
  }

  /// Lets the callback return, and ends the observation. A second call does nothing.
  func end() {
    try? callbackReturns()
    queue.sync {
      token?.invalidate()
      token = nil
      reader?.end()
      reader = nil
    }
  }
}
