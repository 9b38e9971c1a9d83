// The content of one panel: curves of one engine over commits, with phases, launches, compactions, and held snapshots with
// the bytes retained for them.
package import Analysis
package import MetricModel
package import RecordModel

package struct PanelModel: Sendable {
  package struct Line: Sendable {
    /// Number of the policy or arm: color and legend.
    package let series: Int
    package let title: String
    package let points: [Curve.Point]
    package let marks: [Mark]
    /// The range of the runs on real threads; empty without such runs.
    package var spread: [ThreadCurves.Spread] = []
  }
  package struct Mark: Sendable {
    package enum Kind: String, Sendable { case compacted, declined, abandoned }
    package let kind: Kind
    package let commit: Int
    package let bytes: ByteCount
    package let text: String
  }
  package struct Holder: Sendable {
    package let name: String
    package let spans: [PinSpan]
    /// The maximum of bytes retained for each of the spans; nil if the engine does not report it.
    package let retained: [ByteCount?]
  }

  package let title: String
  package let lines: [Line]
  package let live: [Curve.Point]
  package let phases: [PhaseSpan]
  package let heldPhases: Set<Int>
  package let holders: [Holder]
  package var lastCommit: Int
  /// Where the vertical axis ends.
  package var top: ByteCount

  /// - Parameters:
  ///   - cells: the cells of the lines, nil for those that have no curve; the first that has shows phases and pins.
  ///   - maxPoints: of each curve.
  package init?(
    title: String, cells: [(series: Int, title: String, cell: CellAnalysis)], maxPoints: Int
  ) {
    let cells = cells.filter { !$0.cell.samples.isEmpty }
    guard let reference = cells.first?.cell else { return nil }
    self.title = title
    lines = cells.map { entry in
      Line(
        series: entry.series, title: entry.title,
        points: Curve(entry.cell.samples.lazy.map(Self.total), maxPoints: maxPoints).points,
        marks: Self.marks(entry.cell), spread: entry.cell.threadCurves?.spread ?? [])
    }
    live = Curve(reference.samples.lazy.compactMap(Self.live), maxPoints: maxPoints).points
    phases = reference.first?.phases ?? []
    var heldPhases: Set<Int> = []
    for (index, phase) in phases.enumerated()
    where reference.samples.contains(where: {
      $0.observation.oldestPinLag > 0 && $0.phase == phase.phase
        && $0.observation.launch == phase.launch
    }) {
      heldPhases.insert(index)
    }
    self.heldPhases = heldPhases
    holders = Self.holders(reference)
    lastCommit = max(1, cells.compactMap { $0.cell.samples.last?.observation.commits }.max() ?? 1)
    let maximum = max(
      lines.flatMap(\.points).map(\.bytes).max() ?? .zero,
      lines.flatMap(\.spread).map(\.high).max() ?? .zero,
      live.map(\.bytes).max() ?? .zero)
    // Nothing at all (the engine `null`) lies on an axis of a megabyte, and none shows fractions of bytes.
    top = maximum == .zero ? ByteCount(1_000_000) : max(ByteCount(10_000), maximum)
  }

  /// Curves alone, one series each, where there is no record.
  package init(title: String, curves: [(title: String, curve: Curve)]) {
    self.title = title
    lines = curves.enumerated().map {
      Line(series: $0, title: $1.title, points: $1.curve.points, marks: [])
    }
    (live, phases, heldPhases, holders) = ([], [], [], [])
    let points = lines.flatMap(\.points)
    lastCommit = max(1, points.map(\.commit).max() ?? 1)
    top = max(ByteCount(10_000), points.map(\.bytes).max() ?? .zero)
  }

  private static func total(_ sample: Sample) -> Curve.Point {
    Curve.Point(commit: sample.observation.commits, bytes: sample.observation.space.total)
  }

  private static func live(_ sample: Sample) -> Curve.Point? {
    sample.observation.space.live.map {
      Curve.Point(commit: sample.observation.commits, bytes: $0)
    }
  }

  /// Returns at most one mark of a kind for each hundredth of the curve, the last one: others would be hidden by it.
  private static func marks(_ cell: CellAnalysis) -> [Mark] {
    let last = cell.samples.last?.observation.commits ?? 0
    var marks: [Mark] = []
    for event in cell.first?.events ?? [] where event.event.before > .zero {
      let kind: Mark.Kind
      switch event.event.outcome {
      case .finished: kind = .compacted
      case .declined where event.event.kind == .onLaunch: kind = .declined
      case .abandoned, .skipped: kind = .abandoned
      default: continue
      }
      let mark = Mark(
        kind: kind, commit: event.commit, bytes: cell.height(at: event),
        text: "\(kind.rawValue), launch \(event.launch): \(event.event.reason)")
      if let index = marks.lastIndex(where: { $0.kind == kind }),
        event.commit - marks[index].commit < max(1, last / 100)
      {
        marks[index] = mark
      } else {
        marks.append(mark)
      }
    }
    return marks
  }

  private static let maxHolders = 4
  private static let maxSpans = 60

  private static func holders(_ cell: CellAnalysis) -> [Holder] {
    let groups = Dictionary(grouping: cell.first?.pins ?? [], by: \.holder)
    func held(_ spans: [PinSpan]) -> Int {
      spans.reduce(0) { $0 + $1.lastCommit - $1.firstCommit }
    }
    return groups.sorted { (held($0.value), $1.key) > (held($1.value), $0.key) }
      .prefix(maxHolders).map { name, spans in
        let shown = spans.sorted {
          ($1.lastCommit - $1.firstCommit, $0.firstCommit)
            < ($0.lastCommit - $0.firstCommit, $1.firstCommit)
        }.prefix(maxSpans).sorted { $0.firstCommit < $1.firstCommit }
        return Holder(name: name, spans: shown, retained: shown.map { retained($0, cell) })
      }
  }

  /// Returns the bytes retained for the snapshot if the engine reports them; otherwise the maximum of all pinned bytes while
  /// it was held.
  private static func retained(_ pin: PinSpan, _ cell: CellAnalysis) -> ByteCount? {
    if let retained = pin.retained { return retained }
    return cell.samples.lazy.filter {
      $0.observation.pins > 0
        && (pin.firstCommit...max(pin.firstCommit, pin.lastCommit)).contains($0.observation.commits)
    }.compactMap(\.observation.space.pinned).max()
  }
}

extension CellAnalysis {
  /// Returns the size of all files after the event: of the main file by the event, and of files beside it by the next
  /// sample of the launch.
  func height(at event: RunEvent) -> ByteCount {
    let launch = samples.filter { $0.observation.launch == event.launch }
    let next = launch.first { $0.observation.commits >= event.commit } ?? launch.last
    return event.event.after + (next?.observation.space.sidecar ?? .zero)
  }
}
