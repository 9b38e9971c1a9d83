// Draws one panel: bands for phases, live data as an area, a curve for each series, a mark for each compaction, and below
// the axis a bar for each snapshot with the bytes retained for it.
import Analysis
import MetricModel
import PictureDrawing
import RecordModel

struct PanelSVG {
  struct Size {
    var width: Int
    var height: Int
    /// Small ones of many have fewer labels.
    var isSmall: Bool

    static let large = Size(width: 960, height: 260, isSmall: false)
    static let small = Size(width: 250, height: 130, isSmall: true)
  }

  private static let barHeight = 15
  private let model: PanelModel
  private let size: Size
  private let axis: ByteAxis

  init(_ model: PanelModel, _ size: Size) {
    self.model = model
    self.size = size
    axis = ByteAxis(max: model.top.bytes, ticks: size.isSmall ? 3 : 5)
  }

  private var left: Int { size.isSmall ? 50 : 74 }
  private var right: Int { size.isSmall ? 6 : 14 }
  private var topEdge: Int { size.isSmall ? 20 : 50 }
  private var bottomEdge: Int { topEdge + size.height }
  private var strip: Int { size.isSmall ? min(1, model.holders.count) : model.holders.count }
  var width: Int { size.width }
  var height: Int { bottomEdge + strip * (Self.barHeight + 3) + (size.isSmall ? 20 : 40) }

  /// The area of the curves, for the page's script: left edge and width in the picture's units.
  var plot: (left: Int, width: Int) { (left, size.width - left - right) }

  private func x(_ commit: Int) -> Double {
    Double(left) + Double(commit) * Double(plot.width) / Double(model.lastCommit)
  }
  private func y(_ bytes: Int) -> Double {
    Double(bottomEdge) - Double(bytes) / Double(axis.top) * Double(size.height)
  }

  /// The elements, without the `svg` around them.
  var body: String {
    var parts: [String] = bands()
    parts += axes()
    if let area = area() { parts.append(area) }
    parts += model.lines.compactMap(spread)
    parts += model.lines.map(curve)
    parts += launches()
    for line in model.lines { parts += line.marks.map { mark($0, line.series) } }
    parts += bars()
    let title = size.isSmall ? 11 : 14
    parts.append(
      Draw.text(
        model.title.visible, "txt", x: left, y: size.isSmall ? 13 : 16, size: title, weight: "600"))
    return parts.joined(separator: "\n")
  }

  private func bands() -> [String] {
    model.phases.enumerated().map { index, phase in
      let (begin, end) = (x(phase.firstCommit), x(phase.lastCommit))
      let kind = model.heldPhases.contains(index) ? "held" : index.isMultiple(of: 2) ? "band" : ""
      let band =
        kind.isEmpty
        ? ""
        : Draw.rectangle(kind, x: begin, y: topEdge, width: end - begin, height: size.height)
      guard !size.isSmall, end - begin > Double(phase.phase.count * 6 + 4) else { return band }
      return band
        + Draw.text(
          phase.phase.visible, "faint", x: (begin + end) / 2, y: topEdge - 5, size: 10,
          anchor: .middle)
    }.filter { !$0.isEmpty }
  }

  private func axes() -> [String] {
    var parts: [String] = []
    let font = size.isSmall ? 9 : 11
    for tick in axis.ticks {
      let height = y(tick)
      parts.append(
        Draw.path("grid", PathData().move(left, height).horizontal(to: size.width - right))
          + Draw.text(
            axis.label(tick), "faint", x: left - 5, y: height + 3.5, size: font, anchor: .end))
    }
    parts.append(
      Draw.path(
        "axis curve",
        PathData().move(left, topEdge).vertical(to: bottomEdge).horizontal(to: size.width - right)))
    let base = bottomEdge + strip * (Self.barHeight + 3) + (size.isSmall ? 12 : 16)
    for commit in CountAxis.ticks(to: model.lastCommit, count: size.isSmall ? 3 : 6) {
      parts.append(
        Draw.text(
          grouped(commit), "faint", x: x(commit), y: base, size: font,
          anchor: Double(size.width - right) - x(commit) < 20 ? .end : .middle))
    }
    if !size.isSmall {
      parts.append(
        Draw.text(
          "commits", "faint", x: left + plot.width / 2, y: base + 16, size: 11, anchor: .middle))
    }
    return parts
  }

