// The units of an encrypted file: decrypted when they are first read, sealed when the version that writes them is flushed.
import Encryption
import SystemIO

extension EncryptedFile {
  /// The maximum number of units to seal and write at once: few enough that they are still in the processor's cache when
  /// the system copies them.
  private static let maxSealedUnits = 64
  /// The maximum number of bytes that are copied before their units are sealed, for the same reason.
  private static let maxCopiedBytes = 1 << 17
  /// Longer writes are sealed from where they are and not kept decrypted: they are loads and copies, of which most is not
  /// read soon, and taking memory for them would cost more than sealing them.
  private static let minBulkBytes = 1 << 19
  private static let maxUnit = max(
    EncryptedLayout.adjacentEntries.unit, EncryptedLayout.pagesOfEntries.unit)
  private static let sealedSize = maxSealedUnits * (maxUnit + UnitCipher.entrySize)
  /// Sealed units, and behind them those that are about to be sealed.
  static let scratchSize = sealedSize + maxSealedUnits * maxUnit

  /// The bytes of memory with decrypted units.
  var decryptedBytes: Int { mutex.withLock { units.bytes } }

  /// The number of units that lie in the file as a whole.
  private var unitCount: Int {
    (try? size).map { max(0, $0 - Layout.blocksStart) / layout.unit } ?? 0
  }

  // MARK: Reading

  func enterEpoch() -> Int { units.enterEpoch() }

  func leaveEpoch(_ epoch: Int) {
    guard units.leaveEpoch(epoch) else { return }
    mutex.withLock { units.evict(unitCount) { dirtyUnits.contains($0) } }
  }

  /// Decrypts those units of a block that are not decrypted yet. The bytes lie within the file's logical length.
  @inline(__always)
  func decrypt(_ offset: Int, _ size: Int, _ version: UInt64) throws(StorageError) {
    let last = layout.unit(of: offset &+ max(size, 1) &- 1)
    var unit = layout.unit(of: offset)
    while unit <= last {
      if units.version(of: unit) != version { return try decrypt(unit...last, version) }
      unit &+= 1
    }
  }

  @inline(never)
  private func decrypt(_ missing: ClosedRange<Int>, _ version: UInt64) throws(StorageError) {
    mutex.lock()
    defer { mutex.unlock() }
    for unit in missing
    where units.version(of: unit) != version && !units.cancelEviction(unit, version) {
      let isAuthentic: Bool
      do throws(SystemError) { isAuthentic = try open(unit, version) } catch {
        throw StorageError(system: error, "The encrypted file cannot be read")
      }
      guard isAuthentic else { throw damage(unit, version) }
      units.set(unit, version)
    }
  }

  /// Decrypts a unit. Returns false if the file does not have what this version wrote there.
  private func open(_ unit: Int, _ version: UInt64) throws(SystemError) -> Bool {
    let offset = layout.fileOffset(of: unit)
    let end = offset + layout.unit
    if end > knownSize { knownSize = try inner.size }
    // Dirty units belong to no committed version, so no reader may see them.
    guard end <= knownSize, !dirtyUnits.contains(unit) else { return false }
    let base = try inner.base
    let plain = plain.start + layout.offset(of: unit)
    let isVacant = units.isVacant(unit)
    // Readers may have pointers to other contents of the unit. These stay as they are unless the new ones are authentic.
    let target = isVacant ? plain : scratch
    let isAuthentic = cipher.open(
      UnsafeRawBufferPointer(start: base + offset, count: layout.unit),
      entry: base + layout.entryOffset(of: unit), place: UInt64(unit), version: version,
      into: target)
    if isAuthentic, !isVacant { plain.copyMemory(from: scratch, byteCount: layout.unit) }
    return isAuthentic
  }

  private func damage(_ unit: Int, _ version: UInt64) -> StorageError {
    StorageError(
      .corrupt,
      "Unit \(unit) of the encrypted file (\(layout.unit) bytes at offset \(layout.fileOffset(of: unit)), its "
        + "entry at \(layout.entryOffset(of: unit))) does not have the contents that version \(version) wrote "
        + "there.")
  }

  // MARK: Writing

  func beginVersion(_ version: UInt64, keepingDecrypted: Bool) {
    mutex.withLock {
      self.version = version
      keepsDecrypted = keepingDecrypted
    }
  }

  func discardVersions(newerThan version: UInt64) {
    mutex.withLock {
      dirtyUnits.removeAll()
      for unit in 0..<unitCount where units.version(of: unit) > version {
        units.discard(unit..<unit + 1)
      }
    }
  }

