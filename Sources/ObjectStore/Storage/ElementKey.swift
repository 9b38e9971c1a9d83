// The keys in the tables of collections and of backlinks: the row that an entry belongs to, in bytes of which none are the
// beginning of another's; then what distinguishes the row's entries.
import StorageEngine

/// The encoding of element and backlink keys.
enum ElementKey {
  /// Leaves space for the longest owner's key in the engine's longest.
  static let maxMemberLength = 240

  /// Whether the keys of elements, and those of backlinks, which have two rows' keys, are no longer than the engine's.
  static func hasSpace(for owner: RowKey) -> Bool {
    if case .bytes(let bytes) = owner { bytes.count <= 254 } else { true }
  }

  private static let positionByteCount = 6
  private static let positionBias = Int64(1) << 47

  /// Returns the first bytes of all entries of a row.
  static func prefix(_ owner: RowKey) -> [UInt8] { key(of: owner, andBytes: 0) { _ in } }

  private static func prefixByteCount(_ owner: RowKey) -> Int {
    switch owner {
    case .int: owner.linkByteCount
    case .bytes(let bytes): bytes.count + 1
    }
  }

  private static func encodePrefix(_ owner: RowKey, to target: UnsafeMutableRawPointer) {
    switch owner {
    case .int: owner.encodeLink(to: target)
    case .bytes(let bytes):
      // A key has 1 to 256 bytes.
      target.storeBytes(of: UInt8(bytes.count - 1), as: UInt8.self)
      bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        (target + 1).copyMemory(from: start, byteCount: bytes.count)
      }
    }
  }

  /// Returns the prefix of a row and so many bytes more, which `encode` writes: one allocation, as each change of a link makes
  /// such keys.
  @inline(__always)
  private static func key(
    of owner: RowKey, andBytes count: Int, _ encode: (UnsafeMutableRawPointer) -> Void
  ) -> [UInt8] {
    let prefixCount = prefixByteCount(owner)
    return [UInt8](unsafeUninitializedCapacity: prefixCount + count) { buffer, written in
      guard let start = buffer.baseAddress else { return }
      encodePrefix(owner, to: UnsafeMutableRawPointer(start))
      encode(UnsafeMutableRawPointer(start) + prefixCount)
      written = prefixCount + count
    }
  }

  /// Returns the row that an entry belongs to; nil if the bytes are no entry.
  static func owner(ofEntry bytes: [UInt8], _ kind: KeyKind) -> RowKey? {
    guard let first = bytes.first else { return nil }
    let prefixLength = kind == .int64 ? 8 : Int(first) + 2
    guard bytes.count >= prefixLength else { return nil }
    if kind == .bytes { return .bytes(Array(bytes[1..<prefixLength])) }
    return bytes.withUnsafeBytes { RowKey(linkBytes: $0.slice(0, prefixLength)) }
  }

  /// Returns the key of a list's element. Positions may be negative: a list grows at both ends.
  static func position(_ position: Int64, of owner: RowKey) -> [UInt8] {
    precondition(abs(position) < positionBias, "A list's positions have 48 bits.")
    let biased = UInt64(bitPattern: position + positionBias).bigEndian
    return key(of: owner, andBytes: positionByteCount) { target in
      withUnsafeBytes(of: biased) { bytes in
        target.copyMemory(
          from: bytes.baseAddress! + (bytes.count - positionByteCount), byteCount: positionByteCount
        )
      }
    }
  }

  /// Returns the key of a set's element, or of the value that a map has for a string.
  static func member(_ value: ColumnValue, _ prefix: [UInt8]) -> [UInt8] {
    value == .null ? prefix + [0] : prefix + [1] + value.orderedBytes
  }

  /// Decodes the rest of a member's key after the prefix.
  static func member(_ kind: ColumnKind, _ rest: UnsafeRawBufferPointer) -> ColumnValue? {
    guard let first = rest.first else { return nil }
    return first == 0 ? .null : ColumnValue(kind, ordered: rest.slice(1, rest.count))
  }

  /// Returns the key of the entry of a link in the table of backlinks.
  static func backlink(to target: RowKey, from origin: RowKey) -> [UInt8] {
    key(of: target, andBytes: origin.linkByteCount) { origin.encodeLink(to: $0) }
  }
}
