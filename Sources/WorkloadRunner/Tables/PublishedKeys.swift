// The range of a table's keys, which writers publish after each commit while lookups read the table. A lookup draws its keys
// from it without a lock that a writer holds, and so may ask for a row that is deleted by then.
import Synchronization

/// Safe to use from many threads. The two ends may be of different commits.
final class PublishedKeys: Sendable {
  private let first = Atomic<Int64>(0)
  private let upperBound = Atomic<Int64>(0)
  private let isWanted = Atomic<Bool>(false)

  /// Whether a client of the launch reads the range.
  var isRead: Bool { isWanted.load(ordering: .relaxed) }

  /// The range as it was published last; empty for no key.
  var range: Range<Int64> {
    let first = first.load(ordering: .relaxed)
    return first..<max(first, upperBound.load(ordering: .relaxed))
  }

  /// Publishes the range from now on. Only called while no client runs.
  func begin(_ keys: KeySet) {
    isWanted.store(true, ordering: .relaxed)
    publish(keys.bounds)
  }

  /// Publishes the range of the keys after a commit, nil for no key, if it is read.
  func publish(_ keys: Range<Int64>?) {
    guard isRead else { return }
    first.store(keys?.lowerBound ?? 0, ordering: .relaxed)
    upperBound.store(keys?.upperBound ?? 0, ordering: .relaxed)
  }
}
