// The size of the disks in memory on which peaks are measured: as much as the machine can spare, and no more.
import RecordModel
import SystemIO
import WorkloadRunner

extension MeasuredDisk {
  /// Returns the disk of one of so many cells that run at a time: together they have a quarter of the available memory.
  static func sharedMemory(
    among jobs: Int, available: Int? = AvailableMemory.current()
  ) -> MeasuredDisk {
    MeasuredDisk(bytes: available.map { max(1 << 20, $0 / 4 / jobs) })
  }

  /// Returns whether a run had all the space that it asked for: its files filled at most half of the disk, and a compaction
  /// or a copy that needs more than that would have filled the rest first.
  func isAmple(for result: RepetitionResult) -> Bool {
    guard let bytes, let peak = result.record.exact.peakDisk else { return true }
    return peak.bytes <= bytes / 2
  }
}
