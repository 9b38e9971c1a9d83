// What only LMDB's and libmdbx's formats have, and what a compacted copy would be.

extension MDBWalk {
  var formatVersion: String {
    layout.isLMDB ? "data version 1" : "data version 3"
  }

  var versions: VersionReport {
    var report = VersionReport(newest: meta.version)
    report.readers = readers.absence == nil ? readers.count : nil
    report.oldestHeld = readers.oldest
    report.held = readers.held
    report.note =
      readers.absence
      ?? (readers.count > 0 ? "a process that died may have left its slot in the table" : nil)
    return report
  }

  var facts: [FileReport.Fact] {
    var facts: [FileReport.Fact] = [
      .init("lastPage", "last page", .count(meta.pageCount - 1)),
      .init("mapBytes", layout.isLMDB ? "map size" : "upper limit", .bytes(meta.limitBytes)),
      .init("freeListPages", "pages of the free list itself", .count(freeListPages)),
      .init("unusedBytes", "unused bytes in live pages", .bytes(unusedBytes)),
    ]
    if let geometry = meta.geometry {
      facts += [
        .init("nowBytes", "size now", .bytes(geometry.nowBytes)),
        .init("lowerBytes", "lower limit", .bytes(geometry.lowerBytes)),
        .init("growBytes", "growth step", .bytes(geometry.growBytes)),
        .init("shrinkBytes", "shrink threshold", .bytes(geometry.shrinkBytes)),
        .init("synced", "newest version synced", .text(meta.isSynced ? "yes" : "no")),
      ]
    }
    return facts
  }

  /// Returns the length of a compacted copy: the pages in use, without a free list. They are copied as they are.
  func compacted(_ live: Int) -> ByteMeasure {
    let bytes = (layout.metaCount + live) * meta.pageBytes
    guard let geometry = meta.geometry else { return .exact(bytes) }
    let step = max(geometry.growBytes, geometry.shrinkBytes, 65536)
    let upper = max(geometry.lowerBytes, bytes / step * step + step)
    return .between(
      bytes, max(bytes, min(upper, meta.limitBytes)),
      reason: "libmdbx rounds the length to a growth step, and keeps to its lower limit")
  }
}
