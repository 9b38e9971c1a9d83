// Renders the report of a foreign engine's file as text for a terminal: first what it is and why it is so large.
package import FileFormats
import MetricModel
import TextEscaping

package enum FileReportText {
  /// The trees that are shown; JSON has more.
  private static let maxTrees = 12

  /// Returns the lines above the decisions of policies: what the file is, and why it is so large.
  package static func summary(_ report: FileReport) -> String {
    var parts = ["\(measure(report.space.live)) live"]
    let pieces = report.freePieces.count
    let free = report.space.free
    parts.append("\(measure(free)) free" + (pieces > 0 ? " in \(counted(pieces, "piece"))" : ""))
    for (name, part) in [
      ("held for older versions", report.space.pinned),
      ("history", report.space.history ?? .exact(0)),
      ("unreachable", report.space.unreachable),
    ] where part.bounds?.upperBound ?? 0 > 0 { parts.append("\(measure(part)) \(name)") }
    if let log = report.log, log.bytes > 0 { parts.append("\(size(log.bytes)) log beside it") }
    let head =
      "\(report.format.title), \(report.formatVersion)\(report.isEncrypted ? ", encrypted" : ""), "
      + "\(size(report.fileBytes)): "
      + parts.joined(separator: ", ")
    return ([head, FileReportCause.text(report)] + warnings(report)).joined(separator: "\n")
  }

  /// Returns the lines below the decisions, with a map for a terminal of `width` columns.
  package static func details(_ report: FileReport, width: Int) -> String {
    [
      space(report), SpaceMapText.text(width: width) { SpaceMap(report.grid, maxCells: $0) },
      freePieces(report), trees(report), versions(report), facts(report), problems(report),
    ].compactMap { $0 }.joined(separator: "\n\n")
  }

  private static func warnings(_ report: FileReport) -> [String] {
    var lines: [String] = []
    if case .changed(let how) = report.consistency {
      lines.append(
        "Changed while it was read: \(how). Figures may be of several states; run this again.")
    }
    if report.problems.count > 0 {
      lines.append("\(counted(report.problems.count, "problem")) found, listed below.")
    }
    return lines
  }

  private static func space(_ report: FileReport) -> String {
    var rows = [["space", "bytes", "", "share", "is"]]
    for (name, part) in report.space.parts where part != .exact(0) || name == "live" {
      let bounds = part.bounds
      let bytes = bounds.map { bounds in
        bounds.lowerBound == bounds.upperBound
          ? grouped(bounds.lowerBound)
          : "\(grouped(bounds.lowerBound)) to \(grouped(bounds.upperBound))"
      }
      rows.append([
        name, bytes ?? "?", part.exactValue.map(size) ?? "",
        part.exactValue.map { share($0, report.fileBytes) } ?? "", part.reason ?? "exact",
      ])
    }
    rows.append(["file", grouped(report.fileBytes), size(report.fileBytes), "", ""])
    if let log = report.log {
      rows.append([
        "log", grouped(log.bytes), size(log.bytes), "", "beside the file: \(frames(log))",
      ])
    }
    return columns(rows, leading: 1, trailing: 1)
  }

  private static func frames(_ log: LogReport) -> String {
    var parts = [
      "\(counted(log.committedFrames, "committed frame")) of \(counted(log.pages, "page"))"
    ]
    if case .exact(let done) = log.checkpointedFrames {
      parts.append("\(grouped(done)) checkpointed")
    }
    if log.uncommittedFrames > 0 { parts.append("\(grouped(log.uncommittedFrames)) uncommitted") }
    if log.staleBytes > 0 { parts.append("\(size(log.staleBytes)) of earlier rounds") }
    return parts.joined(separator: ", ")
  }

  /// Returns a histogram of the free pieces by powers of two.
  private static func freePieces(_ report: FileReport) -> String? {
    let free = report.freePieces
    guard free.count > 0 else { return nil }
    let most = free.classes.map(\.count).max() ?? 1
    let rows = free.classes.enumerated().filter { $0.element.count > 0 }.map { index, sizes in
      [
        "≥ \(grouped(1 << index)) B", grouped(sizes.count), size(sizes.bytes),
        String(repeating: "▪", count: (sizes.count * 24 + most - 1) / most),
      ]
    }
    return
      "free pieces: \(grouped(free.count)), \(grouped(free.bytes)) B, the largest \(size(free.largest)) at "
      + "\(grouped(free.largestOffset))\n" + columns(rows, leading: 0, trailing: 1)
  }

  private static func trees(_ report: FileReport) -> String? {
    let trees = report.trees
    guard trees.count > 0 else { return nil }
    let unit = report.pageBytes == nil ? "arrays" : "pages"
    var rows = [["tree", "kind", "bytes", "", unit, "entries", "unused"]]
    for tree in trees.list.prefix(maxTrees) {
      rows.append([
        shown(tree.name) + (tree.owner.map { " on \(shown($0))" } ?? ""), tree.kind.rawValue,
        (tree.isComplete ? "" : "≥ ") + grouped(tree.bytes), size(tree.bytes), grouped(tree.pages),
        tree.entries.map(grouped) ?? "", tree.unused.map(size) ?? "",
      ])
    }
    let rest = trees.count - min(trees.count, maxTrees)
    return columns(rows, leading: 2) + (rest > 0 ? "\n  and \(grouped(rest)) smaller" : "")
  }

  private static func versions(_ report: FileReport) -> String? {
    let versions = report.versions
    var lines: [String] = []
    if let newest = versions.newest { lines.append("newest version \(number(newest))") }
    if let readers = versions.readers { lines.append(counted(readers, "reader")) }
    if let oldest = versions.oldestHeld { lines.append("oldest version held \(number(oldest))") }
    var text = "versions: " + (lines.isEmpty ? "none" : lines.joined(separator: ", "))
    for held in versions.held {
      text +=
        "\n  version \(number(held.version)): \(counted(held.readers, "reader"))"
        + (held.process.map { ", process \($0)" } ?? "")
    }
    return text + (versions.note.map { "\n  \($0)" } ?? "")
  }

  private static func facts(_ report: FileReport) -> String? {
    var rows = report.facts.map { fact in
      let value =
        switch fact.value {
        case .count(let count): grouped(count)
        case .bytes(let bytes): "\(size(bytes)) (\(grouped(bytes)) B)"
        case .text(let text): text
        }
      return [fact.label, value]
    }
    if let page = report.pageBytes { rows.insert(["page size", "\(grouped(page)) B"], at: 0) }
    for side in report.sideFiles {
      rows.append(["beside it", "\(side.name), \(side.purpose), \(size(side.bytes))"])
    }
    return rows.isEmpty ? nil : columns(rows, leading: 2)
  }

  private static func problems(_ report: FileReport) -> String? {
    guard !report.problems.isEmpty else { return nil }
    let texts = report.problems.texts.map { "  \(shown($0))" }
    let rest = report.problems.count - texts.count
    return (["problems:"] + texts + (rest > 0 ? ["  and \(grouped(rest)) more"] : []))
      .joined(separator: "\n")
  }

  /// Returns text of a file as it may be shown: a name in a file can contain anything.
  private static func shown(_ text: String) -> String {
    text.escaping { $0.isHidden || $0.isLineEnd || $0 == "\t" }
  }

  static func number(_ version: UInt64) -> String { grouped(Int(clamping: version)) }

  static func size(_ bytes: Int) -> String { ByteCount(bytes).description }

  static func share(_ bytes: Int, _ file: Int) -> String {
    "\((100 * Double(bytes) / Double(max(1, file))).threeDigits) %"
  }

  /// Returns a size: `1.19 GB`, `1.1 to 1.3 GB`, or `an unknown size`.
  package static func measure(_ measure: ByteMeasure) -> String {
    switch measure {
    case .exact(let bytes): size(bytes)
    case .bounded(let range, _): "\(size(range.lowerBound)) to \(size(range.upperBound))"
    case .unknown: "an unknown size"
    }
  }
}
