// The lines of a journal: a checksum that depends on the lines before, a space, and JSON in one line. The first has the
// plan; each other one the result of a run, or that all runs have ended.
import Foundation
package import RecordModel

/// The key of a result: which repetition of which cell.
package struct JournalRun: Hashable, Sendable, Codable {
  /// The index of the point of a sweep; nil for the one scenario of a run.
  package var point: Int?
  package var cell: CellKey
  package var repetition: Int
  package var schedule: Schedule
  /// Whether it is the second run of a block, for the A/A check.
  package var isControl: Bool

  package init(
    point: Int? = nil, cell: CellKey, repetition: Int, schedule: Schedule, isControl: Bool
  ) {
    self.point = point
    self.cell = cell
    self.repetition = repetition
    self.schedule = schedule
    self.isControl = isControl
  }
}

/// The first line.
struct JournalHeader: Codable, Equatable {
  static let currentFormat = 1

  var journal = currentFormat
  /// The command line of the run.
  var command: String
  /// ISO 8601, UTC.
  var startedAt: String
  var plan: PlanIdentity
  /// The shard that the run is; nil for a whole run. It is not part of the plan, so that all shards have the same.
  var shard: ShardContent?

  /// The command line with its shard.
  var wholeCommand: String { command + (shard.map { " --shard \($0.shard)" } ?? "") }
}

/// Any other line.
struct JournalEntry: Codable {
  var run: JournalRun?
  var result: RepetitionResult?
  /// All runs have ended; those without a result failed.
  var hasEnded: Bool?
  /// The end of a shard, instead.
  var shardEnd: ShardEnd?
}

enum JournalLine {
  /// Returns the bytes of a line, and its checksum.
  static func bytes(_ json: [UInt8], after check: String) -> (line: [UInt8], check: String) {
    let next = LineCheck.of(json, after: check)
    return (Array(next.utf8) + [UInt8(ascii: " ")] + json + [UInt8(ascii: "\n")], next)
  }

  /// Returns the JSON of a line; nil if its checksum is not the one that follows `check`.
  static func json(_ line: [UInt8], after check: String) -> (json: [UInt8], check: String)? {
    guard line.count > LineCheck.length, line[LineCheck.length] == UInt8(ascii: " ") else {
      return nil
    }
    let json = Array(line[(LineCheck.length + 1)...])
    let next = LineCheck.of(json, after: check)
    return line.starts(with: next.utf8) ? (json, next) : nil
  }

  static func json(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(value) else {
      preconditionFailure("names, numbers and texts can be encoded as JSON")
    }
    return Array(bytes)
  }

  /// Returns the JSON of an entry whose result is JSON already, which is not decoded and encoded again.
  static func json(_ run: JournalRun, resultJSON: [UInt8]) -> [UInt8] {
    Array("{\"result\":".utf8) + resultJSON + Array(",\"run\":".utf8) + json(run) + Array("}".utf8)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(json))
  }
}
