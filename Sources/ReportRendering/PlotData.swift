// The data file of a plot: blocks of tab-separated columns, two blank lines between them, addressed by their index.
import Analysis
import MetricModel

struct PlotData {
  private(set) var text: String
  private var blocks = 0

  init(_ purpose: String) { text = "# \(purpose)\n" }

  /// Adds a block and answers its index. An empty block gets a line without a value, which gnuplot passes over.
  mutating func add(_ title: String, _ columns: [String], _ rows: [[String]]) -> Int {
    if blocks > 0 { text += "\n\n" }
    text += "# \(blocks): \(title.onOneLine)\n# \(columns.joined(separator: "\t"))\n"
    for row in rows.isEmpty ? [columns.map { _ in "NaN" }] : rows {
      text += row.joined(separator: "\t") + "\n"
    }
    blocks += 1
    return blocks - 1
  }

  /// Megabytes with the six decimals that single bytes need, written without floating point.
  static func megabytes(_ bytes: ByteCount) -> String {
    let (whole, part) = bytes.bytes.quotientAndRemainder(dividingBy: 1_000_000)
    let digits = String(part.magnitude)
    return "\(whole).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
  }
}

/// A curve of bytes over commits, with as many points as a picture can show.
struct Curve {
  static let mostPoints = 1200

  struct Point: Equatable {
    var commit: Int
    var bytes: ByteCount
  }

  let points: [Point]

  /// Leaves out points on flat stretches, which change nothing; of what is still too much keeps each bucket's first,
  /// least, greatest and last.
  init(_ all: [Point]) {
    let bends = all.indices.filter { index in
      index == 0 || index == all.count - 1 || all[index - 1].bytes != all[index].bytes
        || all[index + 1].bytes != all[index].bytes
    }.map { all[$0] }
    guard bends.count > Self.mostPoints else {
      points = bends
      return
    }
    let size = (bends.count * 4 + Self.mostPoints - 1) / Self.mostPoints
    var kept: [Point] = []
    for start in stride(from: 0, to: bends.count, by: size) {
      let bucket = start..<min(start + size, bends.count)
      let least = bucket.min { bends[$0].bytes < bends[$1].bytes } ?? start
      let greatest = bucket.max { bends[$0].bytes < bends[$1].bytes } ?? start
      let indices = Set([bucket.lowerBound, least, greatest, bucket.upperBound - 1])
      kept += indices.sorted().map { bends[$0] }
    }
    points = kept
  }

  var rows: [[String]] { points.map { [String($0.commit), PlotData.megabytes($0.bytes)] } }
}
