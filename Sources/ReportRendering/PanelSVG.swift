// Draws one panel as SVG: bands for phases, live data as an area, a curve for each series, a mark for each compaction,
// and beneath the axis a bar for each snapshot with what it kept.
import Analysis
import MetricModel
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
    axis = ByteAxis(top: model.top, ticks: size.isSmall ? 3 : 5)
  }

  private var left: Int { size.isSmall ? 50 : 74 }
  private var right: Int { size.isSmall ? 6 : 14 }
  private var topEdge: Int { size.isSmall ? 20 : 50 }
  private var bottomEdge: Int { topEdge + size.height }
  private var strip: Int { size.isSmall ? min(1, model.holders.count) : model.holders.count }
  var width: Int { size.width }
  var height: Int { bottomEdge + strip * (Self.barHeight + 3) + (size.isSmall ? 20 : 40) }

  /// Where the curves lie, for the page's script: left edge and width in the picture's units.
  var plot: (left: Int, width: Int) { (left, size.width - left - right) }

  private func x(_ commit: Int) -> Double {
    Double(left) + Double(commit) * Double(plot.width) / Double(model.lastCommit)
  }
  private func y(_ bytes: ByteCount) -> Double {
    Double(bottomEdge) - Double(bytes.bytes) / Double(axis.top.bytes) * Double(size.height)
  }

  /// The elements, without the `svg` around them.
  var body: String {
    var parts: [String] = bands()
    parts += axes()
    if let area = area() { parts.append(area) }
    parts += model.lines.map(curve)
    parts += launches()
    for line in model.lines { parts += line.marks.map { mark($0, line.series) } }
    parts += bars()
    let title = size.isSmall ? 11 : 14
    parts.append(
      "<text class=\"txt\" x=\"\(left)\" y=\"\(size.isSmall ? 13 : 16)\" font-size=\"\(title)\""
        + " font-weight=\"600\">\(model.title.asMarkup)</text>")
    return parts.joined(separator: "\n")
  }

  private func bands() -> [String] {
    model.phases.enumerated().map { index, phase in
      let (begin, end) = (x(phase.firstCommit), x(phase.lastCommit))
      let kind = model.heldPhases.contains(index) ? "held" : index.isMultiple(of: 2) ? "band" : ""
      let band =
        kind.isEmpty
        ? ""
        : "<rect class=\"\(kind)\" x=\"\(begin.px)\" y=\"\(topEdge)\" width=\"\((end - begin).px)\""
          + " height=\"\(size.height)\"/>"
      guard !size.isSmall, end - begin > Double(phase.phase.count * 6 + 4) else { return band }
      return band
        + "<text class=\"faint\" x=\"\(((begin + end) / 2).px)\" y=\"\(topEdge - 5)\" font-size=\"10\""
        + " text-anchor=\"middle\">\(phase.phase.asMarkup)</text>"
    }.filter { !$0.isEmpty }
  }

  private func axes() -> [String] {
    var parts: [String] = []
    let font = size.isSmall ? 9 : 11
    for tick in axis.ticks {
      let height = y(tick)
      parts.append(
        "<path class=\"grid\" d=\"M\(left) \(height.px)H\(size.width - right)\"/>"
          + "<text class=\"faint\" x=\"\(left - 5)\" y=\"\((height + 3.5).px)\" font-size=\"\(font)\""
          + " text-anchor=\"end\">\(axis.label(tick))</text>")
    }
    parts.append(
      "<path class=\"axis curve\" d=\"M\(left) \(topEdge)V\(bottomEdge)H\(size.width - right)\"/>")
    let base = bottomEdge + strip * (Self.barHeight + 3) + (size.isSmall ? 12 : 16)
    for commit in CommitAxis.ticks(to: model.lastCommit, count: size.isSmall ? 3 : 6) {
      let anchor = Double(size.width - right) - x(commit) < 20 ? "end" : "middle"
      parts.append(
        "<text class=\"faint\" x=\"\(x(commit).px)\" y=\"\(base)\" font-size=\"\(font)\""
          + " text-anchor=\"\(anchor)\">\(grouped(commit))</text>")
    }
    if !size.isSmall {
      parts.append(
        "<text class=\"faint\" x=\"\(left + plot.width / 2)\" y=\"\(base + 16)\" font-size=\"11\""
          + " text-anchor=\"middle\">commits</text>")
    }
    return parts
  }

  private func area() -> String? {
    guard let first = model.live.first, let last = model.live.last else { return nil }
    let path =
      "M\(x(first.commit).px) \(bottomEdge)L\(path(model.live))L\(x(last.commit).px) \(bottomEdge)Z"
    return "<path class=\"live\" d=\"\(path)\"/>"
  }

  private func curve(_ line: PanelModel.Line) -> String {
    guard !line.points.isEmpty else { return "" }
    let style = PictureTheme.style(line.series)
    let dash = PictureTheme.dashes[style]
    let width = size.isSmall ? "1.8" : PictureTheme.widths[style]
    return "<path class=\"curve s\(style)\" data-s=\"\(line.series)\" stroke-width=\"\(width)\""
      + (dash.isEmpty || size.isSmall ? "" : " stroke-dasharray=\"\(dash)\"")
      + " d=\"M\(path(line.points))\"/>"
  }

  /// The points with a tenth of a unit; of equal ones in a row one.
  private func path(_ points: [Curve.Point]) -> String {
    var path = ""
    var before = ""
    for point in points {
      let place = "\(x(point.commit).px) \(y(point.bytes).px)"
      if place == before { continue }
      if !before.isEmpty { path += "L" }
      path += place
      before = place
    }
    return path
  }

  private func launches() -> [String] {
    var before = 0
    return model.phases.compactMap { phase in
      guard phase.launch != before else { return nil }
      before = phase.launch
      let place = x(phase.firstCommit).px
      let label =
        size.isSmall
        ? ""
        : "<text class=\"faint\" x=\"\((x(phase.firstCommit) + 3).px)\" y=\"\(topEdge - 18)\""
          + " font-size=\"10\">launch \(phase.launch)</text>"
      return "<path class=\"launch curve\" d=\"M\(place) \(topEdge)V\(bottomEdge)\"/>" + label
    }
  }

  private func mark(_ mark: PanelModel.Mark, _ series: Int) -> String {
    let (x, y, r) = (x(mark.commit), y(mark.bytes), size.isSmall ? 3.0 : 4.5)
    let shape =
      switch mark.kind {
      case .compacted:
        "<path class=\"mark m\(PictureTheme.style(series))\" d=\"M\((x - r).px) \((y - r).px)"
          + "H\((x + r).px)L\(x.px) \((y + r).px)Z\">"
      case .declined:
        "<circle class=\"mark hollow m\(PictureTheme.style(series))\" cx=\"\(x.px)\" cy=\"\(y.px)\""
          + " r=\"\((r - 0.5).px)\">"
      case .abandoned:
        "<path class=\"mark m\(PictureTheme.style(series))\" d=\"M\((x - r).px) \((y - r).px)"
          + "L\((x + r).px) \((y + r).px)M\((x - r).px) \((y + r).px)L\((x + r).px) \((y - r).px)\">"
      }
    let end = mark.kind == .declined ? "</circle>" : "</path>"
    return "<g data-s=\"\(series)\">\(shape)<title>\(mark.text.asMarkup)</title>\(end)</g>"
  }

  private func bars() -> [String] {
    model.holders.prefix(strip).enumerated().flatMap { row, holder in
      let top = bottomEdge + 3 + row * (Self.barHeight + 3)
      let name =
        size.isSmall
        ? ""
        : "<text class=\"faint\" x=\"\(left - 5)\" y=\"\(top + 11)\" font-size=\"10\" text-anchor=\"end\">"
          + "\(short(holder.name).asMarkup)</text>"
      return [name]
        + zip(holder.spans, holder.kept).map { span, kept in
          let (begin, end) = (x(span.firstCommit), x(span.lastCommit))
          let words = kept.map { "\($0) kept" } ?? "kept: n/a"
          let fits = !size.isSmall && end - begin > Double(words.count * 6 + 8)
          let label =
            fits
            ? "<text class=\"bartxt\" x=\"\((begin + 5).px)\" y=\"\(top + 11)\" font-size=\"10\">\(words)</text>"
            : ""
          let range =
            "\(grouped(span.firstCommit))–\(grouped(span.lastCommit))"
          return
            "<g><rect class=\"bar\" x=\"\(begin.px)\" y=\"\(top)\" width=\"\(max(1.5, end - begin).px)\""
            + " height=\"\(size.isSmall ? 6 : Self.barHeight)\"><title>\(holder.name.asMarkup): commits \(range), \(words)"
            + "</title></rect>\(label)</g>"
        }
    }
  }

  /// The end of a long name tells more than its begin.
  private func short(_ name: String) -> String {
    name.count <= 11 ? name : "…\(name.suffix(10))"
  }
}
