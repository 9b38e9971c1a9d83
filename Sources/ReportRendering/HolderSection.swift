// Held snapshots: by which client, from which commit to which, and the maximum of bytes retained for them.
import Analysis
import MetricModel
import RecordModel

struct HolderSection {
  private static let maxRows = 12
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    let cells = analysis.engines.compactMap { engine in
      analysis.cells.first {
        $0.key.engine == engine && $0.key.arm == analysis.mainArm
          && !($0.first?.pins.isEmpty ?? true)
      }
    }
    guard !cells.isEmpty else { return [] }
    return [
      "## Held snapshots",
      "The longest snapshot of each holder, arm \(analysis.mainArm.asCode), first run. \(legend(cells))\(omission(cells))",
      MarkdownFold.text("Held snapshots by holder", [table(cells)]),
    ]
  }

  private func legend(_ cells: [CellAnalysis]) -> String {
    let pins = cells.flatMap { $0.first?.pins ?? [] }
    let total = "the maximum of `pinned_bytes` while it was held (of all snapshots together)"
    guard pins.contains(where: { $0.retained != nil }) else { return "Retained: \(total)." }
    return
      "Retained: the maximum of bytes retained for this snapshot, and of that the exclusive bytes, which its release "
      + "would have freed; if the engine does not report them, \(total)."
  }

  private func omission(_ cells: [CellAnalysis]) -> String {
    let maxPins = RepetitionRecord.maxPins
    let isFull = cells.contains { ($0.first?.pins.count ?? 0) >= maxPins }
    return isFull
      ? " The record has the \(maxPins) longest snapshots of a run; the counts are of these." : ""
  }

  private func table(_ cells: [CellAnalysis]) -> String {
    var table = EngineTables([
      ("policy", .left), ("held by", .left), ("snapshots", .right),
      ("longest, from–to commit", .left), ("commits", .right), ("retained", .right),
    ])
    for cell in cells {
      let holders = Dictionary(grouping: cell.first?.pins ?? [], by: \.holder)
      let longest = holders.values.compactMap { $0.max { Self.length($0) < Self.length($1) } }
        .sorted { (Self.length($0), $1.holder) > (Self.length($1), $0.holder) }
      for pin in longest.prefix(Self.maxRows) {
        table.add(
          cell.key.engine,
          [
            analysis.labels[cell.key.policy].asMarkdown, pin.holder.asMarkdown,
            String(holders[pin.holder]?.count ?? 0),
            "\(grouped(pin.firstCommit))–\(grouped(pin.lastCommit))",
            grouped(Self.length(pin)), retained(pin, cell),
          ])
      }
    }
    return table.text
  }

  private static func length(_ pin: PinSpan) -> Int { pin.lastCommit - pin.firstCommit }

  private func retained(_ pin: PinSpan, _ cell: CellAnalysis) -> String {
    if let retained = pin.retained {
      return pin.exclusive.map { "\(retained) (\($0) exclusive)" } ?? "\(retained)"
    }
    let held = cell.samples.filter {
      $0.observation.pins > 0
        && (pin.firstCommit...pin.lastCommit).contains($0.observation.commits)
    }
    return held.compactMap(\.observation.space.pinned).max()?.description ?? "n/a"
  }
}
