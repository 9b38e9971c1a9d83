// Looks at the files that hold the database's data, and at the process's memory, by the wall clock, on a thread of its
// own. Only by `stat` on paths: opening and closing a file of LMDB or SQLite within their process would drop their
// locks.
import EngineInterface
import MetricModel
import RecordModel
import SystemIO

final class FileWatch: Sendable {
  private struct State {
    var isStopped = false
    var samples = PeakKeeper<TimingSample>(
      capacity: 20_000, size: { $0.statSize.bytes },
      takeOver: { kept, gone in kept.takeLatencies(of: gone) })
  }

  private let lock = ThreadMutex()
  private let stopped = ThreadCondition()
  private nonisolated(unsafe) var state = State()
  private nonisolated(unsafe) var thread: SystemThread?

  /// Watches the files in which the engine keeps data: lock files and shared-memory indexes are left out, as in every
  /// other account of space.
  convenience init(
    _ engine: any Engine, in folder: FilePath, every milliseconds: Int, start: UInt64,
    _ recorder: Recorder
  ) throws(SystemError) {
    let names = ([engine.mainFile] + engine.sidecarFiles).filter { !$0.isEmpty }
    try self.init(
      names.map { folder.appending($0) }, in: folder, every: milliseconds, start: start, recorder)
  }

  init(
    _ files: [FilePath], in folder: FilePath, every milliseconds: Int, start: UInt64,
    _ recorder: Recorder
  ) throws(SystemError) {
    thread = try SystemThread.start(name: "file watch") { [self] in
      repeat {
        let sample = Self.look(files, folder, start, recorder)
        lock.withLock { state.samples.append(sample) }
      } while !waitIsOver(milliseconds)
      let last = Self.look(files, folder, start, recorder)
      lock.withLock { state.samples.append(last, isFixed: true) }
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
    return lock.withLock { state.samples.rows }
  }

  private func waitIsOver(_ milliseconds: Int) -> Bool {
    lock.withLock {
      if !state.isStopped { stopped.wait(lock, atMostMilliseconds: milliseconds) }
      return state.isStopped
    }
  }

  private static func look(
    _ files: [FilePath], _ folder: FilePath, _ start: UInt64, _ recorder: Recorder
  ) -> TimingSample {
    let begin = Clock.monotonicNanoseconds()
    let size = (try? FileSystem.size(of: files)) ?? FileSize()
    let look = MachineLook(
      elapsedNanoseconds: Int(begin - start), statSize: ByteCount(size.bytes),
      statAllocated: ByteCount(size.allocatedBytes), memory: ProcessMetrics.memory(),
      writing: ProcessMetrics.writing(), freeDisk: try? FileSystem.freeBytes(at: folder))
    let sample = recorder.timing(look)
    recorder.looked(nanoseconds: Clock.monotonicNanoseconds() - begin)
    return sample
  }
}

/// What the machine shows at one moment.
struct MachineLook {
  var elapsedNanoseconds: Int
  var statSize: ByteCount
  var statAllocated: ByteCount
  var memory: ProcessMetrics.Memory
  var writing: ProcessMetrics.Writing?
  var freeDisk: Int?
}
