// An encrypted file, presented to the rest of the engine as a plain one. Units are decrypted into this session's memory
// when they are first read, and evicted when there are too many (`DecryptedUnits`). Written units stay dirty in memory
// until the commit slot is written or the file is synced.
//
// A unit holds blocks of one version only (`EncryptedLayout.allocation`), and its seal authenticates that version. So the
// version in a reference determines which contents of the unit are meant: if this or another process has rewritten the
// unit since it was decrypted, the versions differ and the unit is decrypted again.
import Encryption
import SystemIO

final class EncryptedFile: StorageFile, @unchecked Sendable {
  let inner: any StorageFile
  let header: EncryptionHeader
  let layout: EncryptedLayout
  let cipher: UnitCipher
  let plain: ReservedMemory
  let units: DecryptedUnits
  /// Guards decryption and what follows.
  let mutex = ThreadMutex()
  var version: UInt64 = 0
  var keepsDecrypted = true
  /// Units that were written and not flushed yet.
  var dirtyUnits = DirtyUnits()
  /// A length that the file on disk has at least; 0 if none is known.
  var knownSize = 0
  /// An initializer that throws before it has set every property runs no `deinit`, but frees its buffers.
  private let scratchBuffer = RawBuffer(count: EncryptedFile.scratchSize)
  /// Sealed bytes on their way to the file, and opened ones that may not be used yet.
  var scratch: UnsafeMutableRawPointer { scratchBuffer.start }

  /// Errors: `keyLength`, `notEncrypted`, `keyWrong`, and those of a header that fails its checks. At most
  /// `maxDecryptedBytes` bytes stay decrypted between epochs. A new file gets `newLayout`.
  init(
    _ inner: any StorageFile, _ key: EncryptionKey, maxDecryptedBytes: Int,
    _ newLayout: EncryptedLayout
  ) throws(StorageError) {
    guard key.bytes.count == UnitCipher.keySize else {
      throw StorageError(
        .keyLength,
        "An encryption key has \(UnitCipher.keySize) bytes; this one has \(key.bytes.count).")
    }
    self.inner = inner
    let base: UnsafeRawPointer
    let size: Int
    do throws(SystemError) {
      base = try inner.base
      size = try inner.size
    } catch { throw Self.report(error) }
    let isNew = FileHeader.isUnfinished(base, size: size)
    let found = isNew ? nil : try Self.checkedHeader(base, size)
    layout = isNew ? newLayout : FileHeader.layout(base)
    do throws(SystemError) {
      units = try DecryptedUnits(
        layout, capacity: min(inner.capacity, 1 << 36), atLeast: max(size, 1 << 16),
        maxBytes: maxDecryptedBytes)
      plain = units.plain
    } catch { throw Self.report(error) }
    let identity = found?.identity ?? UnitCipher.newIdentity()
    cipher = UnitCipher(key: key.bytes, identity: identity)
    header = EncryptionHeader(identity: identity, keyCheck: cipher.keyCheck)
    guard found == nil || found?.keyCheck == cipher.keyCheck else {
      throw StorageError(.keyWrong, "The file is encrypted with another key.")
    }
    plain.start.copyMemory(from: base, byteCount: min(size, Layout.pageSize))
    loadHeaderPages()
    units.chooseLargePages(forFileOf: layout.logical(size))
  }

  private static func report(_ error: SystemError) -> StorageError {
    StorageError(system: error, "The encrypted file cannot be opened")
  }

  private static func checkedHeader(
    _ base: UnsafeRawPointer, _ size: Int
  ) throws(StorageError) -> EncryptionHeader {
    try FileHeader.check(base, size: size)
    guard FileHeader.isEncrypted(base) else {
      throw StorageError(
        .notEncrypted, "A key was given, and the file is not encrypted; open it without one.")
    }
    return try EncryptionHeader(base)
  }

  // MARK: Commit slots

  /// The ranges that are sealed separately in the pages of the commit slots: the slots and the clean marks.
  private static let sealedRanges =
    [Layout.slotOffsets.0, Layout.slotOffsets.1].flatMap {
      [($0, Layout.slotSize), ($0 + Layout.cleanMarkGap, Layout.cleanMarkSize)]
    }

  /// The value that a separately sealed range is bound to; distinct from all unit numbers.
  private static func domain(_ offset: Int) -> UInt64 { UInt64(offset) | 1 << 63 }

