// One cell of the synthetic record: a small model of how the three engines' files grow. Plausible, not measured; only
// tests of analysis and rendering use it.
import MetricModel
package import Policies
package import RecordModel
package import ScenarioModel

package struct SyntheticCell {
  private let scenario: Scenario
  private let policy: Policy
  private let engine: String
  private let whileBlocked: ReaderSpec.WhileBlocked
  private var samples: [Sample] = []
  private var events: [RunEvent] = []
  private var phases: [PhaseSpan] = []
  private var pins: [PinSpan] = []
  private var time = VirtualTime.zero
  private var commits = 0
  private var launch = 0
  private var phase = ""
  private var live = 0.0
  private var free = 0.0
  private var pinned = 0.0
  private var wal = 0.0
  private var pinBegan: Int?
  private var compactions = 0
  private var rewritten = 0

  private static let full = 11_400_000.0

  package static func run(
    _ scenario: Scenario, _ policy: Policy, _ arm: ArmSpec, engine: String
  ) -> (samples: [Sample], events: [RunEvent], phases: [PhaseSpan], pins: [PinSpan]) {
    var cell = Self(scenario, policy, arm, engine)
    for launch in 1...scenario.launches { cell.runLaunch(launch) }
    return (cell.samples, cell.events, cell.phases, cell.pins)
  }

  private init(_ scenario: Scenario, _ policy: Policy, _ arm: ArmSpec, _ engine: String) {
    self.scenario = scenario
    self.policy = policy
    self.engine = engine
    var blocked = ReaderSpec.WhileBlocked.holds
    for client in arm.clients {
      if case .reader(let reader) = client.kind { blocked = reader.whileBlocked }
    }
    whileBlocked = blocked
  }

  private mutating func runLaunch(_ number: Int) {
    launch = number
    if number > 1 { time = time + scenario.gapBetweenLaunches }
    phase = scenario.phases[0].name
    if number > 1 { decideAtLaunch() }
    for spec in scenario.phases { run(spec) }
    wal = 0
  }

  private mutating func run(_ spec: PhaseSpec) {
    phase = spec.name
    let first = commits
    if spec.refill { grow(to: Self.full) }
    if spec.deleteShare > 0 {
      free += live * spec.deleteShare
      live *= 1 - spec.deleteShare
    }
    let holds = spec.clients.contains("reader") && whileBlocked != .invalidates
    if holds { pinBegan = commits }
    sample()
    for step in 1...spec.commits {
      commits += 1
      time = time + VirtualTime(microseconds: 10_000)
      commit()
      if case .refreshes(let every) = whileBlocked, holds, step % every == 0 {
        release(again: true)
      }
      if policy.automatic { compactAutomatically() }
      if step % scenario.sampling.everyCommits == 0 { sample() }
    }
    if holds { release(again: false) }
    phases.append(
      PhaseSpan(launch: launch, phase: spec.name, firstCommit: first, lastCommit: commits))
  }

  private mutating func commit() {
    switch (engine, pinBegan) {
    case ("native", _?):
      // Exact reclamation: at most one old copy of each live block is kept.
      let kept = (live - pinned) * 0.0016
      pinned += kept
      take(kept)
    case ("lmdb", _?):
      pinned += 21_000
      take(21_000)
    case ("sqlite", _?): wal += 46_000
    case ("sqlite", nil): wal = 4_100_000
    default: break
    }
  }

  private mutating func take(_ bytes: Double) { free = max(0, free - bytes) }

  private mutating func grow(to size: Double) {
    take(size - live)
    live = size
  }

  private mutating func release(again: Bool) {
    if let began = pinBegan {
      pins.append(PinSpan(holder: "reader", firstCommit: began, lastCommit: commits))
    }
    free += pinned
    pinned = 0
    wal = min(wal, again ? 8_000_000 : wal)
    pinBegan = again ? commits : nil
  }

  private var space: SpaceUsage {
    let parts = [live, free, pinned].map { ByteCount(Int($0)) }
    let step = 1 << 20
    let used = parts[0].bytes + parts[1].bytes + parts[2].bytes + 40_000
    let file = engine == "native" ? (used + step - 1) / step * step : (used + 4095) / 4096 * 4096
    switch engine {
    case "native":
      return SpaceUsage(
        file: ByteCount(file), live: parts[0], free: parts[1] + ByteCount(file - used),
        pinned: parts[2], pending: .zero, overhead: ByteCount(40_000))
    case "lmdb":
      return SpaceUsage(file: ByteCount(file), live: parts[0], free: parts[1] + parts[2])
    default:
      return SpaceUsage(
        file: ByteCount(file), live: parts[0], free: parts[1], sidecar: ByteCount(Int(wal)))
    }
  }

  private var observation: Observation {
    let age = pinBegan.map { VirtualTime(microseconds: (commits - $0) * 10_000) }
    return Observation(
      time: time, launch: launch, commits: commits, space: space,
      liveVersions: engine == "sqlite" ? nil : pinBegan == nil ? 1 : 2,
      pins: pinBegan == nil ? 0 : 1, oldestPinLag: pinBegan.map { commits - $0 } ?? 0,
      oldestPinAge: age ?? .zero)
  }

  private mutating func sample() {
    samples.append(
      Sample(
        phase: phase, observation: observation,
        written: engine == "lmdb" ? nil : ByteCount(commits * 30_000 + rewritten),
        compactions: compactions, rewritten: ByteCount(rewritten)))
  }

  private mutating func decideAtLaunch() {
    guard policy.onLaunch != .never else { return }
    let decision = policy.decideAtLaunch(observation)
    let before = space.total
    guard decision.compact else {
      return log(.onLaunch, .declined, decision.reason, before, 0)
    }
    free = 0
    compactions += 1
    rewritten += Int(live)
    log(.onLaunch, .finished, decision.reason, before, Int(live))
  }

  private mutating func compactAutomatically() {
    guard engine != "lmdb", free > 2 * (live + pinned), pinned == 0 else { return }
    let before = space.total
    log(.automatic, .started, "free is more than twice used", before, 0)
    free = 0.4 * live
    compactions += 1
    rewritten += Int(live * 0.8)
    log(.automatic, .finished, "free is below the limit", before, Int(live * 0.8))
  }

  private mutating func log(
    _ kind: CompactionEvent.Kind, _ outcome: CompactionEvent.Outcome, _ reason: String,
    _ before: ByteCount, _ rewritten: Int
  ) {
    events.append(
      RunEvent(
        launch: launch, phase: phase, commit: commits, time: time,
        event: CompactionEvent(
          kind: kind, outcome: outcome, reason: reason, before: before, after: space.total,
          rewritten: ByteCount(rewritten))))
  }
}
