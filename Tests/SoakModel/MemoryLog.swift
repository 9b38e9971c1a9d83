// The memory of the processes of a soak, sampled every few seconds while they live.
package import SystemIO

package final class MemoryLog: @unchecked Sendable {
  /// One process over time.
  package struct Track: Sendable {
    package var samples: [(seconds: Double, memory: ProcessMemory)] = []

    package var anonymous: MemoryTrend { trend(\.anonymous) }
    package var resident: MemoryTrend { trend(\.resident) }
    package var proportional: MemoryTrend { trend(\.proportional) }
    /// The number of mappings, each as a mebibyte.
    package var mappings: MemoryTrend { trend { $0.mappings << 20 } }

    private func trend(_ part: (ProcessMemory) -> Int) -> MemoryTrend {
      var trend = MemoryTrend()
      for sample in samples { trend.add(seconds: sample.seconds, bytes: part(sample.memory)) }
      return trend
    }
  }

  private let mutex = ThreadMutex()
  private let changed = ThreadCondition()
  private let began = Clock.monotonicNanoseconds()
  private var ids: [Int32?]
  private var isOver = false
  private var seen: [Track]
  private let folder: FilePath

  /// `folder` has the files of the database.
  package init(processes: Int, databaseIn folder: FilePath) {
    self.folder = folder
    ids = Array(repeating: nil, count: processes)
    seen = Array(repeating: Track(), count: processes)
  }

  package var tracks: [Track] { mutex.withLock { seen } }

  package func started(_ process: Int, as id: Int32) { mutex.withLock { ids[process] = id } }

  package func end() {
    mutex.withLock {
      isOver = true
      changed.broadcast()
    }
  }

  /// Samples all processes every so many seconds until `end`.
  package func watch(everySeconds seconds: Int) {
    mutex.lock()
    defer { mutex.unlock() }
    while !isOver {
      sample()
      changed.wait(mutex, atMostMilliseconds: seconds * 1000)
    }
  }

  private func sample() {
    let seconds = Double(Clock.monotonicNanoseconds() - began) / 1e9
    for (process, id) in ids.enumerated() {
      if let id, let memory = ProcessMemory(of: id, databaseIn: folder) {
        seen[process].samples.append((seconds, memory))
      }
    }
  }
}