  /// Writes pieces of `count` bytes one after the other.
  func writeUnits(
    _ pieces: UnsafeBufferPointer<UnsafeRawBufferPointer>, _ count: Int, at offset: Int
  ) throws(SystemError) {
    mutex.lock()
    defer { mutex.unlock() }
    let end = offset + count
    var source = GatheredBytes(pieces)
    let first = layout.unit(of: offset + layout.unit - 1)
    let whole = first..<max(first, layout.unit(of: end))
    guard !keepsDecrypted || count >= Self.minBulkBytes, !whole.isEmpty else {
      return try copy(&source, to: offset..<end)
    }
    try copy(&source, to: offset..<layout.offset(of: whole.lowerBound))
    try seal(&source, to: whole)
    try copy(&source, to: layout.offset(of: whole.upperBound)..<end)
  }

  /// Copies bytes to units, and flushes those that are full when there are many.
  private func copy(
    _ source: inout GatheredBytes, to range: Range<Int>
  ) throws(SystemError) {
    var next = range.lowerBound
    while next < range.upperBound {
      let end = min(range.upperBound, next + Self.maxCopiedBytes)
      prepare(next..<end)
      source.copy(end - next, to: plain.start + next)
      if dirtyUnits.count >= Self.maxSealedUnits { try flush(all: false) }
      next = end
    }
  }

  /// Seals bytes that fill units, which are not decrypted in memory afterwards.
  private func seal(
    _ source: inout GatheredBytes, to whole: Range<Int>
  ) throws(SystemError) {
    let bytes = scratch + Self.sealedSize
    var first = whole.lowerBound
    while first < whole.upperBound {
      var end = first + 1
      while end < whole.upperBound, end - first < Self.maxSealedUnits, layout.continuesRun(end) {
        end += 1
      }
      source.copy((end - first) * layout.unit, to: bytes)
      try seal(first..<end, from: bytes)
      first = end
    }
  }

  /// Makes the units of a range dirty, all bytes of which are going to be written.
  private func prepare(_ range: Range<Int>) {
    let written = layout.unit(of: range.lowerBound)..<layout.unit(of: range.upperBound - 1) + 1
    for unit in written where dirtyUnits.newest != unit {
      if units.version(of: unit) != version, !units.cancelEviction(unit, version) {
        let (start, end) = (layout.offset(of: unit), layout.offset(of: unit + 1))
        if start < range.lowerBound || end > range.upperBound {
          // The previous contents must not get into the file again.
          (plain.start + start).initializeMemory(as: UInt8.self, repeating: 0, count: end - start)
        }
        units.set(unit, version)
      }
      dirtyUnits.insert(unit)
    }
  }

  // MARK: Flushing

  /// Seals the dirty units and writes them; without `all`, except the one that is still being filled. Called under the
  /// mutex.
  func flush(all: Bool) throws(SystemError) {
    let dirty = dirtyUnits.units
    let kept = all ? nil : dirtyUnits.newest
    var from = 0
    while from < dirty.count {
      var to = from + 1
      if dirty[from] != kept {
        while to < dirty.count, dirty[to] == dirty[to - 1] + 1, to - from < Self.maxSealedUnits,
          layout.continuesRun(dirty[to]), dirty[to] != kept
        {
          to += 1
        }
        let written = dirty[from]..<dirty[to - 1] + 1
        try seal(written, from: plain.start + layout.offset(of: written.lowerBound))
        if !keepsDecrypted { units.discard(written) }
      }
      from = to
    }
    dirtyUnits.removeAll(exceptNewest: !all)
  }

  /// Seals adjacent units and writes them. A unit that is sealed again gets a nonce of its own, as every seal does.
  private func seal(_ written: Range<Int>, from bytes: UnsafeRawPointer) throws(SystemError) {
    let isOneRange = layout.hasAdjacentEntries
    let first = written.lowerBound
    let start = isOneRange ? layout.entryOffset(of: first) : layout.fileOffset(of: first)
    let end = layout.fileOffset(of: written.upperBound - 1) + layout.unit
    let entries = scratch + (isOneRange ? 0 : end - start)
    let entriesStart = layout.entryOffset(of: first)
    for unit in written {
      cipher.seal(
        UnsafeRawBufferPointer(start: bytes + (unit - first) * layout.unit, count: layout.unit),
        place: UInt64(unit), version: version,
        into: scratch + (layout.fileOffset(of: unit) - start),
        entry: entries + (layout.entryOffset(of: unit) - entriesStart))
    }
    try inner.write(UnsafeRawBufferPointer(start: scratch, count: end - start), at: start)
    if !isOneRange {
      try inner.write(
        UnsafeRawBufferPointer(start: entries, count: written.count * UnitCipher.entrySize),
        at: entriesStart)
    }
  }
}
