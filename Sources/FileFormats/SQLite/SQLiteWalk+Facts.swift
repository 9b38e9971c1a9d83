// What only SQLite's format has, and what a VACUUM would leave.

extension SQLiteWalk {
  var formatVersion: String {
    "schema format \(header.schemaFormat), \(header.isWAL ? "WAL" : "rollback journal") mode"
  }

  var versions: VersionReport {
    guard let log = pages.log, log.committedFrames > 0 else {
      return VersionReport(note: "without frames in a log there is only the newest version")
    }
    var versions = VersionReport(newest: UInt64(log.committedFrames))
    versions.note =
      "a version is a number of frames in the log; whether readers hold one is not in the files, only in locks"
    if let oldest = log.readMarks.filter({ $0 > 0 }).min() {
      versions.note! += "; the lowest read mark is \(oldest)"
    }
    return versions
  }

  var facts: [FileReport.Fact] {
    let vacuum = header.hasPointerMap ? (header.isIncremental ? "incremental" : "full") : "none"
    let encodings = ["unknown", "UTF-8", "UTF-16LE", "UTF-16BE"]
    var facts: [FileReport.Fact] = [
      .init("pages", "page_count", .count(pages.count)),
      .init("freelistPages", "freelist_count", .count(free.count)),
      .init("autoVacuum", "auto_vacuum", .text(vacuum)),
      .init("pointerMapPages", "pointer-map pages", .count(autoVacuumMaps)),
      .init("unusedBytes", "unused bytes in live pages", .bytes(unusedBytes)),
      .init("encoding", "encoding", .text(encodings[min(3, header.textEncoding) % 4])),
      .init("changeCounter", "change counter", .count(header.changeCounter)),
    ]
    let v = header.libraryVersion
    if v > 0 {
      facts.append(
        .init(
          "libraryVersion", "written by",
          .text("SQLite \(v / 1_000_000).\(v / 1000 % 1000).\(v % 1000)")))
    }
    return facts
  }

  /// Returns the length that VACUUM would leave. It writes the entries of each tree in their order, and how full its pages
  /// become is known within bounds.
  func compacted(_ livePages: Int) -> ByteMeasure {
    guard isComplete else {
      return .unknown(reason: "a damaged page may have led to more pages")
    }
    func whole(_ pages: Int) -> Int {
      var total = pages
      while header.hasPointerMap, total < pages + header.pointerMapPages(of: total) {
        total = pages + header.pointerMapPages(of: total)
      }
      if total >= header.lockBytePage { total += 1 }
      return total * header.pageBytes
    }
    let reason =
      "VACUUM packs pages anew, and how full it makes them depends on the order of entries of different sizes"
    return .between(whole(packed.lowerBound), whole(packed.upperBound), reason: reason)
  }
}
