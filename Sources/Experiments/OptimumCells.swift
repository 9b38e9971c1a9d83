// The results of an optimum's runs by engine and arm: figures by launch, and the comparison of rows with predicted ones.
import Calibration
import LaunchSchedules
import Objective
import Policies
import RecordModel

struct OptimumCells {
  private let plan: OptimumPlan
  private let calibration: CalibrationRecord?
  private var order: [OptimumCellKey] = []
  private var runs: [OptimumCellKey: [Run]] = [:]
  private var absences: [OptimumCellKey: String] = [:]
  /// Whether a run failed.
  private(set) var hasFailed = false

  private struct Run {
    let policy: String
    let rows: [Sample]
    let events: [RunEvent]
    let launches: [LaunchFigures]

    var schedule: LaunchSchedule? {
      ScheduleRun(policy: policy, purpose: .check, isAutomatic: false, launches: launches)
        .schedule.map { LaunchSchedule($0) }
    }

    /// Whether the policy was asked wherever one can be: at launches, and in moments in the background.
    var isAsked: Bool {
      let asked = launches.filter { $0.compaction != .none }
      return !asked.isEmpty
        && (asked.contains { $0.moment != nil } || launches.allSatisfy { $0.moment == nil })
    }
  }

  init(_ plan: OptimumPlan, _ calibration: CalibrationRecord?) {
    (self.plan, self.calibration) = (plan, calibration)
  }

  mutating func add(_ outcome: RunOutcome) {
    let rows = Dictionary(outcome.samples.map { ($0.key, $0.rows) }) { first, _ in first }
    for cell in outcome.cells {
      let key = OptimumCellKey(engine: cell.key.engine, arm: cell.key.arm)
      if !order.contains(key) { order.append(key) }
      switch cell.status {
      case .measured:
        guard let record = cell.repetitions.first, let rows = rows[cell.key] else { continue }
        add(record, rows, cell.key.policy, to: key)
      case .notApplicable(let reason), .unavailable(let reason):
        // The engine may lack what one of the user's policies needs; that one is left out.
        if plan.purpose(of: cell.key.policy) != .policy { setAbsence(reason, of: key) }
      case .failed(let reason):
        hasFailed = true
        setAbsence("\(cell.key.policy): \(reason)", of: key)
      }
    }
  }

  private mutating func add(
    _ record: RepetitionRecord, _ rows: [Sample], _ policy: String, to key: OptimumCellKey
  ) {
    let sums = ExactSummary(samples: rows, requested: .zero, operations: 0)
    guard sums.highWater == record.exact.highWater, sums.timeWeighted == record.exact.timeWeighted
    else {
      return setAbsence(
        "a run has more samples than are retained, so that sizes between them are not exact; sample less often with "
          + "sample: { every: … commits }", of: key)
    }
    let launches = RunLaunches.figures(rows, record.events, plan.scenario.openings)
    runs[key, default: []].append(
      Run(policy: policy, rows: rows, events: record.events, launches: launches))
  }

  private mutating func setAbsence(_ reason: String, of key: OptimumCellKey) {
    if absences[key] == nil { absences[key] = reason }
  }

  var results: [OptimumCell] { order.map(result) }

  /// Returns the schedules that are to be run next: the optimum's, or where predictions fail all, as long as there are few.
  func missingSchedules(_ objective: Objective) -> [OptimumCellKey: [LaunchSchedule]] {
    var missing: [OptimumCellKey: [LaunchSchedule]] = [:]
    for key in order {
      let result = OptimumResult(self.result(key), objective)
      guard result.absence == nil, let matrix = result.matrix else { continue }
      var run = Set(runs(key) { plan.purpose(of: $0) != .policy })
      var wanted: [LaunchSchedule] = []
      if !result.basis.isExact, matrix.scheduleCount ?? .max <= OptimumPlan.maxSchedules {
        wanted = Self.schedules(of: matrix.decisions)
      } else if result.basis != .someSchedules {
        run.formUnion(runs(key) { !incomparable.contains($0) })
        wanted = result.rankings.first.flatMap(\.best.schedule).map { [$0.schedule] } ?? []
      }
      let left = wanted.filter { !run.contains($0) && $0.hasCondition }
      if !left.isEmpty { missing[key] = left }
    }
    return missing
  }

  /// The policies whose runs differ from those of launch schedules by more than the launches.
  private var incomparable: Set<String> {
    let policies = plan.scenario.policies.filter { policy in
      !OptimumPlan.isComparable(policy, plan.isAutomatic)
    }
    return Set(policies.map(\.name))
  }

  private func runs(_ key: OptimumCellKey, _ isWanted: (String) -> Bool) -> [LaunchSchedule] {
    (runs[key] ?? []).filter { isWanted($0.policy) }.compactMap(\.schedule)
  }

  private static func schedules(of launches: [Int]) -> [LaunchSchedule] {
    (0..<(1 << launches.count)).map { bits in
      LaunchSchedule(launches.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
    }
  }

  private func result(_ key: OptimumCellKey) -> OptimumCell {
    if let absence = absences[key] {
      return OptimumCell(engine: key.engine, arm: key.arm, absence: absence)
    }
    let runs = runs[key] ?? []
    let schedules = runs.filter { plan.purpose(of: $0.policy) != .policy }.map {
      ScheduleRun(
        policy: $0.policy, purpose: plan.purpose(of: $0.policy), isAutomatic: plan.isAutomatic,
        launches: $0.launches,
        reasons: LaunchMatrix.isEvery($0.policy) ? reasons($0) : [:])
    }
    let policies = plan.policies(of: key.arm).compactMap { policy, name in
      runs.first { $0.policy == name }.map { run in
        ScheduleRun(
          policy: policy.name, purpose: .policy, isAutomatic: policy.automatic,
          launches: run.launches, reasons: reasons(run))
      }
    }
    var cell = OptimumCell(
      engine: key.engine, arm: key.arm, isAutomatic: plan.isAutomatic, runs: schedules + policies,
      renewal: renewal(key, runs))
    if let calibration { cell.predictTimes(calibration) }
    return cell
  }

  private func reasons(_ run: Run) -> [Int: String] {
    RunLaunches.reasons(run.events, plan.scenario.openings)
  }

  /// Compares every run that a launch schedule could be with the rows that the launch matrix predicts.
  private func renewal(_ key: OptimumCellKey, _ runs: [Run]) -> RenewalFinding {
    var rows: [Int: [Sample]] = [:]
    for run in runs where plan.purpose(of: run.policy) == .matrix {
      guard let schedule = run.schedule, schedule.launches.count <= 1 else { continue }
      let launch = schedule.launches.first ?? 0
      if rows[launch] == nil { rows[launch] = run.rows }
    }
    let prediction = RowPrediction(rows, plan.scenario.openings)
    let incomparable = incomparable
    var finding = RenewalFinding()
    var schedules: Set<LaunchSchedule> = []
    for run in runs where run.isAsked && !incomparable.contains(run.policy) {
      guard let schedule = run.schedule,
        let compared = prediction.compare(run.rows, of: schedule, policy: run.policy)
      else { continue }
      finding.add(compared)
      if schedule.launches.count >= 2 { schedules.insert(schedule) }
    }
    finding.schedules = schedules.count
    return finding
  }
}
