// From the results of a plan's runs to curves: each class with its check of renewal, each group with the errors of
// interpolation at devices that were left out.
package import FleetModel
import MetricModel
import RecordModel
import ScenarioModel

package struct FleetMeasurement {
  /// A class is refused where sizes after a compaction depend by more than this on an earlier one.
  package static let maxRenewalError = 0.01

  private let plan: FleetPlan
  private let outcome: SweepRun.Outcome

  package init(_ plan: FleetPlan, _ outcome: SweepRun.Outcome) {
    self.plan = plan
    self.outcome = outcome
  }

  /// Why a run failed, with its name; empty if none did.
  package var failures: [String] { outcome.failures }

  /// The digests of all rows, in the order of the runs: equal digests, equal curves.
  package var digests: [String] { outcome.digests }

  /// Returns the curves. All runs have ended without a failure.
  package func curves(versions: [String: String]) -> FleetCurves {
    let groups = plan.population.groups.enumerated().map { index, group in
      GroupCurves(
        group: group.name, engine: group.engine, engineVersion: versions[group.engine] ?? "",
        axes: plan.axes[index],
        classes: (0..<plan.axes[index].classCount).map { classCurves(index, $0) })
    }
    var curves = FleetCurves(
      population: plan.population, stratification: plan.stratification, groups: groups)
    guard curves.flaw == nil else { return curves }
    for index in groups.indices where groups[index].classes.allSatisfy({ $0.refusal == nil }) {
      curves.groups[index].errors = errors(index, curves)
    }
    return curves
  }

  private func measured(_ point: Int, _ policy: String) -> MeasuredCurve? {
    guard let cell = outcome.cells[point].first(where: { $0.key.policy == policy }),
      let record = cell.repetitions.first,
      let rows = outcome.samples[point].first(where: { $0.key == cell.key })
    else { return nil }
    return MeasuredCurve(
      plan.points[point].design, plan.sweep.groups[point].scenario, rows.rows, record.events)
  }

  private func classCurves(_ group: Int, _ item: Int) -> ClassCurves {
    var curves: [RenewalCurve] = []
    var peaks: [(commits: Int, bytes: Double)] = []
    var refusal: String?
    for (index, point) in plan.points.enumerated() {
      guard point.group == group, point.classIndex == item, case .curve(let size) = point.purpose,
        let once = measured(index, CurveDesign.single)
      else { continue }
      if let absence = once.absence {
        refusal = refusal ?? absence
        continue
      }
      guard let rewritten = once.rewritten else {
        refusal = refusal ?? "the engine does not report what a compaction writes"
        continue
      }
      if size == 0, let twice = measured(index, CurveDesign.twice) {
        refusal = refusal ?? Self.refusal(once.renewalError(twice))
      }
      peaks += once.peaks
      curves.append(
        RenewalCurve(
          data: point.design.bytes, points: once.points, after: once.pointsAfter,
          rewritten: rewritten))
    }
    return ClassCurves(
      name: plan.name(group, item), parameters: plan.axes[group].parameters(item),
      curves: refusal == nil ? curves : [], peaks: LaunchPeaks(peaks), refusal: refusal)
  }

  static func refusal(_ error: Double) -> String? {
    guard error > maxRenewalError else { return nil }
    let percent = (error * 1000).rounded() / 10
    return
      "a compaction does not renew its files: sizes after it differ by up to \(percent) % from those of a run that was "
      + "compacted before as well"
  }

  /// Errors of total and used bytes, before and after the compaction.
  private func errors(_ group: Int, _ curves: FleetCurves) -> InterpolationErrors? {
    var device = DeviceCurves(curves)
    var (total, used) = ([Double](), [Double]())
    for (index, point) in plan.points.enumerated() where point.group == group {
      guard case .leftOut(let left) = point.purpose, let run = measured(index, CurveDesign.single),
        run.absence == nil
      else { continue }
      device.load(left, writes: plan.population.groups[group].writes)
      let after = point.design.written(before: point.design.compactedLaunch).data
      var age = 0.0
      for (data, points) in [(point.design.bytes, run.points), (after, run.pointsAfter)] {
        device.compact(at: data)
        for measured in points {
          let found = device.sizes(at: measured.turnover, age: measured.turnover + age)
          total.append(found.total * measured.data / measured.totalBytes - 1)
          used.append(found.used * measured.data / measured.usedBytes - 1)
        }
        age = device.keptFill * (run.points.last?.turnover ?? 0)
      }
    }
    return InterpolationErrors(total: total, used: used)
  }
}
