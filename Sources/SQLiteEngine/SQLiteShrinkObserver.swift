// What auto_vacuum does is not reported by SQLite. What can be seen is that a commit left fewer pages than the one
// before; each freed page at the end was empty already or was moved, so the bytes cut are the most that was rewritten.
import EngineInterface
import MetricModel
import SystemIO

/// Watches the number of pages from commit to commit.
final class ShrinkObserver: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var pages: Int
  private var shrinks: Shrinks?

  /// The shrinking commits since the last `drain`, added up, so that a run of small deletes does not flood the events.
  private struct Shrinks {
    var commits = 0
    var before: Int
    var after: Int
    var cut = 0
  }

  init(pages: Int) { self.pages = pages }

  func committed(pages now: Int) {
    mutex.withLock {
      if now < pages {
        var sum = shrinks ?? Shrinks(before: pages, after: now)
        sum.commits += 1
        sum.after = now
        sum.cut += pages - now
        shrinks = sum
      }
      pages = now
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
            "auto_vacuum cut pages at \(sum.commits) \(sum.commits == 1 ? "commit" : "commits"); "
            + "rewritten is the most it can have moved",
          before: sum.before * Connection.pageSize, after: sum.after * Connection.pageSize,
          rewritten: sum.cut * Connection.pageSize)
      ]
    }
  }
}
