// Schedules as a picture: a row for the optimum and each policy, a column for each launch, the cost to the right. A box is the
// darker the more the files held above freshly compacted ones during the launch; a dot marks a compaction.
package import LaunchSchedules
import MetricModel
import PictureDrawing
import RecordModel

package enum OptimumPicture {
  package struct File: Sendable {
    package let engine: String
    package let arm: String
    package let name: String
    package let svg: String
  }

  /// A row for each schedule, with the names of its columns.
  private struct Table {
    let rows: [Row]
    let names: OpeningNames
  }

  private static let (left, top, rowHeight, right) = (190, 74, 26, 180)

  private struct Row {
    let title: String
    let cost: String
    let compacted: Set<Int>
    /// The mean bytes above freshly compacted files in each launch; nil where no time passed.
    let excess: [Int?]
  }

  package static func all(_ analysis: OptimumAnalysis) -> [File] {
    analysis.results.enumerated().compactMap { index, result in
      guard let table = table(result), !table.rows.isEmpty else { return nil }
      return File(
        engine: result.cell.engine, arm: result.cell.arm, name: "schedules-\(index + 1).svg",
        svg: svg(table, "\(result.cell.engine) · \(result.cell.arm)"))
    }
  }

  private static func table(_ result: OptimumResult) -> Table? {
    guard let ranking = result.rankings.first, let matrix = result.matrix else { return nil }
    var rows: [Row] = []
    if let best = ranking.best.schedule {
      let launches = (1...matrix.launchCount).map { launch in
        let last = best.schedule.lastCompaction(atOrBefore: launch)
        return matrix.figures(of: launch, compactedAt: last)
      }
      rows.append(
        Row(
          title: result.basis == .someSchedules ? "cheapest that was run" : "optimum",
          cost: best.cost.words, compacted: Set(best.schedule.launches),
          excess: excess(launches, matrix)))
    }
    for outcome in ranking.policies {
      guard
        let run = result.cell.runs.first(where: {
          $0.purpose == .policy && $0.policy == outcome.policy
        })
      else { continue }
      rows.append(
        Row(
          title: outcome.policy,
          cost: "\(outcome.cost.words) · \(OptimumWords.regret(outcome))",
          compacted: Set(outcome.schedule?.launches ?? []),
          excess: excess(run.launches.map { $0 }, matrix)))
    }
    return Table(rows: rows, names: matrix.names)
  }

  private static func excess(_ launches: [LaunchFigures?], _ matrix: LaunchMatrix) -> [Int?] {
    launches.enumerated().map { index, figures in
      let fresh = matrix.freshArea(of: index + 1)
      return figures.flatMap { ($0.area - fresh).mean(over: $0.time)?.bytes }
    }
  }

  private static func svg(_ table: Table, _ title: String) -> String {
    let (rows, names) = (table.rows, table.names)
    let count = rows[0].excess.count
    let width = max(4, min(34, 720 / count))
    let largest = max(1, rows.flatMap { $0.excess.compactMap { $0 } }.max() ?? 1)
    var body = Draw.text(title.visible, "txt", x: 16, y: 24, size: 14, weight: "600")
    body += Draw.text(
      "mean bytes above a freshly compacted file: 0 to \(ByteCount(largest)); a dot is a compaction\(key(names))",
      "faint", x: 16, y: 42, size: 11)
    for launch in stride(from: 1, through: count, by: max(1, (28 + width - 1) / width)) {
      body += Draw.text(
        names.moment(launch).map(letter) ?? names.number(launch), "faint",
        x: left + (launch - 1) * width + width / 2, y: top - 6, size: 10, anchor: .middle)
    }
    body += Draw.text("cost · regret", "faint", x: left + count * width + 12, y: top - 6, size: 10)
    for (index, row) in rows.enumerated() {
      body += drawn(row, names, y: top + index * rowHeight, width, largest) + "\n"
    }
    return PictureDocument.text(
      width: left + count * width + right, height: top + rows.count * rowHeight + 12,
      styles: PictureTheme.standalone + HeatScale.styles,
      title: "Schedules of compactions: \(title)",
      background: .style("paper"), body)
  }

  private static func letter(_ moment: BackgroundMoment) -> String {
    String(moment.rawValue.prefix(1))
  }

  /// The letters of moments in the background.
  private static func key(_ names: OpeningNames) -> String {
    names.moments.map { "; \(letter($0)): \($0.rawValue)" }.joined()
  }

  private static func drawn(
    _ row: Row, _ names: OpeningNames, y: Int, _ width: Int, _ largest: Int
  ) -> String {
    var out = Draw.text(
      shortened(row.title.visible), "txt", x: left - 8, y: y + 16, size: 11, anchor: .end)
    for (index, bytes) in row.excess.enumerated() {
      let color = HeatScale.color(Double(bytes ?? 0) / Double(largest))
      let x = left + index * width
      out += Draw.rectangle(
        x: x, y: y, width: width - 1, height: rowHeight - 3,
        fill: bytes == nil ? HeatScale.absent : color.fill,
        title: "\(names.label(index + 1)): \(bytes.map { "\(ByteCount($0))" } ?? "no time passed")")
      if row.compacted.contains(index + 1) {
        out += Draw.circle(
          color.isDark ? "ondark" : "onlight", x: x + width / 2, y: y + rowHeight / 2 - 1,
          radius: max(1, min(4, width / 3)))
      }
    }
    return out
      + Draw.text(
        row.cost, "txt", x: left + row.excess.count * width + 12, y: y + 16, size: 11)
  }

  /// Returns as much of a title as is left of the boxes.
  private static func shortened(_ title: String) -> String {
    title.count <= 27 ? title : title.prefix(26) + "…"
  }
}
