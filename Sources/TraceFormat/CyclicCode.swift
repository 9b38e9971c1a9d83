// The two checksums of a trace: CRC-32C of each block, and CRC-8 after each record, which identifies the damaged record.
// Cyclic codes detect every burst of damaged bits that is no longer than the code.

/// CRC-32C (Castagnoli), as in RFC 3720: reflected polynomial 0x82F63B78, all ones at the beginning and the end.
struct CyclicCode32 {
  private var state: UInt32 = ~0

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? (value >> 1) ^ 0x82F6_3B78 : value >> 1
    }
  }

  mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    var state = state
    Self.table.withUnsafeBufferPointer { table in
      for byte in bytes { state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8) }
    }
    self.state = state
  }

  var value: UInt32 { ~state }

  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var code = Self()
    code.feed(bytes)
    return code.value
  }
}

/// CRC-8 with polynomial 0x07, zero at the beginning.
struct CyclicCode8 {
  private(set) var value: UInt8 = 0

  private static let table: [UInt8] = (0..<256).map { index in
    (0..<8).reduce(UInt8(index)) { value, _ in
      value & 0x80 != 0 ? (value << 1) ^ 0x07 : value << 1
    }
  }

  mutating func feed(_ bytes: some Sequence<UInt8>) {
    var value = value
    Self.table.withUnsafeBufferPointer { table in
      for byte in bytes { value = table[Int(value ^ byte)] }
    }
    self.value = value
  }
}
