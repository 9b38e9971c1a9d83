// One run on real threads over time: the throughput of each role, the 99th percentile of all, and the events as tinted spans.
import Analysis
import MetricModel
import PictureDrawing
import RecordModel

struct InterferencePicture {
  static let width = 960
  private static let (left, right) = (74, 946)
  private static let rateHeight = 90
  private static let tailHeight = 150
  private static let gap = 34

  private let timeline: Timeline
  private let title: String

  init(_ timeline: Timeline, title: String) {
    self.timeline = timeline
    self.title = title
  }

  private var windowCount: Int { timeline.series.map(\.service.counts.count).max() ?? 1 }
  private var span: Double { Double(windowCount * timeline.windowNanoseconds) }
  private var tailTop: Int { 64 + timeline.series.count * (Self.rateHeight + Self.gap) }
  var height: Int { tailTop + Self.tailHeight + 44 }

  var body: String {
    var parts = [
      Draw.text(title.visible, "txt", x: Self.left, y: 18, size: 14, weight: "600")
    ]
    for (index, series) in timeline.series.enumerated() {
      parts += rate(series, index, top: 64 + index * (Self.rateHeight + Self.gap))
    }
    parts += tails()
    return parts.joined(separator: "\n") + "\n"
  }

  private func x(_ nanoseconds: Int) -> Double {
    Double(Self.left) + Double(nanoseconds) / span * Double(Self.right - Self.left)
  }

  private func middle(of window: Int) -> Double {
    x(window * timeline.windowNanoseconds + timeline.windowNanoseconds / 2)
  }

  // MARK: Panels

  private func rate(_ series: TimelineSeries, _ index: Int, top: Int) -> [String] {
    let perSecond = 1e9 / Double(timeline.windowNanoseconds)
    let rates = series.service.counts.map { Double($0) * perSecond }
    let peak = max(rates.max() ?? 0, 1)
    let bottom = top + Self.rateHeight
    func y(_ rate: Double) -> Double {
      Double(bottom) - rate / (peak * 1.06) * Double(Self.rateHeight)
    }
    var parts = frame(
      "\(series.role.plural) per s", top: top, height: Self.rateHeight, names: index == 0)
    for tick in CountAxis.ticks(to: Int(peak), count: 3) {
      parts += grid(grouped(tick), y(Double(tick)))
    }
    let points = rates.indices.map { (x: middle(of: $0), y: y(rates[$0])) }
    parts.append(line(points, index))
    return parts
  }

  private func tails() -> [String] {
    let latencies = timeline.series.map { $0.intended ?? $0.service }
    let (top, bottom) = (tailTop, tailTop + Self.tailHeight)
    var parts = frame(
      "p99 of each window; circle: the slowest", top: top, height: Self.tailHeight, names: false)
    let highest = latencies.flatMap(\.max).max() ?? 1
    let lowest = latencies.flatMap(\.p99).filter { $0 > 0 }.min() ?? 1
    let decades = Self.decades(lowest, highest)
    func y(_ nanoseconds: Int) -> Double {
      let height = Double(Self.tailHeight) / Double(decades.count - 1)
      return Double(bottom) - (Self.logarithm(nanoseconds) - Double(decades.lowerBound)) * height
    }
    for decade in decades {
      let value = (0..<decade).reduce(1) { power, _ in power * 10 }
      parts += grid(Nanoseconds.words(Double(value)), y(value))
    }
    for (index, one) in latencies.enumerated() {
      parts += pieces(one).map { piece in
        piece.count > 1
          ? line(piece.map { (x: middle(of: $0), y: y(one.p99[$0])) }, index)
          : Draw.circle(
            "mark m\(style(index))", x: middle(of: piece[0]), y: y(one.p99[piece[0]]), radius: 1.2)
      }
      guard let slowest = one.max.indices.max(by: { one.max[$0] < one.max[$1] }),
        one.max[slowest] > 0
      else { continue }
      let end = x(slowest * timeline.windowNanoseconds + one.maxEnd[slowest])
      parts.append(
        Draw.circle(
          "mark hollow m\(style(index))", x: end, y: y(one.max[slowest]), radius: 4,
          title:
            "\(timeline.series[index].role.plural): \(Nanoseconds.words(Double(one.max[slowest])))"
        ))
    }
    return parts + times(y: bottom + 16) + legend(y: bottom + 34)
  }

  /// Windows in a row that have transactions.
  private func pieces(_ latencies: TimelineLatencies) -> [[Int]] {
    latencies.counts.indices.split { latencies.counts[$0] == 0 }.map(Array.init)
  }

  // MARK: Parts of panels

  /// The events as spans, the beginnings of launches and the name above.
  private func frame(_ name: String, top: Int, height: Int, names: Bool) -> [String] {
    var parts = timeline.events.map { event in
      let begin = x(event.begin)
      let label = event.label.isEmpty ? "" : ", \(event.label)"
      return Draw.rectangle(
        "held", x: begin, y: Double(top), width: max(2, x(event.end) - begin),
        height: Double(height),
        title:
          "\(EventGroup(event).title)\(label.visible), \(Nanoseconds.words(Double(event.length)))")
    }
    for (phase, next) in zip(timeline.phases, timeline.phases.dropFirst())
    where phase.launch != next.launch {
      parts.append(Draw.verticalLine("launch", x: x(next.begin), from: top, to: top + height))
    }
    parts.append(Draw.text(name, "faint", x: Self.left, y: top - 6, size: 11))
    if names { parts += eventNames(y: top - 22) }
    parts.append(
      Draw.path(
        "axis curve",
        PathData().move(Self.left, top).vertical(to: top + height).horizontal(to: Self.right)))
    return parts
  }

