// Renders an inspection as text for a terminal.
import MetricModel
package import StorageEngine

package enum InspectionText {
  /// Returns the whole inspection, without the decisions of policies.
  package static func text(_ inspection: FileInspection, width: Int) -> String {
    [
      front(inspection), tables(inspection), space(inspection),
      SpaceMapText.text(width: width) { SpaceMap(inspection, maxCells: $0) },
      freeList(inspection), pins(inspection),
    ].joined(separator: "\n\n")
  }

  /// Returns one line for each commit slot; also for files that cannot be opened.
  package static func slots(_ slots: [InspectedSlot], newest: UInt64?) -> [String] {
    slots.enumerated().map { index, slot in
      let name = "slot \(["A", "B"][index])  at \(padded(grouped(slot.offset), 5))  "
      guard let version = slot.version else { return name + "empty, or fails its checksum" }
      var notes: [String] = []
      if slot.isContentSynced { notes.append("content synced") }
      if version == newest { notes.append("newest") }
      let end = notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))"
      return name + "version \(version), record at \(grouped(slot.recordOffset)) "
        + "(\(grouped(slot.recordBytes)) B), file of \(grouped(slot.fileBytes)) B\(end)"
    }
  }

  private static func front(_ inspection: FileInspection) -> String {
    let header =
      "format version \(inspection.formatVersion), pages of \(grouped(inspection.pageBytes)) B, "
      + "granules of \(inspection.granuleBytes) B"
    let closed =
      inspection.isMarkedClosed
      ? "closed at version \(inspection.version)"
      : "version \(inspection.version); not marked as closed"
    return ([header] + slots(inspection.slots, newest: inspection.version) + [closed])
      .joined(separator: "\n")
  }

  /// What is missing in an inspection without nodes, and why.
  package static let changeNote =
    "the file changed while it was read: all sums are of one version, and its tables could not be read"

  private static func tables(_ inspection: FileInspection) -> String {
    guard inspection.hasNodes else { return changeNote }
    guard !inspection.tables.isEmpty else { return "no tables" }
    let rows = inspection.tables.map { table in
      [
        table.name, "\(table.keyKind)", grouped(table.rows), "\(table.levels)",
        grouped(table.nodes), size(table.nodeBytes), grouped(table.values),
        size(table.valueBytes),
      ]
    }
    return columns(
      [["table", "keys", "rows", "levels", "nodes", "", "values outside", ""]] + rows,
      leading: 2)
  }

  private static func space(_ inspection: FileInspection) -> String {
    let account = inspection.account
    let parts: [(String, Int, InspectedRange.Use)] = [
      ("live", account.live, .live), ("free", account.free, .free),
      ("pinned", account.pinned, .pinned), ("overhead", account.overhead, .overhead),
    ]
    var rows = [["space", "bytes", "", "share", "ranges"]]
    for (name, bytes, use) in parts {
      rows.append([
        name, grouped(bytes), size(bytes), share(bytes, account.file),
        grouped(inspection.ranges.count { $0.use == use }),
      ])
    }
    rows.append(["file", grouped(account.file), size(account.file), "", ""])
    return columns(rows, leading: 1)
  }

  /// Returns a histogram of the free extents by powers of two.
  private static func freeList(_ inspection: FileInspection) -> String {
    let free = inspection.ranges.filter { $0.use == .free }.map(\.size)
    let head =
      "free list: \(grouped(free.count)) extents, \(grouped(inspection.account.free)) B, "
      + "added up from \(grouped(inspection.records)) commit records"
    guard let longest = free.max() else { return head }
    var buckets = [(count: Int, bytes: Int)](repeating: (0, 0), count: bucket(longest) + 1)
    for size in free {
      buckets[bucket(size)].count += 1
      buckets[bucket(size)].bytes += size
    }
    let most = buckets.map(\.count).max() ?? 1
    let rows = buckets.enumerated().drop { $0.element.count == 0 }.map { index, bucket in
      [
        "≥ \(grouped(1 << index)) B", grouped(bucket.count), size(bucket.bytes),
        String(repeating: "▪", count: (bucket.count * 24 + most - 1) / most),
      ]
    }
    return head + "\n" + columns(rows, leading: 0, trailing: 1)
  }

  private static func bucket(_ size: Int) -> Int {
    Int.bitWidth - 1 - size.leadingZeroBitCount
  }

  private static func pins(_ inspection: FileInspection) -> String {
    guard !inspection.pins.isEmpty else { return "pins: none" }
    let rows = inspection.pins.map { pin in
      [
        pin.kind.rawValue, "\"\(pin.label)\"", "version \(pin.version)",
        pin.process.map { "process \($0)" } ?? "in the file",
        "retains \(size(pin.exclusive)) exclusively", "\(size(pin.shared)) shared",
      ]
    }
    return "pins:\n" + columns(rows, leading: 6)
  }

  private static func size(_ bytes: Int) -> String { ByteCount(bytes).description }

  private static func share(_ bytes: Int, _ file: Int) -> String {
    "\((100 * Double(bytes) / Double(max(1, file))).threeDigits) %"
  }
}
