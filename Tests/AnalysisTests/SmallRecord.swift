// Records of one engine and one arm with hand-made figures, for rules that must be seen alone.
import MetricModel
import Objective
import Policies
import RecordModel
import ScenarioModel

enum SmallRecord {
  struct Figures {
    var policy: Policy
    var size: Int
    var rewritten: Int? = 0
    var peakDisk: Int?
    var launch = 1_000_000
    /// The times blocked at launch of the six runs, in place of those about `launch`.
    var launches: [Int]?
    var digests = ["a", "a", "a", "a", "a", "a"]
    var status = CellRecord.Status.measured
  }

  /// How long each run was: at the default prices a megabyte above a freshly compacted file costs 0.03 points.
  static let time = VirtualTime(seconds: 10 * 86_400)
  static let live = ByteCount(1_000_000)

  static func make(
    _ figures: [Figures], schedule: RunSchedule = .stepped, expectations: [Expectation] = []
  ) -> RunRecord {
    RunRecord(
      scenario: Scenario(
        name: "small", question: "Which?", tables: [], arms: [ArmSpec(name: "usual", clients: [])],
        phases: [PhaseSpec(name: "work")], engines: ["native"], policies: figures.map(\.policy),
        expectations: expectations),
      provenance: Provenance(
        toolVersion: "0", command: "run", schedule: schedule, seed: 1, repetitions: 6,
        startedAt: "", operatingSystem: "", processor: "", cores: 2, memory: .zero, fileSystem: "",
        engineVersions: [:]),
      cells: figures.map(cell))
  }

  static func key(_ policy: Policy) -> CellKey {
    CellKey(engine: "native", policy: policy.name, arm: "usual")
  }

  private static func cell(_ figures: Figures) -> CellRecord {
    let repetitions = figures.digests.enumerated().map { index, digest in
      var exact = ExactSummary(
        highWater: ByteCount(figures.size * 2), final: ByteCount(figures.size),
        finalLive: live, timeWeighted: ByteCount(figures.size),
        timeWeightedOpen: ByteCount(figures.size),
        rewritten: figures.rewritten.map { ByteCount($0) },
        written: nil, requested: ByteCount(50_000_000), commits: 100, operations: 1000,
        samplesDigest: digest)
      exact.area = ByteTime(ByteCount(figures.size), for: time)
      exact.liveArea = ByteTime(live, for: time)
      exact.time = time
      exact.peakDisk = figures.peakDisk.map { ByteCount($0) }
      let launch = figures.launches?[index] ?? figures.launch * (100 + index) / 100
      let none = LatencySummary(count: 0, p50: 0, p99: 0, max: 0)
      return RepetitionRecord(
        index: index + 1, exact: exact,
        timing: TimingSummary(
          commitLatency: LatencySummary(count: 100, p50: 10, p99: 20, max: 30 + index),
          readLatency: none, blockedAtLaunchTotal: launch, blockedAtLaunchMax: launch, wall: 1,
          processorTime: 1, peakMemory: .zero),
        events: [], phases: [], pins: [])
    }
    return CellRecord(key: key(figures.policy), status: figures.status, repetitions: repetitions)
  }

  /// Samples of one phase, one commit apart unless said otherwise.
  static func samples(
    _ files: [Int], phase: String = "work", launch: Int = 1, from first: Int = 0, step: Int = 100,
    live: Int? = 1_000_000
  ) -> [Sample] {
    files.enumerated().map { index, file in
      let commits = first + index * step
      return Sample(
        phase: phase,
        observation: Observation(
          time: VirtualTime(microseconds: commits), launch: launch, commits: commits,
          space: SpaceUsage(file: ByteCount(file), live: live.map { ByteCount($0) })),
        written: nil, compactions: 0, rewritten: .zero)
    }
  }
}
