// A copy of the reader table of a database that other processes have open, read without a lock and without a session: it
// is to show their readers, and nothing is decided from it.
//
// It is read after the version that it is to be seen with. A reader of an older version that is in it held that version
// when the newer one was committed, so the pins of the copy are those of that version, without those that have ended
// since. Readers of later versions are left out.
import SystemIO

struct ReaderTableCopy {
  private var bytes: [UInt8]
  private var readersUsed: Int

  /// How often an entry is read until two copies are equal.
  private static let maxReads = 8

  /// Copies the table beside the database at `path`, a path without symbolic links. nil if there is none, or if it
  /// belongs to another file than `database`.
  init?(beside path: FilePath, of database: FileIdentity) {
    guard let file = try? FileReader(FileSession.path(beside: path)),
      let front = try? file.bytes(at: 0, count: ReaderTable.readersStart),
      front.count == ReaderTable.readersStart
    else { return nil }
    bytes = front
    func word(_ field: ReaderTable.Field) -> UInt64 {
      front.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: field.rawValue, as: UInt64.self) }
    }
    guard word(.magic) == ReaderTable.magic, word(.layoutVersion) == ReaderTable.layoutVersion,
      word(.device) == database.device, word(.node) == database.node
    else { return nil }
    readersUsed = Int(clamping: min(word(.readersUsed), UInt64(ReaderTable.maxReaders)))
    guard readersUsed > 0 else { return }
    var alive: [UInt64: Bool] = [:]
    for index in 0..<readersUsed {
      var entry = Self.entry(index, file)
      let owner = entry.word(0)
      if owner != 0, entry.word(8) != 0 {
        let isAlive = alive[owner] ?? isAlive(owner, file)
        alive[owner] = isAlive
        if !isAlive { entry.clear() }
      }
      bytes += entry.bytes
    }
  }

  /// Reads an entry until it does not change meanwhile. One that always does has no details.
  private static func entry(_ index: Int, _ file: FileReader) -> Entry {
    let offset = ReaderTable.readersStart + index * ReaderTable.readerSize
    var last = Entry()
    for _ in 0..<maxReads {
      guard let bytes = try? file.bytes(at: offset, count: ReaderTable.readerSize),
        bytes.count == ReaderTable.readerSize
      else { return Entry() }
      let next = Entry(bytes: bytes)
      if next.bytes == last.bytes, !next.isBeingWritten { return next }
      last = next
    }
    last.clear()
    return last
  }

  /// Returns whether the session still holds its lock; true if that cannot be found out.
  private func isAlive(_ owner: UInt64, _ file: FileReader) -> Bool {
    let index = ReaderTable.index(of: owner)
    let number = bytes.withUnsafeBytes {
      $0.loadUnaligned(
        fromByteOffset: ReaderTable.headerSize + index * ReaderTable.sessionSize, as: UInt64.self)
    }
    guard number == owner else { return false }
    return (try? file.isLocked(at: FileSession.LockOffset.sessions + index)) ?? true
  }

  /// Stores the copy into a table in private memory, without readers of versions after `newest` and without what a
  /// writer had under way.
  func store(into table: ReaderTable, upTo newest: UInt64) {
    bytes.withUnsafeBytes { table.base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    table[.readerCapacity] = UInt64(ReaderTable.maxReaders)
    table[.readersUsed] = UInt64(readersUsed)
    for field in [ReaderTable.Field.committing, .failed, .soleWriter, .unsynced] {
      table[field] = 0
    }
    for index in 0..<readersUsed where table.version(index) & ~ReaderTable.isLoading > newest {
      table.setVersion(index, 0)
    }
  }

  /// The bytes of a reader entry.
  private struct Entry {
    var bytes = [UInt8](repeating: 0, count: ReaderTable.readerSize)

    func word(_ offset: Int) -> UInt64 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }

    /// Whether its change count is odd.
    var isBeingWritten: Bool { word(32) & 1 != 0 }

    mutating func clear() { bytes = [UInt8](repeating: 0, count: ReaderTable.readerSize) }
  }
}
