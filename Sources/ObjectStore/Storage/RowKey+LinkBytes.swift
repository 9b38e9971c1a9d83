// A row's key as the bytes of a link. The number of bytes shows the kind of key: 8 for an integer; fewer or
// more for ordered bytes, to which a zero is appended if there are 8 or more.

extension RowKey {
  private static let integerByteCount = 8

  var linkByteCount: Int {
    switch self {
    case .int: Self.integerByteCount
    case .bytes(let bytes): bytes.count + (bytes.count < Self.integerByteCount ? 0 : 1)
    }
  }

  /// The bytes of a link to the row. Those of integers are in the order of the integers.
  var linkBytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: linkByteCount) { buffer, count in
      if let start = buffer.baseAddress { encodeLink(to: UnsafeMutableRawPointer(start)) }
      count = linkByteCount
    }
  }

  func encodeLink(to target: UnsafeMutableRawPointer) {
    switch self {
    case .int(let number):
      let ordered = UInt64(bitPattern: number) ^ 1 << 63
      target.storeBytes(of: ordered.bigEndian, as: UInt64.self)
    case .bytes(let bytes):
      bytes.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress { target.copyMemory(from: start, byteCount: bytes.count) }
      }
      if bytes.count >= Self.integerByteCount {
        target.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
      }
    }
  }

  /// Decodes a link; nil for no bytes.
  init?(linkBytes bytes: UnsafeRawBufferPointer) {
    switch bytes.count {
    case 0: return nil
    case Self.integerByteCount:
      let ordered = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
      self = .int(Int64(bitPattern: ordered ^ 1 << 63))
    case ..<Self.integerByteCount: self = .bytes(Array(bytes))
    default: self = .bytes(Array(bytes.dropLast()))
    }
  }
}
