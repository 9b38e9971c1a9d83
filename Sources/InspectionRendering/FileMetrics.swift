// The metrics of a file for Prometheus, of every format by the same names. What is not known exactly is left out of `space`,
// and has its bounds elsewhere.
package import FileFormats
package import StorageEngine

package enum FileMetrics {
  private static let spaceHelp =
    "Bytes by use, of those that are known exactly. The uses but tail add up to the logical length."
  private static let sizeHelp = "Length of the database file."

  /// Returns the metrics of a foreign engine's file.
  package static func text(_ report: FileReport, file: String) -> String {
    var gauges = FileGauges()
    gauges.add("size_bytes", sizeHelp, report.fileBytes)
    gauges.add("logical_bytes", "Length that the format covers.", report.space.logical)
    gauges.add(
      "space_bytes", spaceHelp, by: "use",
      report.space.parts.compactMap { part in part.measure.exactValue.map { (part.name, $0) } })
    let bounded = report.space.parts.filter { $0.measure.exactValue == nil }
    gauges.add(
      "space_min_bytes", "Least bytes by use, of those that are known within bounds.", by: "use",
      bounded.compactMap { part in part.measure.bounds.map { (part.name, $0.lowerBound) } })
    gauges.add(
      "space_max_bytes", "Most bytes by use, of those that are known within bounds.", by: "use",
      bounded.compactMap { part in part.measure.bounds.map { (part.name, $0.upperBound) } })
    gauges.add("free_pieces", "Pieces of free space.", report.freePieces.count)
    gauges.add("largest_free_piece_bytes", "Largest piece.", report.freePieces.largest)
    gauges.add("compacted_min_bytes", compactedHelp("least"), report.compacted.bounds?.lowerBound)
    gauges.add("compacted_max_bytes", compactedHelp("most"), report.compacted.bounds?.upperBound)
    gauges.add("log_bytes", "Length of the write-ahead log beside it.", report.log?.bytes)
    gauges.add(
      "log_frames", "Committed frames of the write-ahead log.", report.log?.committedFrames)
    gauges.add(
      "newest_version", "Newest version.", report.versions.newest.map { Int(clamping: $0) })
    gauges.add(
      "oldest_held_version", "Oldest version that a reader holds.",
      report.versions.oldestHeld.map { Int(clamping: $0) })
    gauges.add("readers", "Readers that hold a version.", report.versions.readers)
    gauges.add("problems", "Findings of damage.", report.problems.count)
    gauges.add(
      "consistent", "1 unless the file changed while it was read.",
      report.consistency == .consistent ? 1 : 0)
    addTrees(report, to: &gauges)
    return gauges.text(file: file, format: report.format.rawValue)
  }

  /// The trees that have a sample of their own: a database with a thousand tables is no thousand time series.
  private static let maxTrees = 16

  private static func addTrees(_ report: FileReport, to gauges: inout FileGauges) {
    gauges.add("trees", "Tables, indexes and named databases.", report.trees.count)
    // Two trees of one name have one sample, since samples are told apart by their labels.
    var names: Set<String> = []
    gauges.add(
      "tree_bytes", "Bytes of the largest trees.",
      report.trees.list.prefix(maxTrees).filter { names.insert("\($0.kind) \($0.name)").inserted }
        .map { tree in
          .init(
            labels: [("tree", tree.name), ("kind", tree.kind.rawValue)], value: Double(tree.bytes))
        })
  }

  private static func compactedHelp(_ word: String) -> String {
    "Length that a compaction would leave, at \(word)."
  }

  /// Returns the metrics of a native file.
  package static func text(
    _ inspection: FileInspection, compactedBytes: Int?, file: String
  ) -> String {
    var gauges = FileGauges()
    let account = inspection.account
    gauges.add("size_bytes", sizeHelp, account.file)
    gauges.add(
      "space_bytes", spaceHelp, by: "use",
      [
        ("live", account.live), ("free", account.free), ("pinned", account.pinned),
        ("pending", account.pending), ("overhead", account.overhead),
      ])
    let free = inspection.ranges.filter { $0.use == .free }.map(\.size)
    gauges.add("free_pieces", "Pieces of free space.", free.count)
    gauges.add("largest_free_piece_bytes", "Largest piece.", free.max() ?? 0)
    gauges.add("compacted_min_bytes", compactedHelp("least"), compactedBytes)
    gauges.add("compacted_max_bytes", compactedHelp("most"), compactedBytes)
    gauges.add("newest_version", "Newest version.", Int(clamping: inspection.version))
    gauges.add(
      "oldest_held_version", "Oldest version that a reader holds.",
      inspection.pins.map(\.version).min().map { Int(clamping: $0) })
    gauges.add("readers", "Readers that hold a version.", inspection.pins.count)
    gauges.add("trees", "Tables, indexes and named databases.", inspection.tables.count)
    gauges.add(
      "tree_bytes", "Bytes of the largest trees.",
      inspection.tables.sorted { $0.nodeBytes + $0.valueBytes > $1.nodeBytes + $1.valueBytes }
        .prefix(maxTrees).map { table in
          .init(
            labels: [("tree", table.name), ("kind", "table")],
            value: Double(table.nodeBytes + table.valueBytes))
        })
    return gauges.text(file: file, format: "native")
  }
}
