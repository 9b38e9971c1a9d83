// For engines that cut their file within commits without an event: what can be seen is that a commit left a shorter file
// than the one before.
package import MetricModel
import SystemIO

/// Watches the file's length from commit to commit. Safe to use from many threads.
package final class ShrinkObserver: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private let words: @Sendable (_ commits: String) -> String
  private let mayHaveMoved: Bool
  private var length: ByteCount
  private var shrinks: Shrinks?

  /// The shrinking commits since the last `drain`, added up, so that a run of small deletes does not flood the events.
  private struct Shrinks {
    var commits = 0
    var before: ByteCount
    var after: ByteCount
    var cut = ByteCount.zero
  }

  /// `words` returns what happened at `3 commits`. Where pages may have been moved for it, the bytes that were cut are the
  /// most that can have been rewritten: each was free already, or was moved.
  package init(
    length: ByteCount, mayHaveMoved: Bool,
    _ words: @escaping @Sendable (_ commits: String) -> String
  ) {
    self.length = length
    self.mayHaveMoved = mayHaveMoved
    self.words = words
  }

  package func committed(length now: ByteCount) {
    mutex.withLock {
      if now < length {
        var sum = shrinks ?? Shrinks(before: length, after: now)
        sum.commits += 1
        sum.after = now
        sum.cut += length - now
        shrinks = sum
      }
      length = now
    }
  }

  package func drain() -> [CompactionEvent] {
    mutex.withLock {
      guard let sum = shrinks else { return [] }
      shrinks = nil
      return [
        CompactionEvent(
          kind: .automatic, outcome: .finished,
          reason: words("\(sum.commits) \(sum.commits == 1 ? "commit" : "commits")"),
          before: sum.before, after: sum.after, rewritten: mayHaveMoved ? sum.cut : .zero)
      ]
    }
  }
}
