// The cost of held snapshots on an engine: the growth of its files while they are held, what happens after their release,
// and how the mitigations (the other arms) compare.
package import MetricModel
import RecordModel
import ScenarioModel

package struct PinCost: Sendable, Equatable {
  package struct Arm: Sendable, Equatable {
    package let name: String
    package let summary: String
    /// The growth of all files minus that of live data, from the last sample before the phase (or, at a launch, the first
    /// of the phase) to the last within.
    package let growth: ByteCount
    package let commits: Int
    package let atBegin: ByteCount
    package let atRelease: ByteCount
    /// Whether that growth levels off over the last third of the phase.
    package let levelsOff: Bool
    package let longestLag: Int
    /// The size in the last sample of the next phase of the same launch; nil if there is no next phase.
    package let afterwards: ByteCount?
    /// The free bytes by then; nil if the engine does not report them.
    package let freeAfterwards: ByteCount?
    /// The part of `afterwards` in files beside the main one: a log, which is neither free nor gone.
    package let besideAfterwards: ByteCount?
    package let highWater: ByteCount
    package let final: ByteCount
  }

  package let engine: String
  package let policy: String
  /// The phase and launch in which, while snapshots of the first arm are held, its files grow most beyond its live
  /// data.
  package let phase: String
  package let launch: Int
  /// The main arm first, then the mitigations.
  package let arms: [Arm]

  package var main: Arm { arms[0] }
  package var mitigations: ArraySlice<Arm> { arms.dropFirst() }

  init?(engine: String, _ scenario: Scenario, _ cells: [CellAnalysis]) {
    let policies = scenario.policies.filter { $0.rule == "never" } + scenario.policies
    func cell(_ policy: String, _ arm: String) -> CellAnalysis? {
      cells.first { $0.key == CellKey(engine: engine, policy: policy, arm: arm) && $0.isMeasured }
    }
    guard let first = scenario.arms.first,
      let policy = policies.first(where: { cell($0.name, first.name)?.samples.isEmpty == false }),
      let main = cell(policy.name, first.name),
      let worst = Self.worst(Self.phases(main.samples))
    else { return nil }
    self.engine = engine
    self.policy = policy.name
    phase = worst.phase
    launch = worst.launch
    arms = scenario.arms.compactMap { arm in
      cell(policy.name, arm.name).flatMap { Self.arm($0, arm, worst.launch, worst.phase) }
    }
  }

  private struct PhaseSamples {
    let launch: Int
    let phase: String
    var samples: [Sample]
    var longestLag: Int { samples.map(\.observation.oldestPinLag).max() ?? 0 }
    var growth: ByteCount {
      guard let first = samples.first?.observation.space, let last = samples.last?.observation.space
      else { return .zero }
      return PinCost.growth(from: first, to: last)
    }
  }

  /// Returns the growth of the files minus that of live data, which no snapshot causes.
  private static func growth(from begin: SpaceUsage, to end: SpaceUsage) -> ByteCount {
    let live = (end.live ?? .zero) - (begin.live ?? .zero)
    return end.total - begin.total - max(.zero, live)
  }

  private static func phases(_ samples: [Sample]) -> [PhaseSamples] {
    var phases: [PhaseSamples] = []
    for sample in samples {
      let launch = sample.observation.launch
      // No copy of the last phase may live here, or each append would copy its samples.
      if phases.last?.launch == launch, phases.last?.phase == sample.phase {
        phases[phases.count - 1].samples.append(sample)
      } else {
        phases.append(PhaseSamples(launch: launch, phase: sample.phase, samples: [sample]))
      }
    }
    return phases
  }

  private static func before(_ index: Int, _ all: [PhaseSamples]) -> Observation? {
    guard index > 0, all[index - 1].launch == all[index].launch else { return nil }
    return all[index - 1].samples.last?.observation
  }

  private static func worst(_ phases: [PhaseSamples]) -> PhaseSamples? {
    phases.filter { $0.longestLag > 0 }
      .max { ($0.growth, $0.longestLag) < ($1.growth, $1.longestLag) }
  }

  private static func arm(
    _ cell: CellAnalysis, _ arm: ArmSpec, _ launch: Int, _ phase: String
  ) -> Arm? {
    let all = phases(cell.samples)
    guard let index = all.firstIndex(where: { $0.launch == launch && $0.phase == phase }),
      let begin = Self.before(index, all) ?? all[index].samples.first?.observation,
      let release = all[index].samples.last?.observation, let last = cell.samples.last
    else { return nil }
    let next = index + 1 < all.count && all[index + 1].launch == launch ? all[index + 1] : nil
    let shape = CurveShape(
      all[index].samples.map(\.observation).map {
        ($0.commits, Double((begin.space.total + growth(from: begin.space, to: $0.space)).bytes))
      })
    return Arm(
      name: arm.name, summary: arm.summary,
      growth: growth(from: begin.space, to: release.space),
      commits: release.commits - begin.commits, atBegin: begin.space.total,
      atRelease: release.space.total,
      levelsOff: shape?.levelsOff(isBytes: true) ?? true, longestLag: all[index].longestLag,
      afterwards: next?.samples.last?.observation.space.total,
      freeAfterwards: next?.samples.last?.observation.space.free,
      besideAfterwards: next?.samples.last?.observation.space.sidecar,
      highWater: cell.samples.map(\.observation.space.total).max() ?? .zero,
      final: last.observation.space.total)
  }
}

extension PinCost.Arm {
  /// The growth while the snapshots are held: `grows by 3.1 MB beyond its live data and levels off`.
  package var whileHeld: String {
    guard growth.bytes > 0 else { return "does not grow beyond its live data" }
    let rate = bytesPerCommit.map { ", \($0) per commit" } ?? ""
    return "grows by \(growth) beyond its live data"
      + (levelsOff ? " and levels off" : " over \(counted(commits, "commit"))\(rate)")
  }

  /// The growth per commit of the phase; nil without commits.
  package var bytesPerCommit: ByteCount? {
    commits > 0 ? ByteCount(Int((Double(growth.bytes) / Double(commits)).rounded())) : nil
  }

  /// The development after the release; nil if no phase follows.
  package var afterRelease: String? {
    guard let afterwards else { return nil }
    let beside = besideAfterwards.flatMap { $0 > .zero ? $0 : nil }
    let free =
      (beside.map { ", \($0) of it in the log beside the file" } ?? "")
      + (freeAfterwards.map {
        beside == nil ? ", \($0) of it free for reuse" : " and \($0) free for reuse in the file"
      } ?? "")
    let change = afterwards - atRelease
    if abs(change.bytes) <= max(atRelease.bytes / 50, 65_536) {
      return "stays at \(afterwards)\(free)"
    }
    return change.bytes < 0
      ? "shrinks from \(atRelease) to \(afterwards)\(free)"
      : "keeps growing from \(atRelease) to \(afterwards)\(free)"
  }
}
