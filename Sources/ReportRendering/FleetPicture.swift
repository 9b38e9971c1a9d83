// Pictures of a simulated fleet: quantiles of sizes over time, a panel for each policy, and the distribution of the largest
// size, a curve for each policy.
package import FleetModel
import MetricModel
import PictureDrawing

package enum FleetPicture {
  package static let fanName = "sizes.svg"
  package static let distributionName = "largest.svg"

  private static let (left, width, height, gap) = (70, 620, 170, 46)

  /// Sizes over time: p50 as a line, areas up to p90, p99 and p99.9. All panels have one axis.
  package static func fan(_ summary: FleetSummary) -> String {
    // A few files of the last thousandth would leave nothing to see of the others.
    let largest = summary.policies.flatMap { $0.sizes.compactMap { $0.last } }.max() ?? 1
    let axis = ByteAxis(max: max(1, Int(largest)), ticks: 4)
    var body = Draw.text("Size of the file over time", "txt", x: 16, y: 24, size: 14, weight: "600")
    body += Draw.text(
      "line: half of the devices are below; areas: nine in ten, 99 %, 99.9 %", "faint", x: 16,
      y: 42,
      size: 11)
    for (index, policy) in summary.policies.enumerated() {
      let top = 60 + index * (height + gap)
      body += Draw.group(x: left, y: top, panel(policy, summary, axis, style: index)) + "\n"
    }
    return document(
      "Sizes of files over time", height: 60 + summary.policies.count * (height + gap), body)
  }

  private static func panel(
    _ policy: PolicySummary, _ summary: FleetSummary, _ axis: ByteAxis, style: Int
  ) -> String {
    func y(_ bytes: Double) -> Double {
      Double(height) * (1 - min(1, bytes / Double(axis.top)))
    }
    func line(_ quantile: Int) -> [(x: Double, y: Double)] {
      policy.sizes.enumerated().map { moment, sizes in
        (Double((moment + 1) * width) / Double(policy.sizes.count), y(sizes[quantile]))
      }
    }
    var out = Draw.text(policy.name.visible, "txt", x: 0, y: -6, size: 12, weight: "600")
    for tick in axis.ticks {
      let at = y(Double(tick))
      out += Draw.path("grid", PathData().move(0, at).horizontal(to: width))
      out += Draw.text(axis.label(tick), "faint", x: -8, y: at + 4, size: 10, anchor: .end)
    }
    let series = "m\(PictureTheme.style(style))"
    for (quantile, opacity) in [(3, "0.12"), (2, "0.2"), (1, "0.3")] {
      if let area = PathData.area(under: line(quantile), base: height) {
        out += Draw.path(
          series, area, width: "0", opacity: opacity,
          title: FleetWords.percentile(FigureSummary.shares[quantile]))
      }
    }
    out += Draw.path("curve s\(PictureTheme.style(style))", PathData(through: line(0)), width: "2")
    for (label, x) in [("0", 0), ("\(summary.years.threeDigits) years", width)] {
      out += Draw.text(
        label, "faint", x: x, y: height + 14, size: 10, anchor: x == 0 ? nil : .end)
    }
    return out
  }

  /// The share of devices up to each size, on a logarithmic axis.
  package static func distribution(_ summary: FleetSummary) -> String {
    let sizes = summary.policies.flatMap { $0.distribution.map(\.size) }.filter { $0 >= 1 }
    let first = (sizes.min() ?? 1).piecewiseLog2.rounded(.down)
    let last = max(first + 1, (sizes.max() ?? 2).piecewiseLog2.rounded(.up))
    func x(_ size: Double) -> Double {
      Double(width) * (max(1, size).piecewiseLog2 - first) / (last - first)
    }
    let height = 2 * height
    var body = ""
    for share in stride(from: 0, through: 100, by: 25) {
      let at = Double(height) * (1 - Double(share) / 100)
      body += Draw.path("grid", PathData().move(0, at).horizontal(to: width))
      body += Draw.text("\(share) %", "faint", x: -8, y: at + 4, size: 10, anchor: .end)
    }
    for exponent in stride(from: first, through: last, by: max(1, ((last - first) / 8).rounded())) {
      body += Draw.text(
        FleetWords.size(piecewisePower2(exponent)), "faint",
        x: x(piecewisePower2(exponent)), y: height + 14, size: 10, anchor: .middle)
    }
    for (index, policy) in summary.policies.enumerated() {
      let style = PictureTheme.style(index)
      let points = policy.distribution.map {
        (x: x($0.size), y: Double(height) * (1 - $0.share))
      }
      body += Draw.path(
        "curve s\(style)", PathData(through: points), width: PictureTheme.widths[style],
        dashes: PictureTheme.dashes[style])
      body += Draw.path(
        "curve s\(style)",
        PathData().move(0, height + 34 + index * 18).horizontal(by: 36),
        width: PictureTheme.widths[style], dashes: PictureTheme.dashes[style])
      body += Draw.text(
        policy.name.visible, "txt", x: 44, y: height + 38 + index * 18, size: 11)
    }
    let title = Draw.text(
      "Share of devices whose largest size is up to …", "txt", x: 16, y: 24, size: 14,
      weight: "600")
    return document(
      "Distribution of the largest size", height: 60 + height + 44 + summary.policies.count * 18,
      title + Draw.group(x: left, y: 50, body) + "\n")
  }

  private static func document(_ title: String, height: Int, _ body: String) -> String {
    PictureDocument.text(
      width: left + width + 30, height: height, styles: PictureTheme.standalone, title: title,
      background: .style("paper"), body)
  }
}
