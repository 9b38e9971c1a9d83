// Keys as libmdbx orders them. MDBX_INTEGERKEY compares keys as unsigned machine words, so that an Int64 as it stands
// would put the negative keys last. With the sign bit flipped the unsigned order is the signed one.
import CMDBX

/// A row's key in libmdbx's form.
struct IntegerKey {
  private static let signBit: UInt64 = 1 << 63

  var word: UInt64

  init(_ key: Int64) { word = UInt64(bitPattern: key) ^ Self.signBit }

  /// Decodes a key that libmdbx returned, which may be at an unaligned address.
  init(_ value: MDBX_val) { word = value.bytes.loadUnaligned(as: UInt64.self) }

  var key: Int64 { Int64(bitPattern: word ^ Self.signBit) }

  /// Gives `body` the key as libmdbx takes it: a pointer to this thread's stack.
  @inline(__always)
  mutating func withValue<Result>(_ body: (inout MDBX_val) -> Result) -> Result {
    withUnsafeMutableBytes(of: &word) { bytes in
      var value = MDBX_val(iov_base: bytes.baseAddress, iov_len: bytes.count)
      return body(&value)
    }
  }
}

extension MDBX_val {
  /// The bytes that libmdbx points at: valid until the transaction ends or, in a write transaction, changes something.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: iov_base, count: iov_len) }
}
