// Keys as RocksDB orders them: by their bytes.

/// A row's key in RocksDB's form: big-endian, with the sign bit flipped so that negative keys come first.
struct RowKey {
  private static let signBit: UInt64 = 1 << 63
  static let bytes = 8

  private let word: UInt64

  @inline(__always) init(_ key: Int64) {
    word = (UInt64(bitPattern: key) ^ Self.signBit).bigEndian
  }

  /// Decodes a key that RocksDB returned, which may be at an unaligned address.
  @inline(__always) static func key(at address: UnsafePointer<CChar>) -> Int64 {
    let word = UnsafeRawPointer(address).loadUnaligned(as: UInt64.self)
    return Int64(bitPattern: UInt64(bigEndian: word) ^ signBit)
  }

  /// Calls `body` with the bytes, on this thread's stack.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUnsafeBytes(of: word) { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
  }
}
