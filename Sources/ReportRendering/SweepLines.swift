// A figure over one varied value as lines: a panel for each engine, a line for each policy.
import Analysis
import MetricModel
import PictureDrawing

enum SweepLines {
  private static let (width, plotHeight) = (720, 220)
  private static let (left, right, top, below) = (84, 700, 30, 52)

  /// - Parameters:
  ///   - axis: the index of the axis.
  ///   - isScattered: whether each value occurs once, so that a line between them would mean nothing.
  /// - Returns: nil without values.
  static func svg(_ figures: SweepFigures, over axis: Int, isScattered: Bool) -> String? {
    guard let max = figures.max else { return nil }
    let values = figures.axes[axis]
    // Ratios and rates have decimals that the axis of whole numbers would lose.
    let scale = [.ratio, .perSecond].contains(figures.metric.unit) ? 1000.0 : 1
    let vertical = ByteAxis(max: Swift.max(1, Int((max * scale).rounded(.up))), ticks: 5)
    let legend = legend(figures)
    var body = Draw.text(
      figures.metric.metric.title, "txt", x: 16, y: 22, size: 14, weight: "600")
    body += legend.body
    var y = 34 + legend.height
    for engine in figures.engines {
      var content = Draw.text(engine.visible, "txt", x: left, y: top - 8, size: 12, weight: "600")
      content += axes(values, vertical, scale, figures.metric.unit)
      for slot in figures.slots.indices {
        let points = figures.line(.init(engine: engine, slot: slot), over: axis).map {
          (
            x: Double(left) + values.share($0.index) * Double(right - left),
            y: height($0.value * scale, vertical)
          )
        }
        let style = PictureTheme.style(slot)
        if !isScattered {
          content += Draw.path(
            "curve s\(style)", PathData(through: points), width: PictureTheme.widths[style],
            dashes: PictureTheme.dashes[style])
        }
        content += points.map { Draw.circle("mark m\(style)", x: $0.x, y: $0.y, radius: 2.5) }
          .joined()
      }
      body += Draw.group(x: 0, y: y, content) + "\n"
      y += top + plotHeight + below
    }
    return PictureDocument.text(
      width: width, height: y, styles: PictureTheme.standalone,
      title: "\(figures.metric.metric.title) over \(values.name)", background: .style("paper"), body
    )
  }

  private static func height(_ value: Double, _ axis: ByteAxis) -> Double {
    Double(top + plotHeight) - value / Double(axis.top) * Double(plotHeight)
  }

  private static func axes(
    _ values: SweepAxisValues, _ vertical: ByteAxis, _ scale: Double, _ unit: Metric.Unit
  ) -> String {
    var parts = ""
    for tick in vertical.ticks {
      let y = height(Double(tick), vertical)
      parts +=
        Draw.path("grid", PathData().move(left, y).horizontal(to: right))
        + Draw.text(
          FigureText.words(Double(tick) / scale, unit), "faint", x: left - 6, y: y + 3.5, size: 10,
          anchor: .end)
    }
    let bottom = top + plotHeight
    parts += Draw.path(
      "axis curve", PathData().move(left, top).vertical(to: bottom).horizontal(to: right))
    var end = -Double.infinity
    for index in values.labels.indices {
      let x = Double(left) + values.share(index) * Double(right - left)
      guard x - end >= 62 else { continue }
      end = x
      parts += Draw.text(
        values.labels[index].visible, "faint", x: x, y: bottom + 16, size: 10, anchor: .middle)
    }
    return parts
      + Draw.text(
        values.name.visible, "faint", x: (left + right) / 2, y: bottom + 34, size: 11,
        anchor: .middle)
  }

  private static func legend(_ figures: SweepFigures) -> (body: String, height: Int) {
    var body = ""
    for (index, slot) in figures.slots.enumerated() {
      let style = PictureTheme.style(index)
      let y = 34 + index * 18
      body +=
        Draw.path(
          "curve s\(style)", PathData().move(16, y + 6).horizontal(by: 36),
          width: PictureTheme.widths[style], dashes: PictureTheme.dashes[style])
        + Draw.text(slot.visible, "txt", x: 60, y: y + 10, size: 12) + "\n"
    }
    return (body, figures.slots.count * 18)
  }
}
