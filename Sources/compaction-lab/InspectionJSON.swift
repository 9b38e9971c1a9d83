// The JSON output of `inspect`: all figures, to the byte.
import InspectionRendering
import MetricModel
import StorageEngine

enum InspectionJSON {
  static func members(_ inspection: FileInspection) -> [JSON.Member] {
    let json: JSON = [
      "formatVersion": .integer(inspection.formatVersion),
      "pageBytes": .integer(inspection.pageBytes),
      "granuleBytes": .integer(inspection.granuleBytes),
      "change": inspection.hasNodes ? .null : .text(InspectionText.changeNote),
      "version": .unsigned(inspection.version), "closed": .bool(inspection.isMarkedClosed),
      "slots": .list(inspection.slots.map(slot)),
      "tables": .list(inspection.tables.map(table)),
      "space": space(inspection.account),
      "stretches": stretches(inspection),
      "records": .integer(inspection.records),
      "pins": .list(inspection.pins.map(pin)),
    ]
    guard case .object(let members) = json else { preconditionFailure("It is an object literal.") }
    return members
  }

  private static func slot(_ slot: InspectedSlot) -> JSON {
    [
      "offset": .integer(slot.offset), "version": .optional(slot.version),
      "recordOffset": .integer(slot.recordOffset), "recordBytes": .integer(slot.recordBytes),
      "fileBytes": .integer(slot.fileBytes), "contentSynced": .bool(slot.isContentSynced),
    ]
  }

  private static func table(_ table: InspectedTable) -> JSON {
    [
      "name": .text(table.name), "keys": .text("\(table.keyKind)"), "rows": .integer(table.rows),
      "levels": .integer(table.levels), "nodes": .integer(table.nodes),
      "nodeBytes": .integer(table.nodeBytes), "values": .integer(table.values),
      "valueBytes": .integer(table.valueBytes),
    ]
  }

  private static func space(_ account: SpaceAccount) -> JSON {
    [
      "file": .integer(account.file), "live": .integer(account.live),
      "free": .integer(account.free), "pinned": .integer(account.pinned),
      "pending": .integer(account.pending), "overhead": .integer(account.overhead),
    ]
  }

  /// Returns the count and the longest stretch of each use.
  private static func stretches(_ inspection: FileInspection) -> JSON {
    .object(
      InspectedRange.Use.allCases.map { use in
        let sizes = inspection.ranges.filter { $0.use == use }.map(\.size)
        return JSON.Member(
          key: use.rawValue,
          value: ["count": .integer(sizes.count), "longest": .integer(sizes.max() ?? 0)])
      })
  }

  private static func pin(_ pin: Pin) -> JSON {
    [
      "kind": .text(pin.kind.rawValue), "version": .unsigned(pin.version),
      "label": .text(pin.label), "process": .optional(pin.process.map(Int.init)),
      "thread": .optional(pin.thread.map(Int.init)), "suspended": .bool(pin.isSuspended),
      "exclusiveBytes": .integer(pin.exclusive), "sharedBytes": .integer(pin.shared),
    ]
  }
}
