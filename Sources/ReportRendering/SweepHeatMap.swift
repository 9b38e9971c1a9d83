// A figure over two varied values as colors: a panel for each engine and policy.
import Analysis
import MetricModel
import PictureDrawing

enum SweepHeatMap {
  private static let (left, top, gap) = (96, 64, 26)
  private static let fewColumns = 12

  /// - Parameters:
  ///   - first: the index of the axis from left to right.
  ///   - second: the index of the axis from bottom to top.
  /// - Returns: nil without values.
  static func svg(_ figures: SweepFigures, _ first: Int, _ second: Int) -> String? {
    guard let low = figures.min, let high = figures.max else { return nil }
    let (across, up) = (figures.axes[first], figures.axes[second])
    let isLarge = across.labels.count <= fewColumns
    let box = (
      width: isLarge ? 58 : max(3, 640 / across.labels.count),
      height: up.labels.count <= fewColumns ? 26 : max(3, 300 / up.labels.count)
    )
    let panel = (
      width: left + across.labels.count * box.width + gap,
      height: top + up.labels.count * box.height + gap
    )
    let slots = figures.slots.indices.filter { slot in
      figures.engines.contains { figures.hasValues(.init(engine: $0, slot: slot)) }
    }
    var body = Draw.text(
      "\(figures.metric.metric.title): \(FigureText.words(low, figures.metric.unit)) to "
        + FigureText.words(high, figures.metric.unit), "txt", x: 16, y: 24, size: 14,
      weight: "600")
    for (row, engine) in figures.engines.enumerated() {
      for (column, slot) in slots.enumerated() {
        let series = SweepFigures.Series(engine: engine, slot: slot)
        var content = Draw.text(
          title("\(engine) · \(figures.slots[slot])".visible, width: panel.width - left), "txt",
          x: left, y: top - 12, size: 12)
        content += boxes(
          figures.grid(series, first, second), figures, (low, high), box, up.labels.count)
        content += labels(across, up, box)
        body += Draw.group(x: column * panel.width, y: 24 + row * panel.height, content) + "\n"
      }
    }
    return PictureDocument.text(
      width: max(360, slots.count * panel.width + 16),
      height: 24 + figures.engines.count * panel.height + 16,
      styles: PictureTheme.standalone + HeatScale.styles,
      title: "\(figures.metric.metric.title) over \(across.name) and \(up.name)",
      background: .style("paper"), body)
  }

  /// Returns as much of the text as its panel has space for.
  private static func title(_ text: String, width: Int) -> String {
    let count = width / 7
    return text.count <= count ? text : text.prefix(max(1, count - 1)) + "…"
  }

  private static func boxes(
    _ grid: [(x: Int, y: Int, value: Double)], _ figures: SweepFigures,
    _ ends: (low: Double, high: Double), _ box: (width: Int, height: Int), _ rows: Int
  ) -> String {
    grid.map { entry in
      let share = ends.high > ends.low ? (entry.value - ends.low) / (ends.high - ends.low) : 0
      let color = HeatScale.color(share)
      let (x, y) = (left + entry.x * box.width, top + (rows - 1 - entry.y) * box.height)
      let text = FigureText.words(entry.value, figures.metric.unit)
      let square = Draw.rectangle(
        x: x, y: y, width: box.width - 1, height: box.height - 1, fill: color.fill, title: text)
      guard box.width >= 58, box.height >= 20 else { return square }
      return square
        + Draw.text(
          text, color.isDark ? "ondark" : "onlight", x: x + box.width / 2, y: y + box.height - 9,
          size: 10, anchor: .middle)
    }.joined()
  }

  private static func labels(
    _ across: SweepAxisValues, _ up: SweepAxisValues, _ box: (width: Int, height: Int)
  ) -> String {
    var parts = ""
    let bottom = top + up.labels.count * box.height
    for index in shown(across.labels.count, minimum: 58, box.width) {
      parts += Draw.text(
        across.labels[index].visible, "faint", x: left + index * box.width + box.width / 2,
        y: bottom + 12, size: 9, anchor: .middle)
    }
    for index in shown(up.labels.count, minimum: 14, box.height) {
      parts += Draw.text(
        up.labels[index].visible, "faint", x: left - 6,
        y: top + (up.labels.count - 1 - index) * box.height + box.height / 2 + 3, size: 9,
        anchor: .end)
    }
    parts += Draw.text(
      across.name.visible, "txt", x: left + across.labels.count * box.width / 2, y: bottom + 25,
      size: 10, anchor: .middle)
    parts += Draw.verticalText(
      up.name.visible, "txt", x: 14, y: (top + bottom) / 2, size: 10)
    return parts
  }

  /// The indexes of labels that have space: each is at least `minimum` from the one before.
  private static func shown(_ count: Int, minimum: Int, _ size: Int) -> [Int] {
    Array(stride(from: 0, to: count, by: max(1, (minimum + size - 1) / size)))
  }
}
