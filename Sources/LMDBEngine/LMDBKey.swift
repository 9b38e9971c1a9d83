// Keys as LMDB orders them. MDB_INTEGERKEY compares keys as unsigned machine words, so that an Int64 as it stands would
// put the negative keys last. With the sign bit flipped the unsigned order is the signed one.
import CLMDB

/// A row's key in LMDB's form.
struct IntegerKey {
  private static let signBit: UInt64 = 1 << 63

  var word: UInt64

  init(_ key: Int64) { word = UInt64(bitPattern: key) ^ Self.signBit }

  /// Decodes a key that LMDB returned, which may be at an unaligned address.
  init(_ value: MDB_val) { word = value.bytes.loadUnaligned(as: UInt64.self) }

  var key: Int64 { Int64(bitPattern: word ^ Self.signBit) }

  /// Gives `body` the key as LMDB takes it: a pointer to this thread's stack.
  @inline(__always)
  mutating func withValue<Result>(_ body: (inout MDB_val) -> Result) -> Result {
    withUnsafeMutableBytes(of: &word) { bytes in
      var value = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      return body(&value)
    }
  }
}
