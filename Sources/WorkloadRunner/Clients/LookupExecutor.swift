// Executes the operations of a lookup's transactions: the innermost loop of what is measured. It is a structure for the
// reason that TransactionExecutor is one.
import EngineInterface
import Generators
import ScenarioModel
import SystemIO

struct LookupExecutor {
  private let spec: LookupSpec
  private let table: TableIndex
  private let timesOperations: Bool
  private var keys: KeyChooser
  /// A sum over all bytes that were read, which keeps the compiler from removing the reads.
  private var touched: UInt64 = 0
  /// Reads that found no row.
  private(set) var missing = 0
  /// Latencies of single operations, where they are timed.
  var latencies: [UInt64] = []

  init(_ spec: LookupSpec, table: TableIndex, keys: KeyChooser) {
    self.spec = spec
    self.table = table
    self.keys = keys
    timesOperations = spec.timing == .operations
  }

  /// Executes one transaction's operations on rows of `range`. Returns how many there were: none where the table is empty.
  mutating func operate(
    _ snapshot: any EngineSnapshot, on range: Range<Int64>
  ) throws(EngineError) -> Int {
    guard !range.isEmpty else { return 0 }
    if timesOperations {
      try operateTimed(snapshot, on: range)
    } else {
      for _ in 0..<spec.reads { try read(snapshot, range) }
      for _ in 0..<spec.scans { try scan(snapshot, range) }
    }
    return spec.operations
  }

  /// Times each operation from the end of the previous one, so that one reading of the clock for each is enough.
  private mutating func operateTimed(
    _ snapshot: any EngineSnapshot, on range: Range<Int64>
  ) throws(EngineError) {
    var last = Clock.monotonicNanoseconds()
    for _ in 0..<spec.reads {
      try read(snapshot, range)
      record(&last)
    }
    for _ in 0..<spec.scans {
      try scan(snapshot, range)
      record(&last)
    }
  }

  private mutating func record(_ last: inout UInt64) {
    let now = Clock.monotonicNanoseconds()
    latencies.append(now &- last)
    last = now
  }

  private mutating func read(
    _ snapshot: any EngineSnapshot, _ range: Range<Int64>
  ) throws(EngineError) {
    let key = range.lowerBound + Int64(keys.next(rows: range.count))
    var sum: UInt64 = 0
    if try !snapshot.read(table, key, { sum = readEveryByte(of: $0) }) { missing += 1 }
    touched &+= sum
  }

  private mutating func scan(
    _ snapshot: any EngineSnapshot, _ range: Range<Int64>
  ) throws(EngineError) {
    let key = range.lowerBound + Int64(keys.next(rows: range.count))
    var sum: UInt64 = 0
    _ = try snapshot.scan(table, from: key, limit: spec.scanLength) { _, bytes in
      sum &+= readEveryByte(of: bytes)
    }
    touched &+= sum
  }
}
