// An object as the bytes of one row: how many columns, where each ends, then their bytes. One column is found without
// looking at the others. The format is written down in Docs/ObjectStore.md.

/// The bytes of one row, read where they lie.
struct ObjectRecord {
  /// Marks the end of a column that is null.
  static let null: UInt32 = 1 << 31
  /// Where the bytes of the columns begin.
  @inline(__always)
  static func base(_ columns: Int) -> Int { 2 + 4 * columns }

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
  @inline(__always)
  func column(_ index: Int) throws(CorruptRecord) -> UnsafeRawBufferPointer? {
    guard index < columns else { throw CorruptRecord() }
    let base = 2 + 4 * columns
    let own: UInt32 = bytes.littleEndian(2 + 4 * index)
    if own & Self.null != 0 { return nil }
    let before: UInt32 = index == 0 ? 0 : bytes.littleEndian(2 + 4 * (index - 1))
    let start = base + Int(before & ~Self.null)
    let end = base + Int(own)
    guard start <= end, end <= bytes.count else { throw CorruptRecord() }
    return bytes.part(start, end)
  }

  func value(_ index: Int, _ kind: ColumnKind) throws(CorruptRecord) -> ColumnValue {
    guard let bytes = try column(index) else { return .null }
    guard let value = ColumnValue(kind, bytes) else { throw CorruptRecord() }
    return value
  }

  /// Writes another value over that of a column in `own`, the bytes of this record, where it has the same length; answers
  /// whether it has.
  @inline(__always)
  func replace(
    _ index: Int, by value: ColumnValue, in own: UnsafeMutableRawBufferPointer
  ) throws(CorruptRecord) -> Bool {
    guard let old = try column(index), let start = own.baseAddress, let place = old.baseAddress,
      let base = bytes.baseAddress, value.isNull == false, old.count == value.byteCount
    else { return false }
    _ = value.write(to: start + (place - base))
    return true
  }

  /// The same row with another value in one column, of whatever length.
  func replacingColumn(_ index: Int, by value: ColumnValue) throws(CorruptRecord) -> [UInt8] {
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
struct CorruptRecord: Error {}
