// Looks at the files that hold the database's data, and at the process's memory, by the wall clock, on a thread of its
// own. Only by `stat` on paths: opening and closing a file of LMDB or SQLite within their process would drop their
// locks.
import MetricModel
import RecordModel
import SystemIO

final class FileWatch: Sendable {
  private struct State {
    var isStopped = false
    var samples: [TimingSample] = []
  }

  private let lock = ThreadMutex()
  private let stopped = ThreadCondition()
  private nonisolated(unsafe) var state = State()
  private nonisolated(unsafe) var thread: SystemThread?

  init(
    _ files: [FilePath], every milliseconds: Int, start: UInt64, _ recorder: Recorder
  ) throws(SystemError) {
    thread = try SystemThread.start(name: "file watch") { [self] in
      repeat {
        let sample = Self.look(files, start, recorder)
        lock.withLock { state.samples.append(sample) }
      } while !waitIsOver(milliseconds)
      let last = Self.look(files, start, recorder)
      lock.withLock { state.samples.append(last) }
    }
  }

  /// Ends the watch and answers what was seen; again answers the same.
  @discardableResult
  func stop() -> [TimingSample] {
    let thread = lock.withLock {
      defer { self.thread = nil }
      state.isStopped = true
      stopped.broadcast()
      return self.thread
    }
    thread?.join()
    return lock.withLock { state.samples }
  }

  private func waitIsOver(_ milliseconds: Int) -> Bool {
    lock.withLock {
      if !state.isStopped { stopped.wait(lock, atMostMilliseconds: milliseconds) }
      return state.isStopped
    }
  }

  private static func look(
    _ files: [FilePath], _ start: UInt64, _ recorder: Recorder
  ) -> TimingSample {
    let size = (try? FileSystem.size(of: files)) ?? FileSize()
    return recorder.timing(
      elapsedNanoseconds: Int(Clock.monotonicNanoseconds() - start),
      statSize: ByteCount(size.bytes),
      statAllocated: ByteCount(size.allocatedBytes),
      residentMemory: ByteCount(ProcessMetrics.memory().residentBytes ?? 0))
  }
}
