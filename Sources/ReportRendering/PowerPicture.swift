// How often a change is called, by how large it is: a curve for each number of blocks. The same ground, colours and dashes
// as all our pictures.

package enum PowerPicture {
  package struct Curve: Sendable, Equatable {
    package var title: String
    /// The change in percent, and the share of tries that called it, from 0 to 1; by rising change.
    package var points: [(percent: Int, share: Double)]

    package init(title: String, points: [(percent: Int, share: Double)]) {
      self.title = title
      self.points = points
    }

    package static func == (one: Self, other: Self) -> Bool {
      one.title == other.title
        && one.points.elementsEqual(other.points) {
          $0.percent == $1.percent && $0.share == $1.share
        }
    }
  }

  private static let (width, height) = (720, 330)
  private static let (left, right, top, bottom) = (64, 700, 44, 270)

  /// - Parameter tolerance: in percent: a change up to it counts as the same.
  /// - Returns: nil without points.
  package static func svg(_ curves: [Curve], tolerance: Int) -> String? {
    guard let last = curves.flatMap(\.points).map(\.percent).max(), last > 0 else { return nil }
    func x(_ percent: Int) -> Double {
      Double(left) + Double(percent) * Double(right - left) / Double(last)
    }
    func y(_ share: Double) -> Double { Double(bottom) - share * Double(bottom - top) }
    var body = axes(last: last, x: x, y: y)
    if tolerance <= last {
      let place = x(tolerance).px
      body +=
        "<path class=\"launch curve\" d=\"M\(place) \(top)V\(bottom)\"/><text class=\"faint\""
        + " x=\"\((x(tolerance) + 4).px)\" y=\"\(top + 12)\" font-size=\"11\">tolerance</text>\n"
    }
    for (index, curve) in curves.enumerated() {
      // Grey is for doing nothing.
      let style = PictureTheme.style(index + 1)
      let line =
        "<path class=\"curve s\(style)\" stroke-width=\"\(PictureTheme.widths[style])\""
        + " stroke-dasharray=\"\(dashes[index % dashes.count])\" d=\"M"
      let places = curve.points.map { (x($0.percent), y($0.share)) }
      body += line + places.map { "\($0.0.px) \($0.1.px)" }.joined(separator: "L") + "\"/>"
      body += places.map {
        "<circle class=\"mark m\(style)\" cx=\"\($0.0.px)\" cy=\"\($0.1.px)\" r=\"3\"/>"
      }.joined()
      let legend = left + index * 160
      body += "\(line)\(legend) 20h36\"/>"
      body +=
        "<text class=\"txt\" x=\"\(legend + 44)\" y=\"24\" font-size=\"12\">\(curve.title.asMarkup)</text>\n"
    }
    return StackedPicture.document(width: width, height: height, body)
  }

  /// Curves that lie on each other are seen by the gaps of the upper ones.
  private static let dashes = ["", "9 7", "3 9"]

  private static func axes(last: Int, x: (Int) -> Double, y: (Double) -> Double) -> String {
    var body = ""
    for tenth in stride(from: 0, through: 10, by: 2) {
      let height = y(Double(tenth) / 10)
      body +=
        "<path class=\"grid\" d=\"M\(left) \(height.px)H\(right)\"/><text class=\"faint\" x=\"\(left - 6)\""
        + " y=\"\((height + 4).px)\" font-size=\"11\" text-anchor=\"end\">\(tenth * 10) %</text>\n"
    }
    for percent in CommitAxis.ticks(to: last, count: 10) {
      body +=
        "<text class=\"faint\" x=\"\(x(percent).px)\" y=\"\(bottom + 18)\" font-size=\"11\""
        + " text-anchor=\"middle\">\(percent) %</text>"
    }
    body += "\n<path class=\"axis curve\" d=\"M\(left) \(top)V\(bottom)H\(right)\"/>"
    return body
      + "<text class=\"faint\" x=\"\((left + right) / 2)\" y=\"\(bottom + 40)\" font-size=\"11\""
      + " text-anchor=\"middle\">wait added to each commit, of the median commit time</text>"
      + "<text class=\"faint\" transform=\"translate(16 \((top + bottom) / 2)) rotate(-90)\" font-size=\"11\""
      + " text-anchor=\"middle\">tries that called head worse</text>\n"
  }
}
