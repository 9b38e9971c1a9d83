// Compaction events of engines that shorten their file within commits and report no event for it: the file is shorter after
// a commit than it was before.
package import MetricModel
import SystemIO

/// Compares the file's length after each commit with that after the one before. Safe to use from many threads.
package final class ShrinkObserver: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private let words: @Sendable (_ commits: String) -> String
  private let mayHaveMoved: Bool
  private var length: ByteCount
  private var shrinks: Shrinks?

  /// The commits since the last `drain` after which the file was shorter, as one sum: an event for each of many small deletes
  /// would be too many.
  private struct Shrinks {
    var commits = 0
    var before: ByteCount
    var after: ByteCount
    var cut = ByteCount.zero
  }

  /// Begins with a file of `length`. `words` returns an event's text from a count such as `3 commits`. With `mayHaveMoved`
  /// events report the bytes that were cut off as rewritten: the maximum, since each was either free before or moved.
  package init(
    length: ByteCount, mayHaveMoved: Bool,
    _ words: @escaping @Sendable (_ commits: String) -> String
  ) {
    self.length = length
    self.mayHaveMoved = mayHaveMoved
    self.words = words
  }

  /// Records the file's length after a commit.
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

  /// Returns one event for all commits since the last call after which the file was shorter; none if there were none.
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
