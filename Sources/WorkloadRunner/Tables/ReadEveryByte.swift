// How rows are read in every measurement: to the last byte.

/// Reads every byte and returns a sum of them. An engine that returns only an address is then not measured as faster than
/// it is; the sum keeps the compiler from removing the reads.
func readEveryByte(of bytes: UnsafeRawBufferPointer) -> UInt64 {
  var sum: UInt64 = 0
  var offset = 0
  while offset + 8 <= bytes.count {
    sum &+= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    offset += 8
  }
  while offset < bytes.count {
    sum &+= UInt64(bytes[offset])
    offset += 1
  }
  return sum
}
