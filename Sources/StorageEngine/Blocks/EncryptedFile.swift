// An encrypted file, presented to the rest of the engine as a plain one. Units are decrypted into this session's memory
// when they are first read, and evicted when there are too many (`DecryptedUnits`). Written units stay dirty in memory
// until the commit slot is written or the file is synced.
//
// A unit holds blocks of one version only (`Allocation.wholePages`), and its seal authenticates that version. So the
// version in a reference determines which contents of the unit are meant: if this or another process has rewritten the
// unit since it was decrypted, the versions differ and the unit is decrypted again.
import Encryption
import SystemIO

final class EncryptedFile: StorageFile, @unchecked Sendable {
  /// Dirty units are flushed when there are this many.
  static let maxDirtyUnits = 256

  let inner: any StorageFile
  let header: EncryptionHeader
  private let cipher: UnitCipher
  private let plain: ReservedMemory
  private let units: DecryptedUnits
  /// Guards decryption and the dirty units.
  private let mutex = ThreadMutex()
  private var version: UInt64 = 0
  private var keepsDecrypted = true
  /// Units that were written and not flushed yet; one may appear twice.
  private var dirtyUnits: [Int] = []
  private let scratch = UnsafeMutableRawPointer.allocate(
    byteCount: EncryptedFile.maxDirtyUnits * (EncryptedLayout.unit + UnitCipher.entrySize),
    alignment: 16)

  /// Errors: `keyLength`, `notEncrypted`, `keyWrong`, and those of a header that fails its checks. At most
  /// `maxDecryptedBytes` bytes stay decrypted between epochs.
  init(
    _ inner: any StorageFile, _ key: EncryptionKey, maxDecryptedBytes: Int
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
      units = try DecryptedUnits(
        capacity: min(inner.capacity, 1 << 36), atLeast: max(size, 1 << 16),
        maxBytes: maxDecryptedBytes)
      plain = units.plain
    } catch {
      throw StorageError(system: error, "The encrypted file cannot be opened")
    }
    let isNew = FileHeader.isUnfinished(base, size: size)
    let found = isNew ? nil : try Self.checkedHeader(base, size)
    let identity = found?.identity ?? UnitCipher.newIdentity()
    cipher = UnitCipher(key: key.bytes, identity: identity)
    header = EncryptionHeader(identity: identity, keyCheck: cipher.keyCheck)
    guard found == nil || found?.keyCheck == cipher.keyCheck else {
      throw StorageError(.keyWrong, "The file is encrypted with another key.")
    }
    plain.start.copyMemory(from: base, byteCount: min(size, Layout.pageSize))
    loadHeaderPages()
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

  deinit { scratch.deallocate() }

  // MARK: Commit slots

  /// The ranges that are sealed separately in the pages of the commit slots: the slots and the clean marks.
  private static let sealedRanges =
    [Layout.slotOffsets.0, Layout.slotOffsets.1].flatMap {
      [($0, CommitSlot.size), ($0 + Layout.cleanMarkGap, CleanMark.size)]
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
    FileHeader.encode(into: plain.start, isEncrypted: true)
    header.encode(into: plain.start)
    try inner.write(
      UnsafeRawBufferPointer(start: plain.start, count: FileHeader.size + EncryptionHeader.size),
      at: 0)
  }

  // MARK: Units

  /// The number of decrypted bytes in memory.
  var decryptedBytes: Int { mutex.withLock { units.count * EncryptedLayout.unit } }

  func enterEpoch() -> Int { units.enterEpoch() }

  func leaveEpoch(_ epoch: Int) {
    guard units.leaveEpoch(epoch) else { return }
    mutex.withLock {
      let dirty = Set(dirtyUnits)
      let end = (try? size).map { max(0, $0 - Layout.blocksStart) / EncryptedLayout.unit } ?? 0
      units.evict(end) { dirty.contains($0) }
    }
  }

  /// Decrypts those units of a block that are not decrypted yet. The bytes lie within the file's logical length.
  @inline(__always)
  func decrypt(_ offset: Int, _ size: Int, _ version: UInt64) throws(StorageError) {
    let last = EncryptedLayout.unit(of: offset &+ max(size, 1) &- 1)
    for unit in EncryptedLayout.unit(of: offset)...last
    where units.version(of: unit) != version {
      try decryptUnit(unit, version)
    }
  }

  @inline(never)
  private func decryptUnit(_ unit: Int, _ version: UInt64) throws(StorageError) {
    mutex.lock()
    defer { mutex.unlock() }
    guard units.version(of: unit) != version, !units.cancelEviction(unit, version) else { return }
    let unitOffset = EncryptedLayout.fileOffset(of: unit)
    let isAuthentic: Bool
    do throws(SystemError) {
      let base = try inner.base
      // Dirty units belong to no committed version, so no reader may see them.
      let isInFile = try inner.size >= unitOffset + EncryptedLayout.unit
      isAuthentic =
        isInFile && !dirtyUnits.contains(unit)
        && cipher.open(
          UnsafeRawBufferPointer(start: base + unitOffset, count: EncryptedLayout.unit),
          entry: base + EncryptedLayout.entryOffset(of: unit), place: UInt64(unit),
          version: version,
          into: plain.start + EncryptedLayout.offset(of: unit))
    } catch {
      throw StorageError(system: error, "The encrypted file cannot be read")
    }
    guard isAuthentic else {
      throw StorageError(
        .corrupt,
        "Unit \(unit) of the encrypted file (\(EncryptedLayout.unit) bytes at offset \(unitOffset), its "
          + "entry at \(EncryptedLayout.entryOffset(of: unit))) does not have the contents that version \(version) wrote "
          + "there.")
    }
    units.set(unit, version)
  }

