// The outline of a path: moves, lines and arcs of lines, in SVG's own letters.

package struct PathData: Sendable, Equatable {
  package private(set) var text = ""

  package init() {}

  /// A line through the points; of equal ones in a row, one is written.
  package init(through points: some Sequence<(x: Double, y: Double)>) {
    var previous = ""
    for point in points {
      let next = "\(point.x.pictureText) \(point.y.pictureText)"
      if next == previous { continue }
      text += (previous.isEmpty ? "M" : "L") + next
      previous = next
    }
  }

  package func move(_ x: some PictureLength, _ y: some PictureLength) -> Self {
    adding("M\(x.pictureText) \(y.pictureText)")
  }

  package func line(_ x: some PictureLength, _ y: some PictureLength) -> Self {
    adding("L\(x.pictureText) \(y.pictureText)")
  }

  package func horizontal(to x: some PictureLength) -> Self { adding("H\(x.pictureText)") }

  package func vertical(to y: some PictureLength) -> Self { adding("V\(y.pictureText)") }

  package func horizontal(by width: Int) -> Self { adding("h\(width)") }

  /// Moves by so much from where the path is.
  package func move(byX x: Int, y: Int) -> Self { adding("m\(x) \(y)") }

  package func line(byX x: Int, y: Int) -> Self { adding("l\(x) \(y)") }

  package func closed() -> Self { adding("Z") }

  /// The area between the line through the points and the base line.
  package static func area(
    under points: [(x: Double, y: Double)], base: some PictureLength
  ) -> PathData? {
    guard let first = points.first, let last = points.last else { return nil }
    let line = PathData(through: points).text.dropFirst()
    return PathData().move(first.x, base).adding("L\(line)").line(last.x, base).closed()
  }

  /// The area between two lines, each given from left to right; nil without points.
  package static func area(
    between lows: [(x: Double, y: Double)], and highs: [(x: Double, y: Double)]
  ) -> PathData? {
    lows.isEmpty || highs.isEmpty
      ? nil : PathData(through: lows + highs.reversed()).closed()
  }

  private func adding(_ text: String) -> Self {
    var longer = self
    longer.text += text
    return longer
  }
}
