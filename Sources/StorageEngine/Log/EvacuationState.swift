// The state of automatic compaction, stored in every commit record. It is stored and not derived, because sessions of a
// few commits each would otherwise restart the scan of the tables each time and never finish it. The session that
// commits next, in any process, continues from it.

struct EvacuationState: Equatable {
  enum Stage: UInt8 { case idle, evacuating, waiting, blocked }
  enum Cause: UInt8 { case none, noSpaceBelowLimit, commitFailed }

  var stage = Stage.idle
  /// The reason for being blocked.
  var cause = Cause.none
  /// The version that entered this stage.
  var since: UInt64 = 0
  /// Blocked: the version that tries again. Waiting: the version that scans the tables again.
  var until: UInt64 = 0
  /// Evacuating and waiting: nothing is allocated at or above it. Blocked: the limit that could not be reached.
  var limit = 0
  /// The file's length when this compaction began.
  var startSize = 0
  /// The bytes copied since this compaction began, and how many of them have been reported in steps.
  var movedBytes = 0
  var reportedBytes = 0
  /// Whether the step `waiting` has been reported.
  var didReportWaiting = false
  /// Where the scan of the tables continues, while evacuating or after an interruption; nil once it has ended.
  var walk: Walk? = Walk()

  struct Walk: Equatable {
    var table = 0
    /// nil for the table's first row.
    var key: OwnedKey?
    var isBeginning: Bool { table == 0 && key == nil }
  }

  static func idle(since version: UInt64) -> EvacuationState {
    var state = EvacuationState()
    state.since = version
    return state
  }

  /// Nothing is allocated at or above this offset; `Int.max` if there is no limit.
  var allocationLimit: Int {
    switch stage {
    case .idle, .blocked: Int.max
    case .evacuating, .waiting: limit
    }
  }

  mutating func giveUp(_ cause: Cause, in version: UInt64, for commits: Int) {
    stage = .blocked
    self.cause = cause
    since = version
    until = version + UInt64(max(1, commits))
    walk = nil
  }
}

// MARK: Encoding

extension EvacuationState {
  private static let numbers = 6
  private static let fixedSize = 4 + 8 * numbers
  static let maxEncodedSize = fixedSize + 16 + Layout.maxKeyLength

  /// Encodes the state for the record; empty if there is nothing to store. The state may change while the record is
  /// placed; it is then encoded again, padded to the size that it had.
  func encoded(paddedTo size: Int? = nil) -> [UInt8] {
    guard stage != .idle || size ?? 0 > 0 else { return [] }
    var out: [UInt8] = [stage.rawValue, cause.rawValue, didReportWaiting ? 1 : 0, 0]
    for number in [
      since, until, UInt64(limit), UInt64(startSize), UInt64(movedBytes), UInt64(reportedBytes),
    ] {
      out.put(number)
    }
    if let walk, stage != .idle {
      out[3] = walk.key == nil ? 1 : walk.key!.bytes.isEmpty ? 2 : 3
      out.put(UInt64(walk.table))
      if let key = walk.key {
        if key.bytes.isEmpty {
          out.put(UInt64(bitPattern: key.number))
        } else {
          out.put(UInt64(key.bytes.count))
          out += key.bytes
        }
      }
    }
    guard let size else { return out }
    precondition(
      out.count <= size, "A state at its end must fit into the space of the state before.")
    return out + [UInt8](repeating: 0, count: size - out.count)
  }

  init(_ bytes: [UInt8], _ reader: RecordReader) throws(StorageError) {
    guard !bytes.isEmpty else { return }
    func corrupt() -> StorageError { reader.corrupt("its compaction state is invalid") }
    guard bytes.count >= Self.fixedSize, let stage = Stage(rawValue: bytes[0]),
      let cause = Cause(rawValue: bytes[1]), bytes[2] < 2, bytes[3] < 4
    else { throw corrupt() }
    func word(_ index: Int) throws(StorageError) -> UInt64 {
      let at = 4 + 8 * index
      guard at + 8 <= bytes.count else { throw corrupt() }
      return bytes.withUnsafeBytes { $0.baseAddress!.u64(at) }
    }
    func number(_ index: Int) throws(StorageError) -> Int {
      let value = try word(index)
      guard value <= UInt64(Layout.maxFileSize) else { throw corrupt() }
      return Int(value)
    }
    self.stage = stage
    self.cause = cause
    didReportWaiting = bytes[2] == 1
    since = try word(0)
    until = try word(1)
    limit = try number(2)
    startSize = try number(3)
    (movedBytes, reportedBytes) = (
      Int(truncatingIfNeeded: try word(4)), Int(truncatingIfNeeded: try word(5))
    )
    guard limit % Layout.pageSize == 0, movedBytes >= reportedBytes, reportedBytes >= 0,
      until <= Layout.maxVersion + (1 << 32),
      allocationLimit >= Layout.blocksStart
    else { throw corrupt() }
    guard stage != .idle else { return }
    walk = nil
    guard bytes[3] > 0 else { return }
    var walk = Walk(table: try number(Self.numbers))
    if bytes[3] == 2 {
      walk.key = OwnedKey(number: Int64(bitPattern: try word(Self.numbers + 1)))
    } else if bytes[3] == 3 {
      let (from, count) = (Self.fixedSize + 16, try number(Self.numbers + 1))
      guard (1...Layout.maxKeyLength).contains(count), from + count <= bytes.count else {
        throw corrupt()
      }
      walk.key = OwnedKey(bytes: Array(bytes[from..<from + count]))
    }
    self.walk = walk
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