  /// Decrypts the slots and clean marks. One that was never written, or is torn, fails authentication and reads as
  /// zeros.
  private func loadHeaderPages() {
    for (offset, size) in Self.sealedRanges {
      let target = UnsafeMutableRawBufferPointer(start: plain.start + offset, count: size)
      if !readSealed(at: offset, into: target) {
        target.initializeMemory(as: UInt8.self, repeating: 0)
      }
    }
  }

  /// Decrypts a slot or clean mark from the file. Returns false if it fails authentication.
  func readSealed(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    mutex.lock()
    defer { mutex.unlock() }
    guard let base = try? inner.base, let size = try? inner.size, size >= Layout.blocksStart else {
      return false
    }
    let entry = base + offset
    return cipher.open(
      UnsafeRawBufferPointer(start: entry + UnitCipher.entrySize, count: bytes.count),
      entry: entry, place: Self.domain(offset), version: 0, into: bytes.baseAddress!)
  }

  private func writeHeaderPage(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(SystemError) {
    mutex.lock()
    defer { mutex.unlock() }
    try flush(all: true)
    (plain.start + offset).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    guard offset >= Layout.pageSize else { return try writeHeader(bytes, at: offset) }
    precondition(
      Self.sealedRanges.contains { $0 == (offset, bytes.count) },
      "In the pages of the slots only slots and clean marks are written.")
    let count = UnitCipher.entrySize + bytes.count
    cipher.seal(
      bytes, place: Self.domain(offset), version: 0, into: scratch + UnitCipher.entrySize,
      entry: scratch)
    try inner.write(UnsafeRawBufferPointer(start: scratch, count: count), at: offset)
  }

  /// The file header is not encrypted; the encryption header follows it.
  private func writeHeader(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(SystemError) {
    guard offset == 0, FileHeader.hasMagic(bytes) else {
      return try inner.write(bytes, at: offset)
    }
    FileHeader.encode(into: plain.start, layout)
    header.encode(into: plain.start)
    try inner.write(
      UnsafeRawBufferPointer(start: plain.start, count: FileHeader.size + EncryptionHeader.size),
      at: 0)
  }

  // MARK: StorageFile

  var size: Int {
    get throws(SystemError) { layout.logical(try inner.size) }
  }

  var base: UnsafeRawPointer { UnsafeRawPointer(plain.start) }
  /// What the placement leaves free at the end of a unit that a load fills. A unit belongs to one commit.
  var maxBridgedGap: Int { layout.allocation.maxSkippedBytes }
  var bytesWritten: Int { inner.bytesWritten }
  var syncCount: Int { inner.syncCount }
  var capacity: Int { min(plain.capacity, layout.logical(inner.capacity)) }
  func limitCapacity(to bytes: Int) { inner.limitCapacity(to: bytes) }
  func expectFewSyncs() { inner.expectFewSyncs() }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    guard !bytes.isEmpty else { return }
    guard offset >= Layout.blocksStart else { return try writeHeaderPage(bytes, at: offset) }
    try withUnsafePointer(to: bytes) { (piece) throws(SystemError) in
      try writeUnits(UnsafeBufferPointer(start: piece, count: 1), bytes.count, at: offset)
    }
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    precondition(offset >= Layout.blocksStart, "Slots and headers are written in one piece.")
    let count = pieces.reduce(0) { $0 + $1.count }
    try pieces.withUnsafeBufferPointer { (pieces) throws(SystemError) in
      try writeUnits(pieces, count, at: offset)
    }
  }

  func resize(to size: Int) throws(SystemError) {
    let old = try self.size
    mutex.withLock { knownSize = 0 }
    try inner.resize(to: layout.physical(size))
    guard size < old else {
      return mutex.withLock { units.chooseLargePages(forFileOf: size) }
    }
    mutex.withLock {
      // A reader may have asked for it meanwhile.
      knownSize = 0
      let first = size > Layout.blocksStart ? layout.unit(of: size - 1) + 1 : 0
      let end = layout.unit(of: max(old, Layout.blocksStart + 1) - 1) + 1
      dirtyUnits.removeAll(from: first)
      units.discard(first..<max(first, end))
      if size < Layout.blocksStart { plain.clear(size..<Layout.blocksStart) }
    }
  }

  func sync() throws(SystemError) {
    do {
      mutex.lock()
      defer { mutex.unlock() }
      try flush(all: true)
    }
    try inner.sync()
  }

  func inheritAccess(of original: FilePath, as role: AccessRole) throws(SystemError) {
    try inner.inheritAccess(of: original, as: role)
  }
}
