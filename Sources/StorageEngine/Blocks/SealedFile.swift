// An encrypted file as the rest of the engine sees it: a plain one. What is read lies decrypted in memory of this opening,
// unit by unit as it is touched, and leaves it again where that gets too much (`DecryptedUnits`); what is written waits
// there until the commit slot is, or a sync.
//
// A unit holds blocks of one version only (Allocation.wholePages), and that version is bound into its seal. So the
// version that a reference names says which state of the unit it means: a unit that lies decrypted here and was written
// anew since, by this process or another, is told by it and decrypted again.
import Encryption
import SystemIO

final class SealedFile: StorageFile, @unchecked Sendable {
  /// Units are handed on when so many wait.
  static let mostWaiting = 256

  let inner: any StorageFile
  let header: SealedHeader
  private let cipher: UnitCipher
  private let plain: ReservedMemory
  private let units: DecryptedUnits
  /// Guards decrypting, and what waits.
  private let mutex = ThreadMutex()
  private var version: UInt64 = 0
  private var keepsPlain = true
  /// Units that were written and not handed on yet, some perhaps twice.
  private var waiting: [Int] = []
  private let scratch = UnsafeMutableRawPointer.allocate(
    byteCount: SealedFile.mostWaiting * (SealedLayout.unit + UnitCipher.entrySize), alignment: 16)

