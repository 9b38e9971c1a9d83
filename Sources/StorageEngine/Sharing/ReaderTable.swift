// The memory that all openings of one database share: who has it open, and which versions are being read. As it lies in
// the lock file, and the same in private memory where a database is not shared. Docs/Processes.md draws it.
import SystemIO

/// Typed access to the table; every word that another process may change is read and written atomically.
struct ReaderTable {
  static let headerSize = 4096
  static let sessionSize = 64
  static let maxSessions = 256
  static let readersStart = headerSize + maxSessions * sessionSize
  /// Two cache lines: registering one reader does not slow the next one down.
  static let readerSize = 128
  static let maxReaders = (ReaderTable.maxSize - readersStart) / readerSize
  /// What a new table takes on disk.
  static let initialSize = 1 << 16
  static let maxSize = 1 << 23
  static let layoutVersion: UInt64 = 2
  /// `LDBSHARE`, as bytes in the file.
  static let magic: UInt64 = 0x4552_4148_5342_444C

  /// The word offsets of the header.
  enum Field: Int {
    case magic = 0
    case layoutVersion = 8
    case device = 16
    case node = 24
    /// 1 where the newest commit was made without a sync: a durable one syncs before it builds on that.
    case unsynced = 32
    /// Counts sessions, so that each has a number that no other had.
    case lastSession = 40
    /// The session that is writing a commit to the file; 0 between commits.
    case committing = 48
    /// A session whose write or sync failed: nobody writes any more until all have closed. 0 while there is none.
    case failed = 56
    /// How much the calendar was ahead of the monotonic clock when the table was made, in nanoseconds.
    case wallClockOffset = 80
    /// The readers that have ever been used: the scan of a commit ends there.
    case readersUsed = 64
    /// The readers that the file has room for.
    case readerCapacity = 72
    /// The newest version that is committed. In a cache line of its own: every snapshot looks at it.
    case newest = 128
    /// How far the file reaches on disk, at least: behind it another process's cut may have left no page.
    case fileEnd = 136
  }

  let base: UnsafeMutableRawPointer

  @inline(__always)
  subscript(field: Field) -> UInt64 {
    get { base.atomicLoad(field.rawValue) }
    nonmutating set { base.atomicStore(newValue, field.rawValue) }
  }

  /// Where a word of the header is, for who looks at it often.
  func address(of field: Field) -> UnsafeMutableRawPointer { base + field.rawValue }

  // MARK: Sessions

  /// Where a session's words are: number, process id, when the process began.
  private func session(_ index: Int) -> UnsafeMutableRawPointer {
    base + Self.headerSize + index * Self.sessionSize
  }

  /// Who has the place: 0 where nobody does. Whether it still lives, only its lock tells.
  func sessionNumber(_ index: Int) -> UInt64 { session(index).atomicLoad(0) }

  func setSession(_ index: Int, number: UInt64, _ process: ProcessFacts?) {
    session(index).atomicStore(UInt64(process?.id ?? 0), 8)
    session(index).atomicStore(process?.began ?? 0, 16)
    session(index).atomicStore(number, 0)
  }

  func sessionProcess(_ index: Int) -> (id: Int32, began: UInt64) {
    (Int32(truncatingIfNeeded: session(index).atomicLoad(8)), session(index).atomicLoad(16))
  }

  /// A session's number tells its place.
  static func index(of number: UInt64) -> Int { Int(number % UInt64(maxSessions)) }
  static func number(_ count: UInt64, at index: Int) -> UInt64 {
    count &* UInt64(maxSessions) &+ UInt64(index)
  }

  // MARK: Readers

  /// Set in a reader's version while it still looks for its roots in the file: then the file must not be cut.
  static let isLoading: UInt64 = 1 << 63
  static let maxLabelLength = 40

  /// A reader's words: 0 owner, 8 version, 16 began, 24 thread and label's length, 32 changes, 40 label.
  @inline(__always)
  func reader(_ index: Int) -> UnsafeMutableRawPointer {
    base + Self.readersStart + index * Self.readerSize
  }

  /// The session that has the place; 0 where it is free.
  func owner(_ index: Int) -> UInt64 { reader(index).atomicLoad(0) }

  /// Takes a free place for the session.
  func claim(_ index: Int, for owner: UInt64) -> Bool { reader(index).atomicExchange(0, owner, 0) }

  func release(_ index: Int) {
    reader(index).atomicStore(0, 8)
    reader(index).atomicStore(0, 0)
  }

  /// What is read there, perhaps with `isLoading`; 0 for nothing.
  @inline(__always)
  func version(_ index: Int) -> UInt64 { reader(index).atomicLoad(8) }

  @inline(__always)
  func setVersion(_ index: Int, _ version: UInt64) { reader(index).atomicStore(version, 8) }

  /// Notes who reads. Whoever looks at it meanwhile sees an odd count of changes, and looks again.
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

  /// The longest beginning that cuts no character of UTF-8.
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

  /// What a reader says of itself; nil where nobody reads there yet.
  func entry(_ index: Int) -> ReaderEntry? {
    let reader = reader(index)
    while true {
      let changes = reader.atomicLoad(32)
      let owner = reader.atomicLoad(0)
      let version = reader.atomicLoad(8)
      guard owner != 0, version != 0, version & Self.isLoading == 0 else { return nil }
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

/// A reader of the table.
struct ReaderEntry {
  /// The session's number.
  var owner: UInt64
  var version: UInt64
  var thread: Int32
  /// Nanoseconds on the machine's monotonic clock.
  var began: UInt64
  var label: String
}
