// Policies by what they hold and what they write again: to the left less space, below less rewriting. Those that no other one
// dominates are joined by a line, the Pareto front. Where the time blocked at launch is known it is beside the name, and small
// marks are those that another policy dominates in all three.
package import LaunchSchedules
import MetricModel
import PictureDrawing
import RecordModel

package enum TunePicture {
  package struct File: Sendable {
    package let name: String
    package let svg: String
  }

  private static let (width, height) = (720, 400)
  private static let (left, right, top, bottom) = (84, 690, 50, 330)

  /// What the names of all pictures begin with.
  package static let namePrefix = "policies-"

  static func name(_ index: Int) -> String { "\(namePrefix)\(index + 1).svg" }

  package static func all(_ analysis: TuneAnalysis) -> [File] {
    analysis.engines.enumerated().compactMap { index, tuning in
      tuning.policies.isEmpty ? nil : File(name: name(index), svg: svg(tuning))
    }
  }

  private struct Point {
    let title: String
    let excess: Int
    let rewritten: Int
    /// nil where it is not known.
    let blocked: Double?
    let isShipped: Bool

    /// Whether another point has no more of all, and less of one.
    func isDominated(in points: [Point]) -> Bool {
      points.contains {
        $0.excess <= excess && $0.rewritten <= rewritten && $0.blocked ?? 0 <= blocked ?? 0
          && ($0.excess < excess || $0.rewritten < rewritten || $0.blocked ?? 0 < blocked ?? 0)
      }
    }

    func radius(in points: [Point]) -> Int {
      if isShipped { return 6 }
      return blocked != nil && isDominated(in: points) ? 3 : 4
    }
  }

  private static func svg(_ tuning: EngineTuning) -> String {
    // A file that is compacted now and then can be smaller than one that is at every launch, and grows at once after each.
    let least = min(0, tuning.policies.map(\.excess.bytes).min() ?? 0)
    let points = tuning.policies.map {
      Point(
        title: title($0, isTimed: tuning.hasTimes), excess: $0.excess.bytes - least,
        rewritten: $0.rewritten.bytes, blocked: tuning.hasTimes ? $0.blocked : nil,
        isShipped: $0.policy == tuning.shipped?.policy)
    }
    let across = ByteAxis(max: points.map(\.excess).max() ?? 0, ticks: 6)
    let up = ByteAxis(max: points.map(\.rewritten).max() ?? 0, ticks: 5)
    func x(_ bytes: Int) -> Double {
      Double(left) + Double(bytes) / Double(across.top) * Double(right - left)
    }
    func y(_ bytes: Int) -> Double {
      Double(bottom) - Double(bytes) / Double(up.top) * Double(bottom - top)
    }
    var body = Draw.text(
      "\(tuning.engine.engine): what each policy holds and writes again", "txt", x: 16, y: 24,
      size: 14, weight: "600")
    body += axes(across, up, least, x, y)
    let front = front(points)
    body += Draw.path(
      "curve s1", PathData(through: front.map { (x: x($0.excess), y: y($0.rewritten)) }),
      width: "1.5", dashes: "5 4")
    var taken: [(x: Double, y: Double)] = []
    for point in points.sorted(by: { $0.isShipped && !$1.isShipped }) {
      let (px, py) = (x(point.excess), y(point.rewritten))
      body += Draw.circle(
        point.isShipped ? "mark m2" : "mark m1", x: px, y: py, radius: point.radius(in: points))
      guard let at = free(px, py, taken) else { continue }
      taken.append((px, at))
      let isLeft = px > Double(right) - 200
      body += Draw.text(
        point.title.visible, point.isShipped ? "txt" : "faint",
        x: isLeft ? px - 9 : px + 9, y: at, size: 11, anchor: isLeft ? .end : nil)
    }
    return StackedPicture.document(width: width, height: height, body)
  }

  /// The name, without those of policies that came to the same.
  private static func title(_ result: HeldOutResult, isTimed: Bool) -> String {
    let name = shortened(TuneWords.policy(result.policy))
    let others = result.others.isEmpty ? "" : ", and \(result.others.count) more"
    return name + others + (isTimed ? " · \(TuneWords.milliseconds(result.blocked))" : "")
  }

  /// Returns a height for a label that no other one has taken; nil where all near it are.
  private static func free(
    _ x: Double, _ y: Double, _ taken: [(x: Double, y: Double)]
  ) -> Double? {
    [4.0, -9, 17, -22, 30].map { y + $0 }.first { height in
      !taken.contains { abs($0.x - x) < 240 && abs($0.y - height) < 12 }
    }
  }

  /// The points of which no other has less of one without more of the other, from left to right.
  private static func front(_ points: [Point]) -> [Point] {
    let sorted = points.sorted { ($0.excess, $0.rewritten) < ($1.excess, $1.rewritten) }
    var least = Int.max
    return sorted.filter { point in
      guard point.rewritten < least else { return false }
      least = point.rewritten
      return true
    }
  }

  private static func axes(
    _ across: ByteAxis, _ up: ByteAxis, _ least: Int, _ x: (Int) -> Double, _ y: (Int) -> Double
  ) -> String {
    var body = ""
    for tick in up.ticks {
      body +=
        Draw.path("grid", PathData().move(Double(left), y(tick)).horizontal(to: right))
        + Draw.text(up.label(tick), "faint", x: left - 6, y: y(tick) + 4, size: 11, anchor: .end)
        + "\n"
    }
    for tick in across.ticks {
      body += Draw.text(
        across.label(tick), "faint", x: x(tick), y: Double(bottom + 18), size: 11, anchor: .middle)
    }
    let frame = PathData().move(left, top).vertical(to: bottom).horizontal(to: right)
    return body + "\n" + Draw.path("axis curve", frame)
      + Draw.text(
        axisTitle(least), "faint", x: (left + right) / 2,
        y: bottom + 42, size: 11, anchor: .middle)
      + Draw.text("bytes written again in a run", "faint", x: left, y: top - 8, size: 11)
  }

  private static func axisTitle(_ least: Int) -> String {
    least == 0
      ? "mean bytes above a freshly compacted file"
      : "mean bytes above a freshly compacted file, and \(ByteCount(-least)) more"
  }

  private static func shortened(_ title: String) -> String {
    title.count <= 34 ? title : title.prefix(33) + "…"
  }
}
