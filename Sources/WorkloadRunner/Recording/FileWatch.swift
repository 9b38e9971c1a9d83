// Reads the sizes of the database's files and the process's memory at regular times of the machine's clock, on a thread
// of its own. It uses only `stat` on paths: opening and closing a file of LMDB or SQLite within their process would drop
// their locks.
import EngineInterface
import MetricModel
import RecordModel
import SystemIO

final class FileWatch: Sendable {
  private struct State {
    var isStopped = false
    var memory = MemoryPeaks()
    var samples = PeakPreservingDownsampler<TimingSample>(
      capacity: 20_000, size: { $0.statSize.bytes },
      merge: { kept, dropped in kept.takeLatencies(of: dropped) })
  }

  private let lock = ThreadMutex()
  private let stopped = ThreadCondition()
  private nonisolated(unsafe) var state = State()
  private nonisolated(unsafe) var thread: SystemThread?

  /// Starts to watch the engine's data files. Lock files and shared-memory indexes are excluded, as from all figures of
  /// space.
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
        let (sample, memory) = Self.read(files, folder, start, recorder)
        lock.withLock {
          state.samples.append(sample)
          state.memory.add(memory)
        }
      } while !waitIsOver(milliseconds)
      let (last, memory) = Self.read(files, folder, start, recorder)
      lock.withLock {
        state.samples.append(last, isFixed: true)
        state.memory.add(memory)
      }
    }
  }

  /// Stops the watch and returns its samples. A second call returns the same.
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

  /// The peaks of the process's memory in all readings so far.
  var memoryPeaks: MemoryPeaks { lock.withLock { state.memory } }

  private func waitIsOver(_ milliseconds: Int) -> Bool {
    lock.withLock {
      if !state.isStopped { stopped.wait(lock, atMostMilliseconds: milliseconds) }
      return state.isStopped
    }
  }

  private static func read(
    _ files: [FilePath], _ folder: FilePath, _ start: UInt64, _ recorder: Recorder
  ) -> (TimingSample, ProcessMetrics.Memory) {
    let begin = Clock.monotonicNanoseconds()
    let size = (try? FileSystem.size(of: files)) ?? FileSize()
    let reading = MachineReading(
      elapsedNanoseconds: Int(begin - start), statSize: ByteCount(size.bytes),
      statAllocated: ByteCount(size.allocatedBytes), memory: ProcessMetrics.memory(),
      writing: ProcessMetrics.writing(), freeDisk: try? FileSystem.freeBytes(at: folder))
    let sample = recorder.timingSample(of: reading)
    recorder.record(readingCost: Clock.monotonicNanoseconds() - begin)
    return (sample, reading.memory)
  }
}

/// The machine's figures at one moment.
struct MachineReading {
  var elapsedNanoseconds: Int
  var statSize: ByteCount
  var statAllocated: ByteCount
  var memory: ProcessMetrics.Memory
  var writing: ProcessMetrics.Writing?
  var freeDisk: Int?
}

extension TimingSummary {
  mutating func take(_ peaks: MemoryPeaks) {
    peakAnonymousMemory = peaks.anonymousBytes.map { ByteCount($0) }
    peakFileMemory = peaks.fileBytes.map { ByteCount($0) }
  }
}
