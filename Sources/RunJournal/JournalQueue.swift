// The results that wait to become durable: the threads that run cells leave them here and go on.
import SystemIO

struct JournalQueue {
  private(set) var entries: [[UInt8]] = []
  /// The entries that a thread is writing now.
  private(set) var writing = 0
  /// The number of durable results, those of earlier processes included.
  private(set) var count: Int
  /// Why entries could not be written. Nothing is added afterwards.
  private(set) var failure: SystemError?
  /// The greatest number of entries that may wait; 0 while no thread writes them.
  var maxWaiting = 0
  var isEnding = false

  init(count: Int) { self.count = count }

  /// The number of entries that are not durable yet.
  var waiting: Int { entries.count + writing }

  mutating func add(_ entry: [UInt8]) { entries.append(entry) }

  /// Returns all entries, which the caller then writes.
  mutating func takeAll() -> [[UInt8]] {
    defer { (writing, entries) = (entries.count, []) }
    return entries
  }

  mutating func end(added: Int, failure: SystemError?) {
    count += added
    writing = 0
    guard let failure else { return }
    self.failure = self.failure ?? failure
    entries = []
  }
}
