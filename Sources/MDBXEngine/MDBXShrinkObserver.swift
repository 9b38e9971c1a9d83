// libmdbx cuts its file within commits and tells nobody. What can be seen is that the geometry's current size is less
// after a commit than before. Nothing is moved for it: what is cut was free at the end.
import EngineInterface
import MetricModel
import SystemIO

/// Watches the file's length from commit to commit.
final class ShrinkObserver: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var length: ByteCount
  private var shrinks: Shrinks?

  /// The shrinking commits since the last `drain`, added up.
  private struct Shrinks {
    var commits = 0
    var before: ByteCount
    var after: ByteCount
  }

  init(length: ByteCount) { self.length = length }

  func committed(length now: ByteCount) {
    mutex.withLock {
      if now < length {
        var sum = shrinks ?? Shrinks(before: length, after: now)
        sum.commits += 1
        sum.after = now
        shrinks = sum
      }
      length = now
    }
  }

  func drain() -> [CompactionEvent] {
    mutex.withLock {
      guard let sum = shrinks else { return [] }
      shrinks = nil
      return [
        CompactionEvent(
          kind: .automatic, outcome: .finished,
          reason:
            "free pages at the file's end were cut at \(sum.commits) "
            + "\(sum.commits == 1 ? "commit" : "commits"); nothing is moved for it",
          before: sum.before, after: sum.after, rewritten: .zero)
      ]
    }
  }
}
