// A curve as text with a mark at one commit, for terminals, reports and build logs.
import MetricModel

struct CurveTextPlot {
  private static let columns = 64
  private static let rows = 8
  private static let eighths = Array(" ▁▂▃▄▅▆▇█")

  private let points: [(commits: Int, value: Double)]
  private let mark: Int
  private let isBytes: Bool

  init(_ points: [(Int, Double)], mark: Int, isBytes: Bool) {
    self.points = points.map { ($0.0, $0.1) }
    self.mark = mark
    self.isBytes = isBytes
  }

  /// Returns the plot under the curve's name; nil with fewer than two points.
  func text(_ name: String) -> String? {
    guard let first = points.first?.commits, let last = points.last?.commits, points.count >= 2
    else { return nil }
    let maximum = points.map(\.value).max() ?? 0
    let width = max(1, min(Self.columns, points.count))
    func column(_ commit: Int) -> Int {
      last == first ? 0 : min(width - 1, (commit - first) * width / (last - first))
    }
    // The maximum of each column, so that no peak is lost; a column without a sample repeats the one before.
    var heights = [Double?](repeating: nil, count: width)
    for point in points {
      let index = column(point.commits)
      heights[index] = max(heights[index] ?? 0, point.value)
    }
    var level = points[0].value
    let filled = heights.map { height in
      level = height ?? level
      return maximum > 0 ? Int((level / maximum * Double(8 * Self.rows)).rounded()) : 0
    }
    let labels = [words(maximum), "0"]
    let margin = labels.map(\.count).max() ?? 0
    var lines = [name]
    for row in (0..<Self.rows).reversed() {
      let label = row == Self.rows - 1 ? labels[0] : row == 0 ? labels[1] : ""
      let cells = filled.map { Self.eighths[min(8, max(0, $0 - 8 * row))] }
      lines.append(padded(label, margin) + " │" + String(cells))
    }
    let markColumn = column(min(max(mark, first), last))
    lines.append(padded("", margin) + " └" + String(repeating: "─", count: width))
    lines.append(padded("", margin + 2 + markColumn) + "▲ commit \(grouped(mark))")
    lines.append(padded("", margin + 2) + "commits \(grouped(first)) to \(grouped(last))")
    return lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  private func words(_ value: Double) -> String {
    isBytes ? ByteCount(Int(value.rounded())).description : value.threeDigits
  }

  private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
