// Where automatic compaction stands, as every commit record keeps it. It is written and not derived: sessions of a few
// commits each would otherwise begin the walk through the tables anew each time and never end it; and whoever commits
// next, in whatever process, goes on with it.

struct EvacuationState: Equatable {
  enum Stage: UInt8 { case idle, evacuating, waiting, blocked }
  enum Cause: UInt8 { case none, noSpaceBelowLimit, commitFailed }

  var stage = Stage.idle
  /// Why it is blocked.
  var cause = Cause.none
  /// The version since which it is so.
  var since: UInt64 = 0
  /// Blocked: the version that looks again. Waiting: the one that walks again.
  var until: UInt64 = 0
  /// Evacuating and waiting: nothing is allocated at or above it. Blocked: where that did not do.
  var limit = 0
  /// The file's length when this compaction began.
  var startSize = 0
  /// Bytes moved since this compaction began, and how many of them its steps have told.
  var moved = 0
  var told = 0
  /// That it waits has been told.
  var hasToldWaiting = false
  /// Evacuating: where the walk goes on. Waiting: the same where it was interrupted; nil where it has ended.
  var walk: Walk? = Walk()

  struct Walk: Equatable {
    var table = 0
    /// nil begins at the table's first row.
    var key: StoredKey?
    var isBeginning: Bool { table == 0 && key == nil }
  }

  static func idle(since version: UInt64) -> EvacuationState {
    var state = EvacuationState()
    state.since = version
    return state
  }

  /// What nothing is allocated at or above; `Int.max` where there is no limit.
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

// MARK: In the record

extension EvacuationState {
  private static let numbers = 6
  private static let fixedSize = 4 + 8 * numbers
  static let mostBytes = fixedSize + 16 + Layout.maxKeyLength

  /// The bytes for the record: none for a state in which nothing is remembered. The state may change while the record
  /// finds its place; then it is encoded again in the `room` that it had, and fills it.
  func encoded(in room: Int? = nil) -> [UInt8] {
    guard stage != .idle || room ?? 0 > 0 else { return [] }
    var out: [UInt8] = [stage.rawValue, cause.rawValue, hasToldWaiting ? 1 : 0, 0]
    for number in [
      since, until, UInt64(limit), UInt64(startSize), UInt64(moved), UInt64(told),
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
    guard let room else { return out }
    precondition(out.count <= room, "A state that ends takes no more room.")
    return out + [UInt8](repeating: 0, count: room - out.count)
  }

  init(_ bytes: [UInt8], _ reader: RecordReader) throws(StorageError) {
    guard !bytes.isEmpty else { return }
    func corrupt() -> StorageError { reader.corrupt("its state of compaction cannot be") }
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
    hasToldWaiting = bytes[2] == 1
    since = try word(0)
    until = try word(1)
    limit = try number(2)
    startSize = try number(3)
    (moved, told) = (Int(truncatingIfNeeded: try word(4)), Int(truncatingIfNeeded: try word(5)))
    guard limit % Layout.pageSize == 0, moved >= told, told >= 0,
      until <= Layout.maxVersion + (1 << 32),
      allocationLimit >= Layout.blocksStart
    else { throw corrupt() }
    guard stage != .idle else { return }
    walk = nil
    guard bytes[3] > 0 else { return }
    var walk = Walk(table: try number(Self.numbers))
    if bytes[3] == 2 {
      walk.key = StoredKey(number: Int64(bitPattern: try word(Self.numbers + 1)))
    } else if bytes[3] == 3 {
      let (from, count) = (Self.fixedSize + 16, try number(Self.numbers + 1))
      guard (1...Layout.maxKeyLength).contains(count), from + count <= bytes.count else {
        throw corrupt()
      }
      walk.key = StoredKey(bytes: Array(bytes[from..<from + count]))
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
