// The phases of a scenario. A phase that differs from launch to launch, in its commits or in what happens before its clients
// run, becomes several, each in its launches.
import MetricModel
import ScenarioModel

struct PhaseFit {
  /// Numbers of commits that one phase of the trace is divided by.
  static let maxGroups = 6

  let measured: MeasuredPhase
  let launches: Int

  /// Returns the phases, with the clients to be added.
  func phases(isDivided: Bool) -> [FittedScenario.Phase] {
    let byLaunch = instances
    let groups = isDivided ? groups(of: byLaunch) : [byLaunch]
    return groups.compactMap { group in
      let first = group[0].launch
      let name =
        groups.count == 1 || group == groups[0] ? measured.name : "\(measured.name)-launch-\(first)"
      return phase(named: name, group)
    }
  }

  /// The instances of each launch, as one: on average where several traces have it.
  private var instances: [MeasuredPhase.Instance] {
    let all = Dictionary(
      grouping: measured.instances.filter { $0.launch <= launches }, by: \.launch)
    return all.sorted { $0.key < $1.key }.map { _, instances in
      var mean = instances[0]
      mean.commits =
        (instances.reduce(0) { $0 + $1.commits } + instances.count / 2) / instances.count
      mean.change = instances.compactMap(\.change).first
      mean.idle = VirtualTime(
        microseconds: instances.reduce(0) { $0 + $1.idle.microseconds } / instances.count)
      return mean
    }
  }

  private func groups(of instances: [MeasuredPhase.Instance]) -> [[MeasuredPhase.Instance]] {
    var kinds: [[MeasuredPhase.Instance]] = []
    for instance in instances {
      if let known = kinds.firstIndex(where: { isAlike($0[0], instance) }) {
        kinds[known].append(instance)
      } else {
        kinds.append([instance])
      }
    }
    return kinds.flatMap(byCommits)
  }

  private func isAlike(_ a: MeasuredPhase.Instance, _ b: MeasuredPhase.Instance) -> Bool {
    let (before, after) = (change(of: [a]), change(of: [b]))
    return before.share == after.share && before.refills == after.refills
      && (idle(of: [a]) > .zero) == (idle(of: [b]) > .zero) && (a.commits > 0) == (b.commits > 0)
  }

  /// Divides instances whose numbers of commits differ: each number by itself, or neighboring ones together.
  private func byCommits(_ instances: [MeasuredPhase.Instance]) -> [[MeasuredPhase.Instance]] {
    let numbers = Set(instances.map(\.commits)).sorted()
    guard let low = numbers.first, let high = numbers.last, high - low > max(1, high / 50) else {
      return [instances]
    }
    let groups = min(numbers.count, Self.maxGroups)
    let bounds = (1...groups).map { numbers[$0 * numbers.count / groups - 1] }
    return bounds.enumerated().map { index, bound in
      instances.filter { $0.commits <= bound && (index == 0 || $0.commits > bounds[index - 1]) }
    }.filter { !$0.isEmpty }.sorted { $0[0].launch < $1[0].launch }
  }

  private func phase(
    named name: String, _ group: [MeasuredPhase.Instance]
  ) -> FittedScenario.Phase? {
    var spec = PhaseSpec(name: name)
    var commits = Moments()
    for instance in group { commits.add(instance.commits) }
    spec.commits = commits.rounded
    var evidence: [String] = []
    if spec.commits > 0 {
      evidence.append(
        "\(Notation.counted(Int(commits.sum), "commit")) in "
          + "\(Notation.counted(group.count, "launch", "launches")) (sd \(Notation.decimal(commits.deviation, 1)))"
      )
    }
    let change = change(of: group)
    spec.deleteShare = change.share
    spec.refill = change.refills
    if let batch = change.batch { spec.deleteBatch = batch }
    evidence += change.evidence
    spec.idle = idle(of: group)
    if spec.idle > .zero { evidence.append("the first commit after \(Notation.time(spec.idle))") }
    spec.checksReaders = group.contains(where: \.checksReaders)
    if group.count < launches { spec.onlyInLaunches = group.map(\.launch) }
    let isEmpty = spec.commits == 0 && spec.deleteShare == 0 && !spec.refill && spec.idle == .zero
    return isEmpty && !spec.checksReaders
      ? nil : FittedScenario.Phase(spec: spec, evidence: evidence)
  }

  /// The time before the first commit, where it is far longer than that between two commits.
  private func idle(of group: [MeasuredPhase.Instance]) -> VirtualTime {
    var idle = Moments()
    for instance in group { idle.add(instance.idle.seconds) }
    let interval = 1 / measured.rate
    guard idle.mean >= max(10, 20 * interval) else { return .zero }
    return VirtualTime(seconds: idle.mean - interval)
  }

  private func change(
    of group: [MeasuredPhase.Instance]
  ) -> (share: Double, refills: Bool, batch: Int?, evidence: [String]) {
    let changes = group.compactMap(\.change)
    let refills = changes.contains(where: \.refills)
    let deletions = changes.flatMap(\.deletions)
    let rows = deletions.reduce(0) { $0 + $1.rows }
    let deleted = deletions.reduce(0) { $0 + $1.deleted }
    var evidence: [String] = []
    if deleted > 0 {
      evidence.append(
        "\(Notation.count(deleted)) of \(Notation.counted(rows, "row")) deleted before the clients' first commit"
      )
    }
    if refills {
      evidence.append(
        "rows that the tables began with inserted again before the clients' first commit")
    }
    return (Self.share(deletions), refills, changes.map(\.batch).max(), evidence)
  }

  /// Returns the share with the fewest decimals by which exactly these rows are deleted.
  private static func share(_ deletions: [LeadingChanges.Deletion]) -> Double {
    let rows = deletions.reduce(0) { $0 + $1.rows }
    guard rows > 0 else { return 0 }
    let mean = Double(deletions.reduce(0) { $0 + $1.deleted }) / Double(rows)
    var scale = 100.0
    for _ in 0..<4 {
      let share = (mean * scale).rounded() / scale
      let phase = PhaseSpec(name: "", deleteShare: share)
      if deletions.allSatisfy({ phase.deletions(of: $0.rows) == $0.deleted }) { return share }
      scale *= 10
    }
    return (mean * 1000).rounded() / 1000
  }
}
