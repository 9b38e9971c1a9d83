// Fan charts: quantiles of the size of files by the day, a panel for each policy. All panels have the same logarithmic scale,
// and show the first policy as dashed lines.
import FleetModel
import MetricModel
import PictureDrawing

enum FleetFans {
  static let fileName = "sizes.svg"

  private static let areas = ["0.34", "0.2", "0.1"]
  /// Labels at the end of lines are so far apart.
  private static let labelPitch = 11.0
  /// Limits far above all files would leave the fans at the bottom.
  private static let farLimit = 3.0

  static func picture(_ summary: FleetSummary) -> FleetPicture {
    let shares = FigureSummary.shares.map(FleetWords.percentile)
    let hasOthers = summary.policies.count > 1
    let sizes = summary.policies.flatMap { $0.sizes.joined() }.filter { $0 >= 1 }
    let greatest = sizes.max() ?? 2
    let limits = summary.sizeLimits.filter { $0 < greatest * farLimit }
    let axis = LogAxis(
      [sizes.min() ?? 1, greatest] + limits, from: Double(FleetPanel.height), to: 0)
    return FleetPicture(
      name: fileName, title: "Size of the file over time",
      subtitle: "lines: \(shares.joined(separator: ", ")) of all devices"
        + (hasOthers
          ? "; dashed: \(shares[0]) and \(shares[shares.count - 1]) under "
            + FleetPicture.shortened(summary.policies[0].name) : "")
        + (limits.isEmpty ? "" : "; dotted across: limits"),
      legend: [],
      panels: summary.policies.enumerated().map { panel($1, $0, summary, axis, limits) })
  }

  private static func panel(
    _ policy: PolicySummary, _ index: Int, _ summary: FleetSummary, _ axis: LogAxis,
    _ limits: [Double]
  ) -> String {
    let style = PictureTheme.style(index)
    let lines = FigureSummary.shares.indices.map { line(policy, $0, axis) }
    var out = FleetPanel.title(FleetPicture.shortened(policy.name))
    out += FleetPanel.across(
      axis.ticks.map { (FleetWords.tick($0, .bytes), axis.position($0)) })
    out += FleetPanel.along(days(summary.years))
    for (area, opacity) in areas.enumerated() {
      if let between = PathData.area(between: lines[area], and: lines[area + 1]) {
        out += Draw.path(
          "m\(style)", between, width: "0", opacity: opacity,
          title: "\(FleetWords.percentile(FigureSummary.shares[area])) to "
            + FleetWords.percentile(FigureSummary.shares[area + 1]))
      }
    }
    for limit in limits {
      out += Draw.path(
        "curve s7", PathData().move(0, axis.position(limit)).horizontal(to: FleetPanel.width),
        width: "1.2", dashes: "1 3", title: FleetWords.size(limit))
    }
    if index > 0 {
      for quantile in [0, FigureSummary.shares.count - 1] {
        out += Draw.path(
          "curve s0", PathData(through: line(summary.policies[0], quantile, axis)), width: "1.2",
          dashes: "5 3")
      }
    }
    for (quantile, line) in lines.enumerated() {
      out += Draw.path(
        "curve s\(style)", PathData(through: line), width: quantile == 0 ? "2.2" : "1")
    }
    return out + "\n" + labels(policy, lines)
  }

  private static func line(
    _ policy: PolicySummary, _ quantile: Int, _ axis: LogAxis
  ) -> [(x: Double, y: Double)] {
    policy.sizes.enumerated().map { moment, sizes in
      let share = Double(moment + 1) / Double(policy.sizes.count)
      return (share * Double(FleetPanel.width), axis.position(sizes[quantile]))
    }
  }

  /// The quantiles at the right, the largest on top.
  private static func labels(_ policy: PolicySummary, _ lines: [[(x: Double, y: Double)]]) -> String
  {
    guard let last = policy.sizes.last else { return "" }
    var (out, lowest) = ("", -Double.infinity)
    for quantile in FigureSummary.shares.indices.reversed() {
      guard let point = lines[quantile].last else { continue }
      let y = max(point.y + 4, lowest + labelPitch)
      lowest = y
      let share = FleetWords.percentile(FigureSummary.shares[quantile])
      out += Draw.text(
        share, "txt", x: Double(FleetPanel.width) + 6, y: y, size: 10,
        detail: (FleetWords.tick(last[quantile], .bytes), "faint"))
    }
    return out + "\n"
  }

  /// Round numbers of days, months or years.
  private static func days(_ years: Double) -> [(label: String, x: Double)] {
    let days = years * FleetSimulation.daysPerYear
    let (unit, name) =
      days <= 120
      ? (1.0, "day")
      : years <= 3
        ? (FleetSimulation.daysPerYear / 12, "month")
        : (FleetSimulation.daysPerYear, "year")
    let count = days / unit
    let step = [1.0, 2, 3, 6, 12, 30, 60].first { count / $0 <= 6.5 } ?? count / 5
    return stride(from: 0, through: count + 1e-9, by: step).map { number in
      (
        number == 0 ? "\(name) 0" : "\(Int(number.rounded()))",
        number / count * Double(FleetPanel.width)
      )
    }
  }
}
