// The memory that all sessions of a database share: the sessions, and the versions that are being read. It is the
// mapped lock file, or private memory of the same layout if the database is not shared. Docs/Processes.md draws it.
import SystemIO

/// Typed access to the table. Every word that another process may change is read and written atomically.
struct ReaderTable {
  static let headerSize = 256
  static let sessionSize = 32
  static let maxSessions = 256
  static let readersStart = headerSize + maxSessions * sessionSize
  /// Two cache lines, so that registering one reader does not slow down its neighbor.
  static let readerSize = 128
  static let maxReaders = (ReaderTable.maxSize - readersStart) / readerSize
  /// The size of a new table on disk: the sessions, and 30 readers. With six pages an opening took a twentieth longer,
  /// with two pages for 14 readers 2 µs less.
  static let initialSize = 3 << 12
  static let maxSize = 1 << 23
  static let layoutVersion: UInt64 = 3
  /// `LDBSHARE`, as bytes in the file.
  static let magic: UInt64 = 0x4552_4148_5342_444C

  /// The offsets of the header's words.
  enum Field: Int {
    case magic = 0
    case layoutVersion = 8
    case device = 16
    case node = 24
    /// 1 if the newest commit was made without a sync: a durable commit then syncs before it builds on that.
    case unsynced = 32
    /// Counts sessions, so that each has a number that no other had.
    case lastSession = 40
    /// The session that is writing a commit to the file; 0 between commits.
    case committing = 48
    /// A session whose write or sync failed: no session writes until all have closed. 0 if there is none.
    case failed = 56
    /// The session that writes without the byte lock, since no other had joined when it began; 0 if there is none.
    case soleWriter = 88
    /// Wall clock minus monotonic clock when the table was initialized, in nanoseconds.
    case wallClockOffset = 80
    /// The number of reader slots ever used: where a scan ends.
    case readersUsed = 64
    /// The number of reader slots that fit into the file.
    case readerCapacity = 72
    /// The newest committed version. In a cache line of its own, because every snapshot reads it.
    case newest = 128
    /// A lower bound of the file's length on disk: behind it another process's truncation may have removed the pages.
    case fileEnd = 136
  }

  let base: UnsafeMutableRawPointer

  @inline(__always)
  subscript(field: Field) -> UInt64 {
    get { base.atomicLoad(field.rawValue) }
    nonmutating set { base.atomicStore(newValue, field.rawValue) }
  }

  /// Returns the address of a word of the header, for code that reads it often.
  func address(of field: Field) -> UnsafeMutableRawPointer { base + field.rawValue }

  // MARK: Sessions

  /// The words of a session: number, process id, start time of the process.
  private func session(_ index: Int) -> UnsafeMutableRawPointer {
    base + Self.headerSize + index * Self.sessionSize
  }

  /// Returns the number of the session in this slot; 0 if it is free. Only the session's lock tells whether it is
  /// alive.
  func sessionNumber(_ index: Int) -> UInt64 { session(index).atomicLoad(0) }

  func setSession(_ index: Int, number: UInt64, _ process: ProcessFacts?) {
    session(index).atomicStore(UInt64(process?.id ?? 0), 8)
    session(index).atomicStore(process?.began ?? 0, 16)
    session(index).atomicStore(number, 0)
  }

  func sessionProcess(_ index: Int) -> (id: Int32, began: UInt64) {
    (Int32(truncatingIfNeeded: session(index).atomicLoad(8)), session(index).atomicLoad(16))
  }

  /// Returns the slot of a session, which its number determines.
  static func index(of number: UInt64) -> Int { Int(number % UInt64(maxSessions)) }
  static func number(_ count: UInt64, at index: Int) -> UInt64 {
    count &* UInt64(maxSessions) &+ UInt64(index)
  }

  // MARK: Readers

  /// Set in a reader's version while it is loading its roots from the file, which must not be truncated then.
  static let isLoading: UInt64 = 1 << 63
  static let maxLabelLength = 40

  /// The words of a reader, by offset: 0 owner, 8 version, 16 start time, 24 thread and length of the label, 32 change
  /// count, 40 label.
  @inline(__always)
  func reader(_ index: Int) -> UnsafeMutableRawPointer {
    base + Self.readersStart + index * Self.readerSize
  }

  /// Returns the session that owns the slot; 0 if it is free.
  func owner(_ index: Int) -> UInt64 { reader(index).atomicLoad(0) }

  /// Claims a free slot for the session. Returns false if another session was faster.
  func claim(_ index: Int, for owner: UInt64) -> Bool { reader(index).atomicExchange(0, owner, 0) }

  func release(_ index: Int) {
    reader(index).atomicStore(0, 8)
    reader(index).atomicStore(0, 0)
  }

  /// Returns the version that the reader has registered, perhaps with `isLoading`; 0 for none.
  @inline(__always)
  func version(_ index: Int) -> UInt64 { reader(index).atomicLoad(8) }

  @inline(__always)
  func setVersion(_ index: Int, _ version: UInt64) { reader(index).atomicStore(version, 8) }

  /// Records the label, thread and start time of a reader. The change count is odd meanwhile, so that a concurrent
  /// `entry` retries (a seqlock).
  func setDetails(_ index: Int, label: String, began: UInt64) {
    let reader = reader(index)
    let changes = reader.atomicLoad(32)
    reader.atomicStore(changes | 1, 32)
    reader.atomicStore(began, 16)
    var label = label
    let count = label.withUTF8 { bytes in
      let count = Self.wholeCharacters(bytes, atMost: Self.maxLabelLength)
      if count > 0 { (reader + 40).copyMemory(from: bytes.baseAddress!, byteCount: count) }
      return count
    }
    let thread = UInt64(UInt32(bitPattern: SystemThread.currentID))
    reader.atomicStore(thread << 32 | UInt64(count), 24)
    reader.atomicStore((changes | 1) &+ 1, 32)
  }

  /// Returns the length of the longest prefix that splits no UTF-8 character.
  private static func wholeCharacters(_ bytes: UnsafeBufferPointer<UInt8>, atMost limit: Int) -> Int
  {
    guard bytes.count > limit else { return bytes.count }
    var count = limit
    while count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 }
    return count
  }

  func setWallClockOffset() {
    self[.wallClockOffset] = Clock.wallNanoseconds() &- Clock.monotonicNanoseconds()
  }

  /// Returns what a reader has recorded about itself; nil if none is registered, or if it reads another version than `wanted`.
  func entry(_ index: Int, of wanted: UInt64? = nil) -> ReaderEntry? {
    let reader = reader(index)
    while true {
      let changes = reader.atomicLoad(32)
      let owner = reader.atomicLoad(0)
      let version = reader.atomicLoad(8)
      guard owner != 0, version != 0, version & Self.isLoading == 0, wanted ?? version == version
      else { return nil }
      let began = reader.atomicLoad(16)
      let details = reader.atomicLoad(24)
      let count = min(Int(details & 0xFFFF_FFFF), Self.maxLabelLength)
      let label = String(
        decoding: UnsafeRawBufferPointer(start: reader + 40, count: count), as: UTF8.self)
      guard changes & 1 == 0, reader.atomicLoad(32) == changes, reader.atomicLoad(0) == owner
      else { continue }
      return ReaderEntry(
        owner: owner, version: version, thread: Int32(truncatingIfNeeded: details >> 32),
        began: began, label: label)
    }
  }
}

/// A registered reader.
struct ReaderEntry {
  /// The session's number.
  var owner: UInt64
  var version: UInt64
  var thread: Int32
  /// Nanoseconds on the machine's monotonic clock.
  var began: UInt64
  var label: String
}