  private func area() -> String? {
    PathData.area(under: positions(model.live), base: bottomEdge).map { Draw.path("live", $0) }
  }

  /// The range of the runs on real threads, behind the exact curve. It has an outline, so that it is seen where the runs agree.
  private func spread(_ line: PanelModel.Line) -> String? {
    func steps(_ bytes: KeyPath<ThreadCurves.Spread, ByteCount>) -> [(x: Double, y: Double)] {
      line.spread.flatMap { piece in
        [piece.firstCommit, piece.lastCommit].map { (x($0), y(piece[keyPath: bytes].bytes)) }
      }
    }
    return PathData.area(between: steps(\.low), and: steps(\.high)).map {
      Draw.path(
        "m\(PictureTheme.style(line.series))", $0, series: line.series, width: "0.8", opacity: ".22"
      )
    }
  }

  private func curve(_ line: PanelModel.Line) -> String {
    guard !line.points.isEmpty else { return "" }
    let style = PictureTheme.style(line.series)
    let dash = PictureTheme.dashes[style]
    let width = size.isSmall ? "1.8" : PictureTheme.widths[style]
    return Draw.path(
      "curve s\(style)", PathData(through: positions(line.points)), series: line.series,
      width: width, dashes: dash.isEmpty || size.isSmall ? nil : dash)
  }

  private func positions(_ points: [Curve.Point]) -> [(x: Double, y: Double)] {
    points.map { (x($0.commit), y($0.bytes.bytes)) }
  }

  private func launches() -> [String] {
    var before = 0
    return model.phases.compactMap { phase in
      guard phase.launch != before else { return nil }
      before = phase.launch
      let begin = x(phase.firstCommit)
      let label =
        size.isSmall
        ? ""
        : Draw.text("launch \(phase.launch)", "faint", x: begin + 3, y: topEdge - 18, size: 10)
      return Draw.path("launch curve", PathData().move(begin, topEdge).vertical(to: bottomEdge))
        + label
    }
  }

  private func mark(_ mark: PanelModel.Mark, _ series: Int) -> String {
    let (x, y, r) = (x(mark.commit), y(mark.bytes.bytes), size.isSmall ? 3.0 : 4.5)
    let style = "m\(PictureTheme.style(series))"
    let title = mark.text.visible
    let shape =
      switch mark.kind {
      case .compacted:
        Draw.path(
          "mark \(style)",
          PathData().move(x - r, y - r).horizontal(to: x + r).line(x, y + r).closed(), title: title)
      case .declined:
        Draw.circle("mark hollow \(style)", x: x, y: y, radius: r - 0.5, title: title)
      case .abandoned:
        Draw.path(
          "mark \(style)",
          PathData().move(x - r, y - r).line(x + r, y + r).move(x - r, y + r).line(x + r, y - r),
          title: title)
      }
    return Draw.group(series: series, shape)
  }

  private func bars() -> [String] {
    model.holders.prefix(strip).enumerated().flatMap { row, holder in
      let top = bottomEdge + 3 + row * (Self.barHeight + 3)
      let name =
        size.isSmall
        ? ""
        : Draw.text(
          short(holder.name).visible, "faint", x: left - 5, y: top + 11, size: 10, anchor: .end)
      return [name]
        + zip(holder.spans, holder.retained).map { span, retained in
          let (begin, end) = (x(span.firstCommit), x(span.lastCommit))
          let words = retained.map { "\($0) retained" } ?? "retained: n/a"
          let fits = !size.isSmall && end - begin > Double(words.count * 6 + 8)
          let label =
            fits
            ? Draw.text(words, "bartxt", x: begin + 5, y: top + 11, size: 10) : ""
          let range =
            "\(grouped(span.firstCommit))–\(grouped(span.lastCommit))"
          let bar = Draw.rectangle(
            "bar", x: begin, y: top, width: max(1.5, end - begin),
            height: size.isSmall ? 6 : Self.barHeight,
            title: "\(holder.name.visible): commits \(range), \(words)")
          return Draw.group(bar + label)
        }
    }
  }

  /// Returns the end of a long name, which differs more often than its start.
  private func short(_ name: String) -> String {
    name.count <= 11 ? name : "…\(name.suffix(10))"
  }
}
