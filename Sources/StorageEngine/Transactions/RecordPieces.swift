// A record lies in pieces of at most 2 KiB, each naming the next with its checksum: a long free list never needs a long
// hole. The commit slot holds the first piece's checksum, so nothing of a record is trusted before it is verified.
// ```
// │ magic:32 │ payload:32 │ version:64 │ next offset:64 │ next size:64 │ next checksum:64 │ payload … │ zeros │
// ```

enum RecordPiece {
  static let headerSize = 40
  static let mostPayload = Layout.maxRecordPieceSize - headerSize
  private static let magic: UInt32 = 0x4452_4F43

  /// The space of each piece for a record of `count` bytes.
  static func sizes(for count: Int) -> [Int] {
    var sizes = [Int](repeating: Layout.maxRecordPieceSize, count: count / mostPayload)
    let rest = count % mostPayload
    if rest > 0 || sizes.isEmpty { sizes.append(roundedUp(headerSize + rest)) }
    return sizes
  }

  /// Fills the pieces' bytes, one behind the other in `memory`; answers how to find the first.
  static func fill(
    _ memory: UnsafeMutableRawPointer, _ extents: [Extent],
    with payload: UnsafeMutableBufferPointer<UInt8>, version: UInt64
  ) -> RecordRef {
    var next = RecordRef()
    var place = extents.reduce(0) { $0 + $1.size }
    for (index, extent) in extents.enumerated().reversed() {
      place -= extent.size
      let from = index * mostPayload
      let count = min(payload.count - from, mostPayload)
      let piece = memory + place
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

  /// Verifies and reads a record: its payload, and where its pieces are.
  static func read(
    _ first: RecordRef, version: UInt64, _ space: BlockSpace
  ) throws(StorageError) -> (payload: [UInt8], pieces: [Extent]) {
    var payload: [UInt8] = []
    var pieces: [Extent] = []
    var next = first
    repeat {
      let ref = next
      guard ref.offset >= Layout.blocksStart, ref.offset % Layout.granule == 0,
        ref.size > headerSize, ref.size <= Layout.maxRecordPieceSize, ref.size % Layout.granule == 0,
        ref.offset <= space.end - ref.size
      else {
        throw StorageError(
          .corrupt,
          "The commit record of version \(version) should be at offset \(ref.offset) with "
            + "\(ref.size) bytes, which is no place for it.")
      }
      try space.makeReadable(ref.offset, ref.size, version: version)
      // Copied before it is checked: another process's commit may write over it at any moment.
      let piece = [UInt8](UnsafeRawBufferPointer(start: space.base + ref.offset, count: ref.size))
      next = try piece.withBytes { (bytes) throws(StorageError) in
        let piece = bytes.baseAddress!
        guard Checksum.of(piece, count: ref.size, seed: version) == ref.checksum,
          piece.u32(0) == magic, piece.u64(8) == version,
          headerSize + Int(piece.u32(4)) <= ref.size,
          let offset = Int(exactly: piece.u64(16)), let size = Int(exactly: piece.u64(24))
        else {
          throw StorageError(
            .corrupt,
            "The commit record of version \(version) at offset \(ref.offset) fails its checksum.")
        }
        payload += UnsafeRawBufferPointer(start: piece + headerSize, count: Int(piece.u32(4)))
        return RecordRef(offset: offset, size: size, checksum: piece.u64(32))
      }
      pieces.append(Extent(offset: ref.offset, size: ref.size))
    } while next.size > 0
    return (payload, pieces)
  }
}
