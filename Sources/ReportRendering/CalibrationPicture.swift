// Measured compaction times beside fitted ones, and the errors by the size of the file. Hollow marks are of sizes held out of
// the fit.
import Analysis
package import Calibration
import MetricModel
import PictureDrawing

package enum CalibrationPicture {
  package static let fileName = "compaction-times.svg"

  private static let (width, height) = (880, 400)
  private static let (top, bottom) = (74, 340)

  private struct Mark {
    var series: Int
    var isHeldOut: Bool
    var bytes: Double
    var measured: Double
    var fitted: Double
    var title: String

    var error: Double { (fitted - measured) / measured }
  }

  /// Returns nil where no compaction was fitted.
  package static func svg(_ record: CalibrationRecord) -> String? {
    let series = record.engines.flatMap { costs in
      CacheState.allCases.compactMap { cache in
        costs.model(.compaction, cache).map { (costs: costs, model: $0) }
      }
    }
    let marks = series.enumerated().flatMap { index, one in
      Self.marks(one.costs, one.model, series: index + 1)
    }
    guard !marks.isEmpty else { return nil }
    var body = ""
    for (index, one) in series.enumerated() {
      let x = 16 + index % 4 * 210
      body += Draw.circle(
        "mark m\(PictureTheme.style(index + 1))", x: x + 4, y: 18 + index / 4 * 18, radius: 4)
      body += Draw.text(
        "\(one.costs.engine.visible), \(one.model.cache.rawValue)", "txt", x: x + 14,
        y: 22 + index / 4 * 18, size: 12)
    }
    return StackedPicture.document(
      width: width, height: height, body + "\n" + times(marks) + errors(marks))
  }

  private static func marks(_ costs: EngineCosts, _ model: CostModel, series: Int) -> [Mark] {
    costs.points.compactMap { point in
      guard point.kind == .compaction, point.cache == model.cache, let time = point.time, time > 0
      else { return nil }
      let fitted = model.predicted(point).nanoseconds
      guard fitted > 0 else { return nil }
      return Mark(
        series: PictureTheme.style(series), isHeldOut: point.isHeldOut,
        bytes: Double(point.bytes.bytes), measured: time, fitted: fitted,
        title: "\(costs.engine), \(point.cache.rawValue), \(point.bytes): "
          + "measured \(Nanoseconds.words(time)), fitted \(Nanoseconds.words(fitted))")
    }
  }

  private static func drawn(_ mark: Mark, x: Double, y: Double) -> String {
    Draw.circle(
      "mark m\(mark.series)" + (mark.isHeldOut ? " hollow" : ""), x: x, y: y, radius: 4,
      title: mark.title) + "\n"
  }

  private static func times(_ marks: [Mark]) -> String {
    let all = marks.flatMap { [$0.measured, $0.fitted] }
    let across = LogAxis(all, from: 80, to: 410, isDecadic: true)
    let up = LogAxis(all, from: Double(bottom), to: Double(top), isDecadic: true)
    var body = ""
    for tick in across.ticks {
      let (x, y) = (across.position(tick), up.position(tick))
      body +=
        Draw.path("grid", PathData().move(80, y).horizontal(to: 410))
        + Draw.text(Nanoseconds.words(tick), "faint", x: 74, y: y + 4, size: 11, anchor: .end)
        + Draw.text(
          Nanoseconds.words(tick), "faint", x: x, y: bottom + 18, size: 11, anchor: .middle)
    }
    body += Draw.path("launch curve", PathData().move(80, bottom).line(410, top))
    body += Draw.text("measured", "faint", x: 245, y: bottom + 40, size: 11, anchor: .middle)
    body += Draw.text("fitted", "faint", x: 16, y: top - 8, size: 11) + "\n"
    return body
      + marks.map { drawn($0, x: across.position($0.measured), y: up.position($0.fitted)) }
      .joined()
  }

  private static func errors(_ marks: [Mark]) -> String {
    let across = LogAxis(marks.map(\.bytes), from: 500, to: 840, isDecadic: true)
    // In steps of a fifth; at least as far as the 20 % that predictions are held to.
    let reach = max(0.4, ((marks.map { abs($0.error) }.max() ?? 0) * 5).rounded(.up) / 5)
    func y(_ error: Double) -> Double {
      Double(top + bottom) / 2 - error / reach * Double(bottom - top) / 2
    }
    var body = ""
    for error in [-reach, -0.2, 0, 0.2, reach] {
      body +=
        Draw.path(
          error == 0 ? "axis curve" : "grid", PathData().move(500, y(error)).horizontal(to: 840))
        + Draw.text(percent(error), "faint", x: 494, y: y(error) + 4, size: 11, anchor: .end)
    }
    for tick in across.ticks {
      body += Draw.text(
        "\(ByteCount(Int(tick.rounded())))", "faint", x: across.position(tick), y: bottom + 18,
        size: 11, anchor: .middle)
    }
    body += Draw.text("file", "faint", x: 670, y: bottom + 40, size: 11, anchor: .middle)
    body += Draw.text(
      "(fitted − measured) ÷ measured; hollow: held out of the fit", "faint", x: 440, y: top - 8,
      size: 11)
    return body + "\n"
      + marks.map { drawn($0, x: across.position($0.bytes), y: y($0.error)) }.joined()
  }
}