  /// The names of events, as far as there is space for each.
  private func eventNames(y: Int) -> [String] {
    var end = 0.0
    return timeline.events.compactMap { event in
      let begin = x(event.begin)
      let title = EventGroup(event).title
      let width = Double(title.count) * 6
      guard begin >= end, begin + width < Double(Self.right) else { return nil }
      end = begin + width + 8
      return Draw.text(title, "txt", x: begin, y: Double(y), size: 10)
    }
  }

  private func grid(_ label: String, _ y: Double) -> [String] {
    [
      Draw.path("grid", PathData().move(Self.left, y).horizontal(to: Self.right))
        + Draw.text(label, "faint", x: Self.left - 5, y: y + 3.5, size: 11, anchor: .end)
    ]
  }

  private func line(_ points: [(x: Double, y: Double)], _ index: Int) -> String {
    Draw.path("curve s\(style(index))", PathData(through: points), width: "1.6")
  }

  private func times(y: Int) -> [String] {
    CountAxis.ticks(to: max(1, Int(span / 1e6)), count: 8).map { milliseconds in
      Draw.text(
        Nanoseconds.words(Double(milliseconds) * 1e6), "faint", x: x(milliseconds * 1_000_000),
        y: Double(y), size: 11,
        anchor: Double(Self.right) - x(milliseconds * 1_000_000) < 20 ? .end : .middle)
    }
  }

  private func legend(y: Int) -> [String] {
    timeline.series.enumerated().map { index, series in
      let left = Self.left + index * 130
      return Draw.path(
        "curve s\(style(index))", PathData().move(left, y - 4).horizontal(by: 26), width: "2")
        + Draw.text(series.role.plural, "txt", x: left + 34, y: y, size: 12)
    }
  }

  /// The first style, gray, is that of `never`.
  private func style(_ index: Int) -> Int { PictureTheme.style(index + 1) }

  /// Powers of ten around the values: at least one decade.
  private static func decades(_ low: Int, _ high: Int) -> ClosedRange<Int> {
    let first = Int(logarithm(low).rounded(.down))
    return first...max(first + 1, Int(logarithm(high).rounded(.up)))
  }

  /// The decimal logarithm, from the digits and the fraction between two powers, straight between them: the same on every
  /// machine.
  private static func logarithm(_ value: Int) -> Double {
    var (power, exponent) = (1, 0)
    while value / power >= 10 { (power, exponent) = (power * 10, exponent + 1) }
    let ratio = Double(max(1, value)) / Double(power)
    return Double(exponent) + steps(ratio)
  }

  /// The logarithm of a value from 1 to 10 between tabulated points.
  private static func steps(_ ratio: Double) -> Double {
    let table = [0, 0.30103, 0.47712, 0.60206, 0.69897, 0.77815, 0.8451, 0.90309, 0.95424, 1]
    let index = min(8, max(0, Int(ratio) - 1))
    return table[index] + (table[index + 1] - table[index]) * (ratio - Double(index + 1))
  }
}

extension Pictures {
  /// The run of the engine in which an event kept transactions waiting longest, over time; nil without events.
  static func interference(_ engine: String, _ analysis: ScenarioAnalysis) -> Picture? {
    interferenceDrawing(engine, analysis).map { drawing, caption in
      Picture(
        name: "interference-\(engine)", caption: caption,
        svg: StackedPicture.document(
          width: InterferencePicture.width, height: drawing.height, drawing.body))
    }
  }

  static func interferenceDrawing(
    _ engine: String, _ analysis: ScenarioAnalysis
  ) -> (drawing: InterferencePicture, caption: String)? {
    let own = analysis.interference.filter { $0.key.engine == engine }
    guard let summary = own.max(by: { $0.worstWait < $1.worstWait }),
      let run = middleRun(summary, analysis)
    else { return nil }
    let cell =
      "policy \(analysis.labels[summary.key.policy].asCode), arm \(summary.key.arm.asCode)"
    return (
      InterferencePicture(run.timeline, title: engine),
      "Throughput and p99 on \(engine) over time, \(cell), repetition \(run.repetition) (of the runs the middle one by its"
        + " longest wait). Tinted: \(kinds(run.timeline).inWords). Dashed line: a new launch."
    )
  }

  private static func kinds(_ timeline: Timeline) -> [String] {
    EventGroup.all.filter { group in timeline.events.contains { EventGroup($0) == group } }
      .map(\.title)
  }

  /// The run in the middle of those in which there was such an event, by the longest wait in it.
  private static func middleRun(
    _ summary: InterferenceSummary, _ analysis: ScenarioAnalysis
  ) -> (repetition: Int, timeline: Timeline)? {
    let runs = (analysis.cell(summary.key)?.record.timedRepetitions ?? []).compactMap {
      run -> (repetition: Int, timeline: Timeline, wait: Int)? in
      guard let timeline = run.timeline else { return nil }
      let events = timeline.events.filter { EventGroup($0) == summary.group }
      let waits = ClientRole.allCases.compactMap {
        timeline.interference(of: events, with: $0)?.longestWait
      }
      return events.isEmpty ? nil : (run.index, timeline, waits.max() ?? 0)
    }
    let sorted = runs.sorted { ($0.wait, $0.repetition) < ($1.wait, $1.repetition) }
    return sorted.isEmpty
      ? nil : (sorted[sorted.count / 2].repetition, sorted[sorted.count / 2].timeline)
  }
}
