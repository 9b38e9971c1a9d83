// An encrypted file as the rest of the engine sees it: a plain one. What is read lies decrypted in memory of this opening,
// unit by unit as it is touched, and leaves it again where that gets too much (`DecryptedUnits`); what is written waits
// there until the commit slot is, or a sync.
//
// A unit holds blocks of one version only (Allocation.wholePages), and that version is bound into its seal. So the
// version that a reference names says which state of the unit it means: a unit that lies decrypted here and was written
// anew since, by this process or another, is told by it and decrypted again.
import Encryption
import SystemIO

final class EncryptedFile: StorageFile, @unchecked Sendable {
  /// Units are handed on when so many wait.
  static let maxDirtyUnits = 256

  let inner: any StorageFile
  let header: EncryptionHeader
  private let cipher: UnitCipher
  private let plain: ReservedMemory
  private let units: DecryptedUnits
  /// Guards decrypting, and what waits.
  private let mutex = ThreadMutex()
  private var version: UInt64 = 0
  private var keepsDecrypted = true
  /// Units that were written and not handed on yet, some perhaps twice.
  private var dirtyUnits: [Int] = []
  private let scratch = UnsafeMutableRawPointer.allocate(
    byteCount: EncryptedFile.maxDirtyUnits * (EncryptedLayout.unit + UnitCipher.entrySize), alignment: 16)

  /// Errors: `keyLength`, `notEncrypted`, `keyWrong`, and those of a header that fails its checks.
  /// `maxDecryptedBytes` bytes may lie decrypted between visits.
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

  /// What is sealed by itself in the pages of the commit slots: the slots, and the clean marks.
  private static let sealedRanges =
    [Layout.slotOffsets.0, Layout.slotOffsets.1].flatMap {
      [($0, CommitSlot.size), ($0 + Layout.cleanMarkGap, CleanMark.size)]
    }

  /// A place in the front of the file, told apart from all units.
  private static func domain(_ offset: Int) -> UInt64 { UInt64(offset) | 1 << 63 }

  /// What is sealed there does not open where it was never written, or torn; it is then all zeros.
  private func loadHeaderPages() {
    for (offset, size) in Self.sealedRanges {
      let target = UnsafeMutableRawBufferPointer(start: plain.start + offset, count: size)
      if !readSealed(at: offset, into: target) {
        target.initializeMemory(as: UInt8.self, repeating: 0)
      }
    }
  }

  /// Opens a slot or a mark as it is in the file now; false where it does not open.
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
      "In the pages of the slots only slots and marks are written.")
    let count = UnitCipher.entrySize + bytes.count
    cipher.seal(
      bytes, place: Self.domain(offset), version: 0, into: scratch + UnitCipher.entrySize,
      entry: scratch)
    try inner.write(UnsafeRawBufferPointer(start: scratch, count: count), at: offset)
  }

  /// The header goes as it is, and with it whose keys the file has.
  private func writeHeader(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(SystemError) {
    guard offset == 0, FileHeader.hasMagic(bytes) else {
      return try inner.write(bytes, at: offset)
    }
    FileHeader.encode(into: plain.start, isEncrypted: true)
    header.encode(into: plain.start)
    try inner.write(
      UnsafeRawBufferPointer(start: plain.start, count: FileHeader.size + EncryptionHeader.size), at: 0)
  }

  // MARK: Units

  /// Bytes that lie decrypted in memory.
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

  /// Decrypts what is not decrypted yet of a block of `version`. The bytes lie within the file's logical length.
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
      // What the writer has in memory and not yet in the file belongs to no reader.
      let isInFile = try inner.size >= unitOffset + EncryptedLayout.unit
      isAuthentic =
        isInFile && !dirtyUnits.contains(unit)
        && cipher.open(
          UnsafeRawBufferPointer(start: base + unitOffset, count: EncryptedLayout.unit),
          entry: base + EncryptedLayout.entryOffset(of: unit), place: UInt64(unit), version: version,
          into: plain.start + EncryptedLayout.offset(of: unit))
    } catch {
      throw StorageError(system: error, "The encrypted file cannot be read")
    }
    guard isAuthentic else {
      throw StorageError(
        .corrupt,
        "Unit \(unit) of the encrypted file (\(EncryptedLayout.unit) bytes at offset \(unitOffset), its "
          + "entry at \(EncryptedLayout.entryOffset(of: unit))) is not what version \(version) wrote "
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
          // Nothing of what it held before goes into the file again.
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

  // MARK: Handing on

  /// Seals what waits and writes it; without `all`, not the unit that is being filled.
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

  /// Units side by side, whose entries lie in one page.
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
