// What the run of a curve gave, by its launches.
import FleetModel
import LaunchSchedules
import MetricModel
import RecordModel
import ScenarioModel

struct MeasuredCurve {
  let design: CurveDesign
  let figures: [LaunchFigures]

  init(_ design: CurveDesign, _ scenario: Scenario, _ samples: [Sample], _ events: [RunEvent]) {
    self.design = design
    figures = RunLaunches.figures(samples, events, scenario.openings)
  }

  /// Why there is no curve; nil if there is one.
  var absence: String? {
    if figures.contains(where: { $0.callback == nil }) {
      return "the engine does not report used bytes at every launch"
    }
    return figures[design.compactedLaunch - 1].compaction == .finished
      ? nil : "the compaction at launch \(design.compactedLaunch) was not carried out"
  }

  /// The launches until the compaction; and those after it, of which the first is right after it.
  var points: [CurvePoint] { (1...design.compactedLaunch).compactMap { point($0, from: 1) } }

  private func point(_ launch: Int, from first: Int) -> CurvePoint? {
    let figure = figures[launch - 1]
    guard let callback = figure.callback else { return nil }
    let (written, data) = design.written(before: launch)
    let (writtenBefore, dataBefore) = design.written(before: first)
    return CurvePoint(
      turnover: (written - writtenBefore) / dataBefore, data: data,
      totalBytes: Double(callback.totalBytes.bytes), usedBytes: Double(callback.usedBytes.bytes))
  }

  /// What each launch needed at its worst moment beyond the file that it left; not that of the compaction, which is another.
  var peaks: [(commits: Int, bytes: Double)] {
    (1..<design.launches).compactMap { launch in
      guard launch != design.compactedLaunch,
        let left = figures[launch].callback?.totalBytes.bytes,
        let tier = launch < design.compactedLaunch
          ? design.tiers.first(where: { $0.launches.contains(launch) }) : design.tiers.first
      else { return nil }
      return (tier.commits, Double(max(0, figures[launch - 1].highWater.bytes - left)))
    }
  }

  /// The bytes that the compaction wrote; nil if the engine does not report them.
  var rewritten: Double? {
    let bytes = figures[design.compactedLaunch - 1].rewritten?.bytes ?? 0
    return bytes > 0 ? Double(bytes) : nil
  }

  /// The launches after the compaction, as a curve from there.
  var pointsAfter: [CurvePoint] {
    (design.compactedLaunch + 1...design.launches).compactMap {
      point($0, from: design.compactedLaunch)
    }
  }

  /// The largest relative difference of sizes after the last compaction to a run that was also compacted before.
  func renewalError(_ other: MeasuredCurve) -> Double {
    zip(pointsAfter, other.pointsAfter).map { own, other in
      max(
        abs(own.totalBytes - other.totalBytes) / own.totalBytes,
        abs(own.usedBytes - other.usedBytes) / own.usedBytes)
    }.max() ?? .infinity
  }
}
