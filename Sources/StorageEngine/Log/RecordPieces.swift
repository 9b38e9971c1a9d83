// A record is stored in pieces of at most 2 KiB, each with a reference to the next and its checksum, so that a long
// free list needs no long hole. The commit slot has the first piece's checksum, so nothing of a record is used before
// it is verified.
// ```
// │ magic:32 │ payload:32 │ version:64 │ next offset:64 │ next size:64 │ next checksum:64 │ payload … │ zeros │
// ```

enum RecordPiece {
  static let headerSize = 40
  static let maxPayload = Layout.maxRecordPieceSize - headerSize
  private static let magic: UInt32 = 0x4452_4F43

  /// Returns the size of each piece of a record of `count` bytes.
  static func sizes(for count: Int) -> [Int] {
    var sizes = [Int](repeating: Layout.maxRecordPieceSize, count: count / maxPayload)
    let rest = count % maxPayload
    if rest > 0 || sizes.isEmpty { sizes.append(roundedUp(headerSize + rest)) }
    return sizes
  }

  /// Encodes the pieces, back to back in `memory`. Returns a reference to the first.
  static func fill(
    _ memory: UnsafeMutableRawPointer, _ extents: [Extent],
    with payload: UnsafeMutableBufferPointer<UInt8>, version: UInt64
  ) -> RecordRef {
    var next = RecordRef()
    var offset = extents.reduce(0) { $0 + $1.size }
    for (index, extent) in extents.enumerated().reversed() {
      offset -= extent.size
      let from = index * maxPayload
      let count = min(payload.count - from, maxPayload)
      let piece = memory + offset
      piece.initializeMemory(as: UInt8.self, repeating: 0, count: extent.size)
      piece.put32(magic, 0)
      piece.put32(UInt32(count), 4)
      piece.put64(version, 8)
      piece.put64(UInt64(next.offset), 16)
      piece.put64(UInt64(next.size), 24)
      piece.put64(next.checksum, 32)
      (piece + headerSize).copyMemory(from: payload.baseAddress! + from, byteCount: count)
      next = RecordRef(
        offset: extent.offset, size: extent.size,
        checksum: Checksum.of(piece, count: extent.size, seed: version))
    }
    return next
  }

  /// Returns whether a piece can lie at this location of a file of `end` bytes.
  static func isValid(_ ref: RecordRef, end: Int) -> Bool {
    ref.offset >= Layout.blocksStart && ref.offset % Layout.granule == 0
      && ref.size > headerSize && ref.size <= Layout.maxRecordPieceSize
      && ref.size % Layout.granule == 0 && ref.offset <= end - ref.size
  }

  /// Returns the reference to the next piece in a piece that was verified; nil for the last piece.
  static func reference(following piece: UnsafeRawPointer) -> RecordRef? {
    guard let offset = Int(exactly: piece.u64(16)), let size = Int(exactly: piece.u64(24)), size > 0
    else { return nil }
    return RecordRef(offset: offset, size: size, checksum: piece.u64(32))
  }

  /// Verifies and reads a record. Appends its payload, and the extents of its pieces to `pieces`.
  static func read(
    _ first: RecordRef, version: UInt64, _ space: BlockSpace, into payload: inout UniqueList<UInt8>,
    _ pieces: inout UniqueList<Extent>
  ) throws(StorageError) {
    var next = first
    repeat {
      let ref = next
      guard isValid(ref, end: space.end) else {
        throw StorageError(
          .corrupt,
          "The commit record of version \(version) should be at offset \(ref.offset) with "
            + "\(ref.size) bytes, which is not a valid location.")
      }
      try space.makeReadable(ref.offset, ref.size, version: version)
      // Copied before it is checked: a commit of another process may overwrite it at any moment.
      var following: RecordRef?
      payload.append(atMost: ref.size) {
        let piece = UnsafeMutableRawPointer($0)
        piece.copyMemory(from: space.base + ref.offset, byteCount: ref.size)
        following = verifiedReference(following: piece, ref, version: version)
        guard following != nil else { return 0 }
        let count = Int(UnsafeRawPointer(piece).u32(4))
        piece.copyMemory(from: piece + headerSize, byteCount: count)
        return count
      }
      guard let following else {
        throw StorageError(
          .corrupt,
          "The commit record of version \(version) at offset \(ref.offset) fails its checksum.")
      }
      pieces.append(Extent(offset: ref.offset, size: ref.size))
      next = following
    } while next.size > 0
  }

  /// Returns the reference to the next piece, with the size 0 in the last; nil if the piece is not what `ref` refers to.
  private static func verifiedReference(
    following piece: UnsafeRawPointer, _ ref: RecordRef, version: UInt64
  ) -> RecordRef? {
    guard Checksum.of(piece, count: ref.size, seed: version) == ref.checksum,
      piece.u32(0) == magic, piece.u64(8) == version, headerSize + Int(piece.u32(4)) <= ref.size,
      let offset = Int(exactly: piece.u64(16)), let size = Int(exactly: piece.u64(24))
    else { return nil }
    return RecordRef(offset: offset, size: size, checksum: piece.u64(32))
  }
}
