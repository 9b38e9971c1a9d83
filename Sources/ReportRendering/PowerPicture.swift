// The power of comparisons: the share of changes that are detected, by their size, as a curve for each number of blocks.
import MetricModel
import PictureDrawing

package enum PowerPicture {
  package struct Curve: Sendable, Equatable {
    package var title: String
    /// The change in percent, and the share of tries that detected it, from 0 to 1; by rising change.
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
      let edge = x(tolerance)
      body +=
        Draw.path("launch curve", PathData().move(edge, top).vertical(to: bottom))
        + Draw.text("tolerance", "faint", x: edge + 4, y: top + 12, size: 11) + "\n"
    }
    for (index, curve) in curves.enumerated() {
      // The first style, gray, is that of `never`.
      let style = PictureTheme.style(index + 1)
      func line(_ data: PathData) -> String {
        Draw.path(
          "curve s\(style)", data, width: PictureTheme.widths[style],
          dashes: dashes[index % dashes.count])
      }
      let points = curve.points.map { (x: x($0.percent), y: y($0.share)) }
      body += line(PathData(through: points))
      body += points.map { Draw.circle("mark m\(style)", x: $0.x, y: $0.y, radius: 3) }.joined()
      let legend = left + index * 160
      body += line(PathData().move(legend, 20).horizontal(by: 36))
      body += Draw.text(curve.title.visible, "txt", x: legend + 44, y: 24, size: 12) + "\n"
    }
    return StackedPicture.document(width: width, height: height, body)
  }

  /// Dashes by curve, so that a curve shows through the gaps of one drawn over it.
  private static let dashes = ["", "9 7", "3 9"]

  private static func axes(last: Int, x: (Int) -> Double, y: (Double) -> Double) -> String {
    var body = ""
    for tenth in stride(from: 0, through: 10, by: 2) {
      let height = y(Double(tenth) / 10)
      body +=
        Draw.path("grid", PathData().move(left, height).horizontal(to: right))
        + Draw.text(
          "\(tenth * 10) %", "faint", x: left - 6, y: height + 4, size: 11, anchor: .end) + "\n"
    }
    for percent in CountAxis.ticks(to: last, count: 10) {
      body += Draw.text(
        "\(percent) %", "faint", x: x(percent), y: bottom + 18, size: 11, anchor: .middle)
    }
    let frame = PathData().move(left, top).vertical(to: bottom).horizontal(to: right)
    return body + "\n" + Draw.path("axis curve", frame)
      + Draw.text(
        "wait added to each commit, of the median commit time", "faint", x: (left + right) / 2,
        y: bottom + 40, size: 11, anchor: .middle)
      + Draw.verticalText(
        "tries that called head worse", "faint", x: 16, y: (top + bottom) / 2, size: 11) + "\n"
  }
}