  /// Errors: `keyLength`, `notEncrypted`, `keyWrong`, and those of a header that fails its checks.
  /// `mostDecrypted` bytes may lie decrypted between visits.
  init(
    _ inner: any StorageFile, _ key: EncryptionKey, mostDecrypted: Int
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
        mostBytes: mostDecrypted)
      plain = units.plain
    } catch {
      throw StorageError(system: error, "The encrypted file cannot be opened")
    }
    let isNew = FileHeader.isUnfinished(base, size: size)
    let found = isNew ? nil : try Self.checkedHeader(base, size)
    let identity = found?.identity ?? UnitCipher.newIdentity()
    cipher = UnitCipher(key: key.bytes, identity: identity)
    header = SealedHeader(identity: identity, keyCheck: cipher.keyCheck)
    guard found == nil || found?.keyCheck == cipher.keyCheck else {
      throw StorageError(.keyWrong, "The file is encrypted with another key.")
    }
    plain.start.copyMemory(from: base, byteCount: min(size, Layout.pageSize))
    loadFront()
  }

  private static func checkedHeader(
    _ base: UnsafeRawPointer, _ size: Int
  ) throws(StorageError) -> SealedHeader {
    try FileHeader.check(base, size: size)
    guard FileHeader.isSealed(base) else {
      throw StorageError(
        .notEncrypted, "A key was given, and the file is not encrypted; open it without one.")
    }
    return try SealedHeader(base)
  }

  deinit { scratch.deallocate() }

  // MARK: Commit slots

  /// What is sealed by itself in the pages of the commit slots: the slots, and the clean marks.
  private static let pieces =
    [Layout.slotOffsets.0, Layout.slotOffsets.1].flatMap {
      [($0, CommitSlot.size), ($0 + Layout.cleanMarkGap, CleanMark.size)]
    }

  /// A place in the front of the file, told apart from all units.
  private static func place(_ offset: Int) -> UInt64 { UInt64(offset) | 1 << 63 }

  /// What is sealed there does not open where it was never written, or torn; it is then all zeros.
  private func loadFront() {
    for (offset, size) in Self.pieces {
      let target = UnsafeMutableRawBufferPointer(start: plain.start + offset, count: size)
      if !openFront(at: offset, into: target) {
        target.initializeMemory(as: UInt8.self, repeating: 0)
      }
    }
  }

  /// Opens a slot or a mark as it is in the file now; false where it does not open.
  func openFront(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    mutex.lock()
    defer { mutex.unlock() }
    guard let base = try? inner.base, let size = try? inner.size, size >= Layout.blocksStart else {
      return false
    }
    let entry = base + offset
    return cipher.open(
      UnsafeRawBufferPointer(start: entry + UnitCipher.entrySize, count: bytes.count),
      entry: entry, place: Self.place(offset), version: 0, into: bytes.baseAddress!)
  }

  private func writeFront(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(SystemError) {
    try handOn(all: true)
    (plain.start + offset).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    guard offset >= Layout.pageSize else { return try writeHeader(bytes, at: offset) }
    precondition(
      Self.pieces.contains { $0 == (offset, bytes.count) },
      "In the pages of the slots only slots and marks are written.")
    let count = UnitCipher.entrySize + bytes.count
    cipher.seal(
      bytes, place: Self.place(offset), version: 0, into: scratch + UnitCipher.entrySize,
      entry: scratch)
    try inner.write(UnsafeRawBufferPointer(start: scratch, count: count), at: offset)
  }

  /// The header goes as it is, and with it whose keys the file has.
  private func writeHeader(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(SystemError) {
    guard offset == 0, FileHeader.isMarked(bytes) else {
      return try inner.write(bytes, at: offset)
    }
    FileHeader.encode(into: plain.start, isSealed: true)
    header.encode(into: plain.start)
    try inner.write(
      UnsafeRawBufferPointer(start: plain.start, count: FileHeader.size + SealedHeader.size), at: 0)
  }

  // MARK: Units

  /// Bytes that lie decrypted in memory.
  var decryptedBytes: Int { mutex.withLock { units.count * SealedLayout.unit } }

  func enter() -> Int { units.enter() }

  func leave(_ visit: Int) {
    guard units.leave(visit) else { return }
    mutex.withLock {
      let kept = Set(waiting)
      let end = (try? size).map { max(0, $0 - Layout.blocksStart) / SealedLayout.unit } ?? 0
      units.tidy(end) { kept.contains($0) }
    }
  }

  /// Decrypts what is not decrypted yet of a block of `version`. The bytes lie within the file's logical length.
  @inline(__always)
  func touch(_ offset: Int, _ size: Int, _ version: UInt64) throws(StorageError) {
    let last = SealedLayout.unit(of: offset &+ max(size, 1) &- 1)
    for unit in SealedLayout.unit(of: offset)...last
    where units.version(of: unit) != version {
      try open(unit, version)
    }
  }

  @inline(never)
  private func open(_ unit: Int, _ version: UInt64) throws(StorageError) {
    mutex.lock()
    defer { mutex.unlock() }
    guard units.version(of: unit) != version, !units.takeBack(unit, version) else { return }
    let place = SealedLayout.place(of: unit)
    let isOpened: Bool
    do throws(SystemError) {
      let base = try inner.base
      // What the writer has in memory and not yet in the file belongs to no reader.
      let isThere = try inner.size >= place + SealedLayout.unit
      isOpened =
        isThere && !waiting.contains(unit)
        && cipher.open(
          UnsafeRawBufferPointer(start: base + place, count: SealedLayout.unit),
          entry: base + SealedLayout.entryPlace(of: unit), place: UInt64(unit), version: version,
          into: plain.start + SealedLayout.offset(of: unit))
    } catch {
      throw StorageError(system: error, "The encrypted file cannot be read")
    }
    guard isOpened else {
      throw StorageError(
        .corrupt,
        "Unit \(unit) of the encrypted file (\(SealedLayout.unit) bytes at offset \(place), its "
          + "entry at \(SealedLayout.entryPlace(of: unit))) is not what version \(version) wrote "
          + "there.")
    }
    units.set(unit, version)
  }

  // MARK: StorageFile

  func begin(_ version: UInt64, keeping: Bool) {
    mutex.withLock {
      self.version = version
      keepsPlain = keeping
    }
  }

  var size: Int {
    get throws(SystemError) { SealedLayout.logical(try inner.size) }
  }

  var base: UnsafeRawPointer { UnsafeRawPointer(plain.start) }
  var bytesWritten: Int { inner.bytesWritten }
  var syncCount: Int { inner.syncCount }
  var capacity: Int { min(plain.capacity, SealedLayout.logical(inner.capacity)) }
  func limitCapacity(to bytes: Int) { inner.limitCapacity(to: bytes) }
  func expectFewSyncs() { inner.expectFewSyncs() }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    guard !bytes.isEmpty else { return }
    guard offset >= Layout.blocksStart else { return try writeFront(bytes, at: offset) }
    let touched =
      SealedLayout.unit(of: offset)...SealedLayout.unit(of: offset + bytes.count - 1)
    let isFull = mutex.withLock {
      for unit in touched where waiting.last != unit {
        if units.version(of: unit) != version, !units.takeBack(unit, version) {
          // Nothing of what it held before goes into the file again.
          let start = plain.start + SealedLayout.offset(of: unit)
          start.initializeMemory(as: UInt8.self, repeating: 0, count: SealedLayout.unit)
          units.set(unit, version)
        }
        waiting.append(unit)
      }
      (plain.start + offset).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
      return waiting.count >= Self.mostWaiting
    }
    if isFull { try handOn(all: false) }
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    var place = offset
    for piece in pieces {
      try write(piece, at: place)
      place += piece.count
    }
  }

  func resize(to size: Int) throws(SystemError) {
    let old = try self.size
    try inner.resize(to: SealedLayout.physical(size))
    guard size < old else { return }
    mutex.withLock {
      let first = size > Layout.blocksStart ? SealedLayout.unit(of: size - 1) + 1 : 0
      let end = SealedLayout.unit(of: max(old, Layout.blocksStart + 1) - 1) + 1
      waiting.removeAll { $0 >= first }
      units.forget(first..<max(first, end))
      if size < Layout.blocksStart { plain.clear(size..<Layout.blocksStart) }
    }
  }

  func sync() throws(SystemError) {
    try handOn(all: true)
    try inner.sync()
  }

  func inheritAccess(of original: FilePath, as role: AccessRole) throws(SystemError) {
    try inner.inheritAccess(of: original, as: role)
  }

  func forgetVersions(newerThan version: UInt64) {
    let end = (try? size).map { max(0, $0 - Layout.blocksStart) / SealedLayout.unit } ?? 0
    mutex.withLock {
      waiting = []
      for unit in 0..<end where units.version(of: unit) > version {
        units.forget(unit..<unit + 1)
      }
    }
  }

  // MARK: Handing on

  /// Seals what waits and writes it; without `all`, not the unit that is being filled.
  private func handOn(all: Bool) throws(SystemError) {
    mutex.lock()
    defer { mutex.unlock() }
    guard let newest = waiting.last else { return }
    let written = Set(waiting).subtracting(all ? [] : [newest]).sorted()
    var from = 0
    while from < written.count {
      var to = from + 1
      while to < written.count, written[to] == written[to - 1] + 1, to - from < Self.mostWaiting,
        written[to] % SealedLayout.unitsInGroup != 0
      {
        to += 1
      }
      try handOn(written[from]..<written[to - 1] + 1)
      from = to
    }
    waiting = all ? [] : [newest]
  }

  /// Units side by side, whose entries lie in one page.
  private func handOn(_ written: Range<Int>) throws(SystemError) {
    let entries = scratch + Self.mostWaiting * SealedLayout.unit
    for (index, unit) in written.enumerated() {
      cipher.seal(
        UnsafeRawBufferPointer(
          start: plain.start + SealedLayout.offset(of: unit), count: SealedLayout.unit),
        place: UInt64(unit), version: version, into: scratch + index * SealedLayout.unit,
        entry: entries + index * UnitCipher.entrySize)
    }
    let first = written.lowerBound
    try inner.write(
      UnsafeRawBufferPointer(start: scratch, count: written.count * SealedLayout.unit),
      at: SealedLayout.place(of: first))
    try inner.write(
      UnsafeRawBufferPointer(start: entries, count: written.count * UnitCipher.entrySize),
      at: SealedLayout.entryPlace(of: first))
    if !keepsPlain { units.forget(written) }
  }
}
