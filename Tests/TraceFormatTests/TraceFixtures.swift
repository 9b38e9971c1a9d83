// Traces for tests: records drawn from a seed, and files made of them.
import SystemIO
import TestSupport

@testable import TraceFormat

enum TraceFixtures {
  static let header = TraceHeader(
    origin: .init(
      scenario: "fixture", arm: "default", engine: "native", engineVersion: "1", policy: "never",
      policyRule: "never",
      program: "test"),
    tables: [.init(name: "Item", rows: 100), .init(name: "Other", rows: 1)], clock: .machine,
    durable: false, sampleEveryCommits: 50, seed: 7)

  /// Any operations, in no order that makes sense: the format does not ask for one.
  static func records(_ count: Int, seed: UInt64) -> [TraceRecord] {
    var random = SeededRandom(seed: seed)
    var time = 0
    return (0..<count).map { _ in
      let all = TraceOperation.allCases
      let operation = all[random.below(all.count)]
      if random.oneIn(3) { time += random.below(1 << (1 + random.below(40))) }
      var record = TraceRecord(operation, thread: random.below(3), time: time)
      for part in operation.parts {
        switch part.storage {
        case .table: record.table = random.below(3)
        case .key: record.key = random.oneIn(50) ? .min : Int64(random.below(1 << 20)) - 1000
        case .number: record.number = random.below(1 << (1 + random.below(60)))
        case .size: record.size = random.below(5000)
        case .amount: record.size = random.below(1 << 30)
        case .text: record.text = ["", "reader", "jobs on jobs.3", "é🗜\"\\\n"][random.below(4)]
        }
      }
      return record
    }
  }

  static func write(_ records: [TraceRecord], to path: FilePath) throws {
    let writer = try TraceWriter(path, header)
    for record in records { try writer.append(record) }
    try writer.finish()
  }

  static func read(_ path: FilePath) throws -> [TraceRecord] {
    let reader = try TraceReader(path)
    var records: [TraceRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }
}
