// How a figure is distributed over the fleet: the share of devices at each value or above it, a curve for each policy, on
// logarithmic scales, so that one device in ten thousand is seen as well as half of them.
import FleetModel
import MetricModel
import PictureDrawing

enum FleetDistributions {
  static let fileName = "distributions.svg"

  /// Below it a curve would show single devices.
  private static let minDevices = 10.0
  private static let minShare = 1e-6

  static func picture(_ summary: FleetSummary) -> FleetPicture {
    FleetPicture(
      name: fileName, title: "Distribution over the fleet",
      subtitle: "up: the share of devices at a value or above it; both scales are logarithmic",
      legend: summary.policies.map(\.name),
      panels: FleetFigure.allCases.filter(\.isDrawn).compactMap { panel($0, summary) })
  }

  /// Returns nil for a figure that is not known, or is 0 on every device.
  private static func panel(_ figure: FleetFigure, _ summary: FleetSummary) -> String? {
    let lowest = lowestShare(summary)
    let curves = summary.policies.map { policy in
      (policy.figure(figure)?.exceedance ?? []).filter { $0.share >= lowest }
    }
    let limits = limits(of: figure, summary)
    let values = curves.joined().map(\.value).filter { $0 > 0 }
    guard let greatest = values.max() else { return nil }
    // Values that nearly no device is below take the space of those that matter.
    let least = max(values.min() ?? greatest, greatest / 1e6)
    let across = LogAxis(
      [least, greatest] + limits.filter { $0 > least && $0 < greatest * 3 }, from: 0,
      to: Double(FleetPanel.width))
    let up = LogAxis([lowest, 1], from: Double(FleetPanel.height), to: 0, isDecadic: true)
    let none = zip(summary.policies, curves).filter { !$1.contains { $0.value > 0 } }
    var out = FleetPanel.title(
      figure.rawValue,
      note: none.isEmpty
        ? nil : "0 under \(none.map { FleetPicture.shortened($0.0.name) }.joined(separator: ", "))")
    out += FleetPanel.across(
      up.ticks.reversed().map { (FleetWords.shortened(FleetWords.share($0)), up.position($0)) })
    out += FleetPanel.along(
      labeled(across.ticks).map { (FleetWords.tick($0, figure.unit), across.position($0)) })
    for limit in limits where across.low < limit && limit < across.high {
      let x = across.position(limit)
      let isAtEnd = x > Double(FleetPanel.width - 50)
      out +=
        Draw.verticalLine("launch", x: x, from: 0, to: FleetPanel.height)
        + Draw.text(
          FleetWords.tick(limit, figure.unit), "faint", x: isAtEnd ? x - 4 : x + 4, y: 11,
          size: 10, anchor: isAtEnd ? .end : nil)
    }
    for (index, points) in curves.enumerated() where points.contains(where: { $0.value > 0 }) {
      out += curve(points, index, across, up)
    }
    return out
  }

  private static func lowestShare(_ summary: FleetSummary) -> Double {
    max(minShare, min(0.1, minDevices / Double(max(1, summary.devices))))
  }

  private static func limits(of figure: FleetFigure, _ summary: FleetSummary) -> [Double] {
    switch figure {
    case .largestSize: summary.sizeLimits
    case .longestStall: summary.stallLimits
    default: []
    }
  }

  /// Ticks far enough apart for their labels.
  private static func labeled(_ ticks: [Double]) -> [Double] {
    let step = (ticks.count + 7) / 8
    return ticks.enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }

  /// From the left side, at the share of devices that have any of it.
  private static func curve(
    _ points: [ExceedancePoint], _ series: Int, _ across: LogAxis, _ up: LogAxis
  ) -> String {
    let drawn = points.filter { $0.value > 0 }
    var line = drawn.map { (x: across.position($0.value), y: up.position($0.share)) }
    if let first = line.first, first.x > 0 { line.insert((x: 0, y: first.y), at: 0) }
    let style = PictureTheme.style(series)
    return Draw.path(
      "curve s\(style)", PathData(through: line), series: series,
      width: PictureTheme.widths[style], dashes: PictureTheme.dashes[style]) + "\n"
  }
}