  // MARK: StorageFile

  func beginVersion(_ version: UInt64, keepingDecrypted: Bool) {
    mutex.withLock {
      self.version = version
      keepsDecrypted = keepingDecrypted
    }
  }

  var size: Int {
    get throws(SystemError) { EncryptedLayout.logical(try inner.size) }
  }

  var base: UnsafeRawPointer { UnsafeRawPointer(plain.start) }
  var bytesWritten: Int { inner.bytesWritten }
  var syncCount: Int { inner.syncCount }
  var capacity: Int { min(plain.capacity, EncryptedLayout.logical(inner.capacity)) }
  func limitCapacity(to bytes: Int) { inner.limitCapacity(to: bytes) }
  func expectFewSyncs() { inner.expectFewSyncs() }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    guard !bytes.isEmpty else { return }
    guard offset >= Layout.blocksStart else { return try writeHeaderPage(bytes, at: offset) }
    let written =
      EncryptedLayout.unit(of: offset)...EncryptedLayout.unit(of: offset + bytes.count - 1)
    let mustFlush = mutex.withLock {
      for unit in written where dirtyUnits.last != unit {
        if units.version(of: unit) != version, !units.cancelEviction(unit, version) {
          // The previous contents must not get into the file again.
          let start = plain.start + EncryptedLayout.offset(of: unit)
          start.initializeMemory(as: UInt8.self, repeating: 0, count: EncryptedLayout.unit)
          units.set(unit, version)
        }
        dirtyUnits.append(unit)
      }
      (plain.start + offset).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
      return dirtyUnits.count >= Self.maxDirtyUnits
    }
    if mustFlush { try flush(all: false) }
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    var next = offset
    for piece in pieces {
      try write(piece, at: next)
      next += piece.count
    }
  }

  func resize(to size: Int) throws(SystemError) {
    let old = try self.size
    try inner.resize(to: EncryptedLayout.physical(size))
    guard size < old else { return }
    mutex.withLock {
      let first = size > Layout.blocksStart ? EncryptedLayout.unit(of: size - 1) + 1 : 0
      let end = EncryptedLayout.unit(of: max(old, Layout.blocksStart + 1) - 1) + 1
      dirtyUnits.removeAll { $0 >= first }
      units.discard(first..<max(first, end))
      if size < Layout.blocksStart { plain.clear(size..<Layout.blocksStart) }
    }
  }

  func sync() throws(SystemError) {
    try flush(all: true)
    try inner.sync()
  }

  func inheritAccess(of original: FilePath, as role: AccessRole) throws(SystemError) {
    try inner.inheritAccess(of: original, as: role)
  }

  func discardVersions(newerThan version: UInt64) {
    let end = (try? size).map { max(0, $0 - Layout.blocksStart) / EncryptedLayout.unit } ?? 0
    mutex.withLock {
      dirtyUnits = []
      for unit in 0..<end where units.version(of: unit) > version {
        units.discard(unit..<unit + 1)
      }
    }
  }

  // MARK: Flushing

  /// Seals the dirty units and writes them; without `all`, except the one that is still being filled.
  private func flush(all: Bool) throws(SystemError) {
    mutex.lock()
    defer { mutex.unlock() }
    guard let newest = dirtyUnits.last else { return }
    let written = Set(dirtyUnits).subtracting(all ? [] : [newest]).sorted()
    var from = 0
    while from < written.count {
      var to = from + 1
      while to < written.count, written[to] == written[to - 1] + 1, to - from < Self.maxDirtyUnits,
        written[to] % EncryptedLayout.unitsPerGroup != 0
      {
        to += 1
      }
      try flush(written[from]..<written[to - 1] + 1)
      from = to
    }
    dirtyUnits = all ? [] : [newest]
  }

  /// Seals and writes adjacent units whose entries share one page.
  private func flush(_ written: Range<Int>) throws(SystemError) {
    let entries = scratch + Self.maxDirtyUnits * EncryptedLayout.unit
    for (index, unit) in written.enumerated() {
      cipher.seal(
        UnsafeRawBufferPointer(
          start: plain.start + EncryptedLayout.offset(of: unit), count: EncryptedLayout.unit),
        place: UInt64(unit), version: version, into: scratch + index * EncryptedLayout.unit,
        entry: entries + index * UnitCipher.entrySize)
    }
    let first = written.lowerBound
    try inner.write(
      UnsafeRawBufferPointer(start: scratch, count: written.count * EncryptedLayout.unit),
      at: EncryptedLayout.fileOffset(of: first))
    try inner.write(
      UnsafeRawBufferPointer(start: entries, count: written.count * UnitCipher.entrySize),
      at: EncryptedLayout.entryOffset(of: first))
    if !keepsDecrypted { units.discard(written) }
  }
}
