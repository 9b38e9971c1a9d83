// Why a file is as large as it is, in a sentence: the largest part that is not data, and what it waits for.
import FileFormats
import MetricModel

enum FileReportCause {
  /// The share of the file from which a part is a cause.
  private static let minShare = 0.1

  static func text(_ report: FileReport) -> String {
    let all = max(1, report.fileBytes + (report.log?.bytes ?? 0))
    let causes = causes(report).sorted { $0.bytes > $1.bytes }
    guard let first = causes.first, Double(first.bytes) >= minShare * Double(all) else {
      guard let live = report.space.live.exactValue else {
        return "Why so large: unknown, since the file is damaged."
      }
      return
        "Why so large: \(FileReportText.share(live, all)) is live data; a compaction frees little."
    }
    var sentence = "Why so large: \(FileReportText.share(first.bytes, all)) \(first.text)."
    if let second = causes.dropFirst().first, Double(second.bytes) >= minShare * Double(all) {
      sentence += " \(FileReportText.share(second.bytes, all)) \(second.text)."
    }
    return sentence
  }

  private static func causes(_ report: FileReport) -> [(bytes: Int, text: String)] {
    let space = report.space
    var causes: [(bytes: Int, text: String)] = []
    func add(_ measure: ByteMeasure?, _ text: @autoclosure () -> String) {
      if let bytes = measure?.exactValue, bytes > 0 { causes.append((bytes, text())) }
    }
    add(space.free, "is free, and is reused before the file grows" + shrinking(report))
    add(space.pinned, "is held back for older versions" + held(report))
    add(space.pending, "was freed by the last commit, and is free after the next")
    add(space.history, "is a history of changes, kept for other readers")
    add(space.unreachable, "is neither in use nor free: lost until a compaction")
    add(.exact(space.tail), "is behind the end of the database" + tail(report))
    if case .bytes(let unused)? = report.fact("unusedBytes"), unused > 0 {
      causes.append((unused, "is unused in pages that hold data" + packing(report)))
    }
    if let log = report.log, log.bytes > 0 {
      causes.append(
        (
          log.bytes,
          "is the write-ahead log, which a checkpoint empties and only a truncation shortens"
        ))
    }
    return causes
  }

  private static func held(_ report: FileReport) -> String {
    guard let oldest = report.versions.oldestHeld else { return "" }
    let newest = report.versions.newest.map { " of \(FileReportText.number($0))" } ?? ""
    return " (oldest held version \(FileReportText.number(oldest))\(newest))"
  }

  private static func shrinking(_ report: FileReport) -> String {
    switch report.format {
    case .sqlite: "; VACUUM returns it to the disk"
    case .lmdb: "; only a compacted copy is shorter"
    case .libmdbx, .realm: ""
    }
  }

  private static func packing(_ report: FileReport) -> String {
    report.format == .sqlite
      ? "; VACUUM packs them anew" : "; a compacted copy has them as they are"
  }

  private static func tail(_ report: FileReport) -> String {
    report.format == .realm ? ", and is cut off when the file is opened next" : ""
  }
}
