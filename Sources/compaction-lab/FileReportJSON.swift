// The JSON output of `inspect` for the file of a foreign engine: all figures, to the byte.
import FileFormats

enum FileReportJSON {
  static func members(_ report: FileReport) -> [JSON.Member] {
    let json: JSON = [
      "format": .text(report.format.rawValue), "formatVersion": .text(report.formatVersion),
      "encrypted": .bool(report.isEncrypted), "fileBytes": .integer(report.fileBytes),
      "logicalBytes": .integer(report.space.logical),
      "pageBytes": .optional(report.pageBytes),
      "space": .object(
        report.space.parts.map { JSON.Member(key: $0.name, value: measure($0.measure)) }),
      "freePieces": freePieces(report.freePieces), "trees": trees(report.trees),
      "versions": versions(report.versions), "log": report.log.map(log) ?? .null,
      "sideFiles": .list(
        report.sideFiles.map { side in
          [
            "name": .text(side.name), "bytes": .integer(side.bytes),
            "purpose": .text(side.purpose),
          ]
        }),
      "facts": .object(report.facts.map { JSON.Member(key: $0.key, value: value($0.value)) }),
      "compacted": measure(report.compacted), "change": change(report.consistency),
      "problems": [
        "count": .integer(report.problems.count), "texts": .texts(report.problems.texts),
      ],
    ]
    guard case .object(let members) = json else { preconditionFailure("It is an object literal.") }
    return members
  }

  /// Returns the bounds, which are equal for an exact number, and the reason where they are not; null for unknown bounds.
  private static func measure(_ measure: ByteMeasure) -> JSON {
    [
      "min": .optional(measure.bounds?.lowerBound), "max": .optional(measure.bounds?.upperBound),
      "reason": .optional(measure.reason),
    ]
  }

  private static func value(_ value: FileReport.Fact.Value) -> JSON {
    switch value {
    case .count(let count), .bytes(let count): .integer(count)
    case .text(let text): .text(text)
    }
  }

  private static func change(_ consistency: FileReport.Consistency) -> JSON {
    switch consistency {
    case .consistent: .null
    case .changed(let how): .text(how)
    }
  }

  private static func freePieces(_ pieces: FreePieces) -> JSON {
    [
      "count": .integer(pieces.count), "bytes": .integer(pieces.bytes),
      "largest": .integer(pieces.largest), "largestOffset": .integer(pieces.largestOffset),
      "classes": .list(
        pieces.classes.enumerated().filter { $0.element.count > 0 }.map { index, sizes in
          [
            "from": .integer(1 << index), "count": .integer(sizes.count),
            "bytes": .integer(sizes.bytes),
          ]
        }),
    ]
  }

  private static func trees(_ trees: LargestTrees) -> JSON {
    [
      "count": .integer(trees.count), "bytes": .integer(trees.bytes),
      "largest": .list(
        trees.list.map { tree in
          [
            "name": .text(tree.name), "kind": .text(tree.kind.rawValue),
            "owner": .optional(tree.owner), "root": .integer(tree.root),
            "entries": .optional(tree.entries), "pages": .integer(tree.pages),
            "bytes": .integer(tree.bytes), "unused": .optional(tree.unused),
            "depth": .integer(tree.depth), "complete": .bool(tree.isComplete),
          ]
        }),
    ]
  }

  private static func versions(_ versions: VersionReport) -> JSON {
    [
      "newest": .optional(versions.newest), "oldestHeld": .optional(versions.oldestHeld),
      "readers": .optional(versions.readers),
      "held": .list(
        versions.held.map { held in
          [
            "version": .unsigned(held.version), "readers": .integer(held.readers),
            "process": .optional(held.process),
          ]
        }),
      "note": .optional(versions.note),
    ]
  }

  private static func log(_ log: LogReport) -> JSON {
    [
      "bytes": .integer(log.bytes), "committedFrames": .integer(log.committedFrames),
      "uncommittedFrames": .integer(log.uncommittedFrames),
      "checkpointedFrames": measure(log.checkpointedFrames),
      "staleBytes": .integer(log.staleBytes), "pages": .integer(log.pages),
    ]
  }
}
