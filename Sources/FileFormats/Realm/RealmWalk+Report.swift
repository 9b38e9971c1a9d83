// From the sums of a walk to the report of a Realm file.

extension RealmWalk {
  func makeReport(live: Int, history: Int, overhead: Int) -> FileReport {
    var report = emptyReport()
    let logical = min(reader.size, logical + footerBytes)
    let accounted = free.bytes + free.pinnedBytes + overhead + live + history
    let used = logical - free.bytes - free.pinnedBytes - overhead
    let reason = "not all of the tables could be walked"
    report.space = SpaceByUse(
      logical: logical,
      live: isComplete
        ? .exact(live) : .between(min(live, max(0, used)), max(0, used), reason: reason),
      free: .exact(free.bytes), pinned: .exact(free.pinnedBytes),
      history: isComplete
        ? .exact(history) : .between(min(history, max(0, used)), max(0, used), reason: reason),
      overhead: .exact(overhead),
      unreachable: isComplete && accounted <= logical
        ? .exact(logical - accounted) : .unknown(reason: reason),
      tail: max(0, reader.size - logical))
    report.versions = versions.report(newest: version.flatMap { UInt64(exactly: $0) })
    report.freePieces = free.pieces
    report.trees = trees
    report.grid = grid
    report.facts = facts
    report.compacted = compacted(history: history)
    report.problems = problems
    if isComplete, accounted > logical {
      report.problems.add(
        "live and free bytes add up to \(accounted), and the file has \(logical): they overlap")
    }
    return report
  }

  /// The report of a file in which no version was committed yet.
  func emptyReport() -> FileReport {
    let overhead = min(reader.size, RealmHeader.bytes)
    return FileReport(
      format: .realm,
      formatVersion: header.format == 0 ? "no version committed" : "file format \(header.format)",
      fileBytes: reader.size,
      space: SpaceByUse(
        logical: reader.size, live: .exact(0), free: .exact(reader.size - overhead),
        history: .exact(0), overhead: .exact(overhead)),
      versions: versions.report(newest: nil), compacted: .exact(reader.size), problems: problems)
  }

  func damagedReport() -> FileReport {
    var report = emptyReport()
    let reason = "the top array is damaged"
    report.space.live = .unknown(reason: reason)
    report.space.free = .unknown(reason: reason)
    report.space.pinned = .unknown(reason: reason)
    report.space.history = .unknown(reason: reason)
    report.space.unreachable = .unknown(reason: reason)
    report.compacted = .unknown(reason: reason)
    return report
  }

  private var facts: [FileReport.Fact] {
    var facts: [FileReport.Fact] = [
      .init("freeListEntries", "entries of the free list", .count(free.entries))
    ]
    if let tags = free.tags {
      facts += [
        .init("oldestFreeVersion", "oldest version in the free list", .count(tags.lowerBound)),
        .init("newestFreeVersion", "newest version in the free list", .count(tags.upperBound)),
      ]
    }
    let types = [
      "none", "out of the file", "in the file", "of a synchronized client", "of a server",
    ]
    facts.append(
      .init(
        "historyType", "history",
        .text(types.indices.contains(historyType) ? types[historyType] : "of type \(historyType)")))
    facts.append(.init("automaticCompaction", "automatic compaction", .text(evacuationText)))
    if header.topReference == nil {
      facts.append(
        .init("writtenInOneGo", "written", .text("in one go, by a compaction or a copy")))
    }
    return facts
  }

  private var evacuationText: String {
    switch evacuation {
    case nil: "unknown"
    case .some(.none): "not begun"
    case .begun(limit: 0, let pause): "gave up, and looks again after \(pause) commits"
    case .begun(let limit, pause: 0): "moves data below \(limit) B"
    case .begun(let limit, let pause):
      "waits until the space from \(limit) B on is free, and looks again after \(pause) commits"
    }
  }

  /// Returns the length of the file that a compaction writes: the same arrays in one go, with the history, and references of
  /// the width that the new offsets need.
  private func compacted(history: Int) -> ByteMeasure {
    guard isComplete else { return .unknown(reason: "not all of the tables could be walked") }
    let fixed = RealmHeader.bytes + RealmHeader.footerBytes
    // The new top array: 3 to 12 elements of 16 to 64 bits.
    return .between(
      fixed + 16 + sizes.lower, fixed + 104 + sizes.upper,
      reason: "references take 2, 4 or 8 bytes, depending on where a compaction puts what they name"
    )
  }
}
