// What the cells of a plan need: estimated from the scenario's data, measured in a result.
import RecordModel
import ScenarioModel
import SystemIO

extension CellNeeds {
  /// The memory of a cell without data: the program, an engine and its caches.
  static let baseMemory = 64 << 20
  /// The disk space of a cell without data.
  static let baseDisk = 8 << 20
  /// A file, what its log or its free pages add, and the copy that a compaction makes.
  static let diskFactor = 3

  /// The estimate before any cell has ended, from the bytes that `explain` states.
  init(estimateFor scenario: Scenario) {
    let data = scenario.initialBytes
    self.init(memory: Self.baseMemory + data, disk: Self.baseDisk + Self.diskFactor * data)
  }

  /// What a repetition took. Where the peak of disk use was not measured, a copy beside the largest file is assumed.
  init(measuredIn record: RepetitionRecord) {
    let timing = record.timing
    self.init(
      memory: (timing.peakAnonymousMemory ?? timing.peakMemory).bytes,
      disk: record.exact.peakDisk?.bytes ?? 2 * record.exact.highWater.bytes)
  }
}

extension CellSpace {
  /// What the machine has now for cells whose files are in this folder.
  static func available(in folder: FilePath) -> CellSpace {
    CellSpace(
      memory: AvailableMemory.current(), disk: try? FileSystem.freeBytes(at: folder))
  }
}

extension ExperimentPlan {
  /// The least disk space that a cell of the plan needs for certain: its initial rows. 0 where every cell has a disk of its
  /// own, or stores nothing.
  package var minDiskBytes: Int {
    let arms = Set(scenario.arms.filter { $0.limits?.disk == nil }.map(\.name))
    let isOnDisk = cells.contains {
      $0.status == .measured && arms.contains($0.key.arm) && storingEngines.contains($0.key.engine)
    }
    return isOnDisk ? scenario.initialBytes : 0
  }
}
