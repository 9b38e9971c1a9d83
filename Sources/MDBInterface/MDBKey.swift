// Keys as the libraries order them. MDB_INTEGERKEY and MDBX_INTEGERKEY compare keys as unsigned machine words, so that an
// Int64 as it stands would put the negative keys last. With the sign bit flipped the unsigned order is the signed one.

/// A row's key in the library's form.
package struct IntegerKey {
  @usableFromInline static var signBit: UInt64 { 1 << 63 }

  @usableFromInline package var word: UInt64

  @inlinable package init(_ key: Int64) { word = UInt64(bitPattern: key) ^ Self.signBit }

  /// Decodes a key that the library returned, which may be at an unaligned address.
  @inlinable package init(_ value: some MDBValue) {
    word = value.bytes.loadUnaligned(as: UInt64.self)
  }

  @inlinable package var key: Int64 { Int64(bitPattern: word ^ Self.signBit) }

  /// Gives `body` the key as the library takes it: a pointer to this thread's stack.
  @inlinable @inline(__always)
  package mutating func withValue<Value: MDBValue, Result>(
    _ body: (inout Value) -> Result
  ) -> Result {
    withUnsafeMutableBytes(of: &word) { bytes in
      var value = Value(address: bytes.baseAddress, count: bytes.count)
      return body(&value)
    }
  }
}
