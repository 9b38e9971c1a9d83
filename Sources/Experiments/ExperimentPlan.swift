// The cells of a run, and the order of their repetitions.
package import EngineInterface
import Generators
import Policies
package import RecordModel
package import ScenarioModel
package import SystemIO
package import WorkloadRunner

/// The matrix of one scenario: engine × policy × arm, including the cells that cannot be run, with the reason.
package struct ExperimentPlan: Sendable {
  package let scenario: Scenario
  package let schedule: RunSchedule
  package let seed: UInt64
  /// Runs of each cell; under both schedules, those on real threads.
  package let repetitions: Int
  /// Under both schedules, the stepped runs of each cell.
  package var steppedRepetitions = 1
  /// Whether each block on real threads has every cell twice, so that an A/A check can compare the two.
  package var certifies = false
  package private(set) var cells: [CellRecord]
  /// The part of the runs that this command does; nil for all.
  package internal(set) var share: PlanShare?
  /// The recorded order of turns that every cell repeats; nil draws the order from the seed.
  package var interleaving: Interleaving?
  /// Whether the order of turns of each repetition is recorded.
  package var keepsInterleavings = false
  /// How to start cells with a limited disk; nil where no cell has one.
  package var limitedDisk: LimitedDisk.Wrapping?
  /// Whether stepped runs have their files in memory, on a disk of their own whose peak use is measured.
  package var measuresPeakDisk = false
  /// Why the peak of disk use is not measured; nil where it is.
  package var peakDiskAbsence: String?
  /// The engines of which a run in memory gives the peak of disk use alone, and another one all other figures.
  private(set) var enginesThatDifferInMemory: Set<String> = []
  /// The engines that store what they are given.
  private(set) var storingEngines: Set<String> = []
  /// What every repetition does with a trace; nil for ordinary runs.
  package var trace: TraceUse?

  /// The folder in which the database files of each cell's first repetition are left; nil where none are.
  package var keptFiles: FilePath?

  /// Whether policies may start programs.
  package var allowsPrograms = false

  /// Plans every engine of `engines` with every policy and arm of the scenario.
  package init(
    _ scenario: Scenario, engines: [EngineAvailability], schedule: RunSchedule, repetitions: Int
  ) {
    self.scenario = scenario
    self.schedule = schedule
    self.repetitions = repetitions
    seed = scenario.seed
    let differing = engines.compactMap { engine -> String? in
      guard case .available(let engine) = engine, engine.capabilities.differsInMemory else {
        return nil
      }
      return engine.id
    }
    enginesThatDifferInMemory = Set(differing)
    storingEngines = Set(
      engines.compactMap { engine -> String? in
        guard case .available(let engine) = engine, engine.capabilities.keepsRows else {
          return nil
        }
        return engine.id
      })
    cells = engines.flatMap { engine in
      scenario.policies.flatMap { policy in
        scenario.arms
          .filter { scenario.policies(of: $0).contains { $0.name == policy.name } }
          .map { arm in
            CellRecord(
              key: CellKey(engine: engine.id, policy: policy.name, arm: arm.name),
              status: Self.status(of: engine, under: policy, scenario, arm))
          }
      }
    }
  }

  /// Finds out how to start cells with a disk of their own. Where that is impossible, those with a limited one become n/a
  /// with the reason, and the peak use of the others is not measured.
  package mutating func prepareLimitedDisks(executable: FilePath) {
    let limited = Set(scenario.arms.filter { $0.limits?.disk != nil }.map(\.name))
    guard !limited.isEmpty || measuresPeakDisk else { return }
    switch LimitedDisk.find(for: executable, trial: CellProcess.diskTrial) {
    case .success(let wrapping): limitedDisk = wrapping
    case .failure(let absence):
      if measuresPeakDisk { peakDiskAbsence = absence.reason }
      measuresPeakDisk = false
      for index in cells.indices
      where limited.contains(cells[index].key.arm) && cells[index].status == .measured {
        cells[index].status = .unavailable(reason: absence.reason)
      }
    }
  }

  /// Removes all cells but those for which `isWanted` holds.
  mutating func retainCells(where isWanted: (CellKey) -> Bool) {
    cells.removeAll { !isWanted($0.key) }
  }

  private static func status(
    of engine: EngineAvailability, under policy: Policy, _ scenario: Scenario, _ arm: ArmSpec
  ) -> CellRecord.Status {
    switch engine {
    case .unavailable(_, let reason): return .unavailable(reason: reason)
    case .available(let engine):
      let capabilities = engine.capabilities
      if let reason = engine.unsupportedReason(
        tables: scenario.tables.map(\.name), shapes: scenario.tables.map(\.shape))
      {
        return .notApplicable(reason: reason)
      }
      if arm.isEncrypted, case .notApplicable(let reason) = capabilities.encryption {
        return .notApplicable(reason: reason)
      }
      if let reason = unsupportedReason(of: arm.limits, capabilities) {
        return .notApplicable(reason: reason)
      }
      if scenario.lifecycle.isSeeded, !capabilities.keepsRows {
        return .notApplicable(reason: "this engine stores nothing that a seed file could contain")
      }
      if policy.automatic, case .notApplicable(let reason) = capabilities.automatic {
        return .notApplicable(reason: reason)
      }
      if let preset = policy.preset, !capabilities.automaticPresets.contains(preset) {
        return .notApplicable(
          reason:
            "this engine has no automatic compaction named \(preset.rawValue)")
      }
      if policy.thresholds != nil,
        case .notApplicable(let reason) = capabilities.automaticThresholds
      {
        return .notApplicable(reason: reason)
      }
      if policy.onLaunch != .never, case .notApplicable(let reason) = capabilities.onLaunch {
        return .notApplicable(reason: reason)
      }
      if !policy.automatic, policy.onLaunch == .never,
        case .notApplicable(let reason) = capabilities.never
      {
        return .notApplicable(reason: reason)
      }
      if !scenario.lifecycle.killedCompactions.isEmpty {
        for support in [capabilities.onLaunch, capabilities.otherProcesses] {
          if case .notApplicable(let reason) = support {
            return .notApplicable(reason: "a compaction that is killed: \(reason)")
          }
        }
      }
      if arm.hasSavepoints, case .notApplicable(let reason) = capabilities.savepoints {
        return .notApplicable(reason: "savepoints: \(reason)")
      }
      if arm.needsLog, case .notApplicable(let reason) = capabilities.log {
        return .notApplicable(reason: "checkpoints: \(reason)")
      }
      if let reason = unsupportedReason(ofGrowth: arm, under: policy, capabilities) {
        return .notApplicable(reason: reason)
      }
      if arm.hasOtherOpenings, case .notApplicable(let reason) = capabilities.otherOpenings {
        return .notApplicable(reason: "a second opening in one process: \(reason)")
      }
      if arm.hasOtherProcesses, case .notApplicable(let reason) = capabilities.otherProcesses {
        return .notApplicable(reason: "other processes: \(reason)")
      }
      if arm.hasOtherProcesses, arm.isEncrypted {
        return .notApplicable(reason: "an encrypted file is open in one process only")
      }
      return .measured
    }
  }

  /// Returns why the engine cannot have these limits; nil if it can.
  private static func unsupportedReason(
    of limits: LimitSpec?, _ capabilities: EngineCapabilities
  ) -> String? {
    if limits?.versions != nil, case .notApplicable(let reason) = capabilities.versionLimit {
      return "a limit on versions: \(reason)"
    }
    if limits?.addressSpace != nil, case .notApplicable(let reason) = capabilities.addressLimit {
      return "a limit on addresses: \(reason)"
    }
    if limits?.busyTimeout != nil, case .notApplicable(let reason) = capabilities.busyTimeout {
      return "a busy timeout: \(reason)"
    }
    return nil
  }

  /// Returns why the engine's file cannot grow and shrink as the arm specifies; nil if it can.
  private static func unsupportedReason(
    ofGrowth arm: ArmSpec, under policy: Policy, _ capabilities: EngineCapabilities
  ) -> String? {
    if arm.geometry != nil, case .notApplicable(let reason) = capabilities.geometry {
      return "bounds and steps of the file: \(reason)"
    }
    guard let vacuum = arm.autoVacuum else { return nil }
    if case .notApplicable(let reason) = capabilities.shortening {
      return "auto_vacuum: \(reason)"
    }
    return policy.automatic
      ? "auto_vacuum is full under this policy, and \(vacuum.rawValue) here" : nil
  }

  /// The engines that are missing on this machine, each once, with the reason.
  package var absentEngines: [(id: String, reason: String)] {
    var found: [(id: String, reason: String)] = []
    for cell in cells {
      if case .unavailable(let reason) = cell.status, found.last?.id != cell.key.engine,
        cells.allSatisfy({ $0.key.engine != cell.key.engine || $0.isUnavailable })
      {
        found.append((cell.key.engine, reason))
      }
    }
    return found
  }

  /// Whether nothing can be run because engines are missing.
  package var isWithoutEngine: Bool {
    !absentEngines.isEmpty && !cells.contains { $0.status == .measured }
  }

  /// The number of runs of each cell under this schedule.
  package func repetitions(under schedule: Schedule) -> Int {
    switch (self.schedule, schedule) {
    case (.both, .stepped): steppedRepetitions
    case (.both, .threads), (.stepped, .stepped), (.threads, .threads): repetitions
    case (.stepped, .threads), (.threads, .stepped): 0
    }
  }

  /// The runs of the plan by schedule, in order: stepped ones first. Each repetition runs each cell once, in an order drawn
  /// from the seed, so that a slow minute of the machine does not always affect the same engine or policy.
  package var parts: [(schedule: Schedule, runs: [PlannedRun])] {
    guard let share else { return allParts }
    return allParts.map { ($0.schedule, $0.runs.filter { share.owns($0) || share.checks($0) }) }
  }

  /// The runs of all shards.
  var allParts: [(schedule: Schedule, runs: [PlannedRun])] {
    let runnable = cells.filter { $0.status == .measured }.map(\.key)
    var next = 1
    return Schedule.allCases.compactMap { schedule in
      let indexes = next..<next + repetitions(under: schedule)
      next = indexes.upperBound
      guard !indexes.isEmpty else { return nil }
      let runs = indexes.flatMap { repetition in
        var stream = RandomStream(seed: seed, label: "order of cells", index: repetition)
        let runs = runnable.map {
          PlannedRun(cell: $0, repetition: repetition, schedule: schedule)
        }
        let hasControls = certifies && schedule == .threads
        return (runs + (hasControls ? runs.map(\.control) : [])).shuffled(using: &stream)
      }
      return (schedule, runs)
    }
  }
}

/// One repetition of one cell.
package struct PlannedRun: Sendable, Equatable {
  package let cell: CellKey
  /// The index of its record.
  package let repetition: Int
  package let schedule: Schedule
  /// Whether only its times are recorded, to be compared with those of the repetition.
  package private(set) var isControl = false

  fileprivate var control: PlannedRun {
    var run = self
    run.isControl = true
    return run
  }
}

extension CellRecord {
  fileprivate var isUnavailable: Bool {
    if case .unavailable = status { true } else { false }
  }
}
