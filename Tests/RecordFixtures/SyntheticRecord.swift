// A whole record with its samples, for tests of analysis and rendering: three engines, six policies, three arms.
import MetricModel
import Policies
package import RecordModel
import ScenarioModel

package enum SyntheticRecord {
  package static func make(
    repetitions: Int = 6, schedule: RunSchedule = .stepped
  ) throws -> (record: RunRecord, samples: [CellRows<Sample>]) {
    let scenario = try SyntheticScenario.make()
    var cells: [CellRecord] = []
    var rows: [CellRows<Sample>] = []
    for engine in ["native", "lmdb", "sqlite"] {
      for policy in scenario.policies {
        for arm in scenario.arms where arm.policies?.contains(policy.name) ?? true {
          let key = CellKey(engine: engine, policy: policy.name, arm: arm.name)
          if engine == "lmdb", policy.automatic {
            let reason = "LMDB never compacts by itself; only its copy does"
            cells.append(CellRecord(key: key, status: .notApplicable(reason: reason)))
            continue
          }
          let run = SyntheticCell.run(scenario, policy, arm, engine: engine)
          rows.append(CellRows(key: key, repetition: 1, rows: run.samples))
          if schedule == .both {
            rows += (2...repetitions + 1).map { threaded($0, run.samples, key) }
          }
          let stepped = schedule == .both ? 1 : repetitions
          cells.append(
            CellRecord(
              key: key, status: .measured,
              repetitions: (1...stepped).map { repetition($0, run, key) },
              threadedRepetitions: schedule == .both
                ? (2...repetitions + 1).map { repetition($0, run, key) } : nil))
        }
      }
    }
    let record = RunRecord(
      scenario: scenario, provenance: provenance(schedule, repetitions), cells: cells)
    return (record, rows)
  }

  /// The same run with another name of a policy, in all places that have it.
  package static func rename(
    policy old: String, _ new: String, _ record: inout RunRecord,
    _ samples: inout [CellRows<Sample>]
  ) {
    for index in record.cells.indices where record.cells[index].key.policy == old {
      record.cells[index].key.policy = new
    }
    for index in samples.indices where samples[index].key.policy == old {
      samples[index].key.policy = new
    }
    for index in record.scenario.policies.indices
    where record.scenario.policies[index].name == old {
      record.scenario.policies[index].name = new
    }
  }

  private static func repetition(
    _ index: Int,
    _ run: (samples: [Sample], events: [RunEvent], phases: [PhaseSpan], pins: [PinSpan]),
    _ key: CellKey
  ) -> RepetitionRecord {
    let exact = ExactSummary(
      samples: run.samples, requested: ByteCount(16_200 * 10 * 264), operations: 162_000)
    // Whole-number noise: the same on every machine.
    let spread = 1000 + (index * 7919 + key.engine.utf8.count * 104_729) % 97
    func timed(_ nanoseconds: Int) -> Int { nanoseconds * spread / 1000 }
    let blocked = 2_000_000 + (exact.rewritten ?? .zero).bytes / 2
    let speed = key.engine == "native" ? 11 : key.engine == "lmdb" ? 9 : 14
    var timing = TimingSummary(
      commitLatency: LatencySummary(
        count: exact.commits, p50: timed(speed * 4000), p99: timed(speed * 21_000),
        max: timed(speed * 700_000)),
      readLatency: LatencySummary(
        count: 162_000, p50: timed(900), p99: timed(4100), max: timed(88_000)),
      blockedAtLaunchTotal: timed(blocked), blockedAtLaunchMax: timed(blocked * 2 / 3),
      wall: timed(1_900_000_000), processorTime: timed(1_500_000_000),
      peakMemory: ByteCount(40_000_000 + spread))
    timing.peakAnonymousMemory = ByteCount(28_000_000 + spread)
    timing.peakFileMemory = ByteCount(13_000_000 + spread)
    return RepetitionRecord(
      index: index, exact: exact, timing: timing, events: run.events, phases: run.phases,
      pins: run.pins)
  }

  /// The rows of a run on real threads: sizes a little beside the exact ones. On one cell half of the runs are larger by
  /// half of the size from the middle on.
  private static func threaded(
    _ index: Int, _ samples: [Sample], _ key: CellKey
  ) -> CellRows<Sample> {
    let isOther = key == CellKey(engine: "lmdb", policy: "never", arm: "refresh")
    let rows = samples.enumerated().map { number, sample in
      var sample = sample
      let size = sample.observation.space.file.bytes
      let departs = isOther && index.isMultiple(of: 2) && 2 * number > samples.count
      let added = departs ? size / 2 : size * ((index * 31) % 7 - 3) / 100
      sample.observation.space.file = ByteCount(size + added)
      return sample
    }
    return CellRows(key: key, repetition: index, rows: rows)
  }

  private static func provenance(_ schedule: RunSchedule, _ repetitions: Int) -> Provenance {
    Provenance(
      toolVersion: "0.1.0",
      command:
        "compaction-lab run Scenarios/long-reader.yml --schedule \(schedule.rawValue) --seed 1",
      schedule: schedule, seed: 1, repetitions: repetitions, startedAt: "2026-01-02T03:04:05Z",
      operatingSystem: "Linux 6.1", processor: "AMD EPYC", cores: 2,
      memory: ByteCount(25_000_000_000), fileSystem: "ext4",
      engineVersions: ["native": "0.1.0", "lmdb": "0.9.24", "sqlite": "3.40.1"],
      engineNotes: [
        "native": EngineNote(
          summary: "the project's own engine", isExact: true,
          mechanisms: ["automatic": "moves blocks within ordinary commits"]),
        "lmdb": EngineNote(
          summary: "LMDB, no sync", isExact: false,
          accounting: "live bytes from the page counts of the tables; pinned and free are one"),
        "sqlite": EngineNote(
          summary: "SQLite in WAL mode", isExact: false,
          accounting: "free bytes from freelist_count; the log beside the file is sidecar"),
      ])
  }
}
