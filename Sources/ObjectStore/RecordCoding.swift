// An object as the bytes of one row: how many columns, where each ends, then their bytes. One column is found without
// looking at the others. The format is written down in Docs/ObjectStore.md.

/// The bytes of one row, read where they lie.
struct Record {
  private static let null: UInt32 = 1 << 31

  private let bytes: UnsafeRawBufferPointer
  let columns: Int

  /// nil where the bytes are no record.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else { return nil }
    let columns = Int(bytes.littleEndian() as UInt16)
    guard bytes.count >= 2 + 4 * columns else { return nil }
    self.bytes = bytes
    self.columns = columns
  }

  /// The bytes of a column; nil where it is null. Error: the column is not there, or the record is damaged.
  func column(_ index: Int) throws(RecordDamage) -> UnsafeRawBufferPointer? {
    guard index < columns else { throw RecordDamage() }
    let base = 2 + 4 * columns
    let own: UInt32 = bytes.littleEndian(2 + 4 * index)
    if own & Self.null != 0 { return nil }
    let before: UInt32 = index == 0 ? 0 : bytes.littleEndian(2 + 4 * (index - 1))
    let start = base + Int(before & ~Self.null)
    let end = base + Int(own)
    guard start <= end, end <= bytes.count else { throw RecordDamage() }
    return bytes.part(start, end)
  }

  func value(_ index: Int, _ kind: ColumnKind) throws(RecordDamage) -> ColumnValue {
    guard let bytes = try column(index) else { return .null }
    guard let value = ColumnValue(kind, bytes) else { throw RecordDamage() }
    return value
  }

  /// The bytes of a row: `value` gives the values in the order of the record.
  static func encode(_ columns: Int, _ value: (Int) -> ColumnValue) -> [UInt8] {
    let base = 2 + 4 * columns
    var size = base
    for index in 0..<columns { size += value(index).byteCount }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let bytes = UnsafeMutableRawPointer(buffer.baseAddress!)
      bytes.storeBytes(of: UInt16(columns).littleEndian, as: UInt16.self)
      var end = 0
      for index in 0..<columns {
        let own = value(index)
        end += own.write(to: bytes + base + end)
        let marked = UInt32(end) | (own == .null ? null : 0)
        bytes.storeBytes(of: marked.littleEndian, toByteOffset: 2 + 4 * index, as: UInt32.self)
      }
      count = size
    }
  }

  /// The same row with another value in one column.
  func replacing(_ index: Int, by value: ColumnValue) throws(RecordDamage) -> [UInt8] {
    let old = try column(index)
    if let old, value != .null, old.count == value.byteCount, let start = old.baseAddress,
      let own = bytes.baseAddress
    {
      // Of the same length: nothing else moves.
      let offset = start - own
      return [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
        let target = UnsafeMutableRawPointer(buffer.baseAddress!)
        target.copyMemory(from: own, byteCount: bytes.count)
        _ = value.write(to: target + offset)
        count = bytes.count
      }
    }
    return try rebuilt(index, value)
  }

  private func rebuilt(_ index: Int, _ value: ColumnValue) throws(RecordDamage) -> [UInt8] {
    var contents: [UInt8] = []
    var ends: [UInt32] = []
    for other in 0..<columns {
      var isNull = false
      if other == index {
        isNull = value == .null
        contents += [UInt8](unsafeUninitializedCapacity: value.byteCount) { buffer, count in
          if let start = buffer.baseAddress { count = value.write(to: start) }
        }
      } else if let bytes = try column(other) {
        contents.append(contentsOf: bytes)
      } else {
        isNull = true
      }
      ends.append(UInt32(contents.count) | (isNull ? Self.null : 0))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 + 4 * columns + contents.count)
    bytes.append(littleEndian: UInt16(columns))
    for end in ends { bytes.append(littleEndian: end) }
    return bytes + contents
  }
}

/// A row's bytes are not what this room writes.
struct RecordDamage: Error {}
