// An object as the bytes of one row: the number of columns, the end offset of each, then their bytes, so that one column
// is found without reading the others. Docs/ObjectFormat.md has the format.

/// The record of one row, read in place.
struct ObjectRecord {
  /// Marks the end of a column that is null.
  static let null: UInt32 = 1 << 31
  /// Returns the offset of the first column's bytes.
  @inline(__always)
  static func columnsOffset(_ columns: Int) -> Int { 2 + 4 * columns }

  private let bytes: UnsafeRawBufferPointer
  let columns: Int

  /// Fails if the bytes are too short for a record.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else { return nil }
    let columns = Int(bytes.littleEndian() as UInt16)
    guard bytes.count >= 2 + 4 * columns else { return nil }
    self.bytes = bytes
    self.columns = columns
  }

  /// Returns the bytes of a column; nil for null. Error: the record does not have the column, or is corrupt.
  @inline(__always)
  func column(_ index: Int) throws(CorruptRecord) -> UnsafeRawBufferPointer? {
    guard index < columns else { throw CorruptRecord() }
    let base = 2 + 4 * columns
    let mark: UInt32 = bytes.littleEndian(2 + 4 * index)
    if mark & Self.null != 0 { return nil }
    let before: UInt32 = index == 0 ? 0 : bytes.littleEndian(2 + 4 * (index - 1))
    let start = base + Int(before & ~Self.null)
    let end = base + Int(mark)
    guard start <= end, end <= bytes.count else { throw CorruptRecord() }
    return bytes.slice(start, end)
  }

  func value(_ index: Int, _ kind: ColumnKind) throws(CorruptRecord) -> ColumnValue {
    guard let bytes = try column(index) else { return .null }
    guard let value = ColumnValue(kind, bytes) else { throw CorruptRecord() }
    return value
  }

  /// Overwrites a column in `target`, the bytes of this record, if the new value has the same length. Returns whether it
  /// has.
  @inline(__always)
  func replace(
    _ index: Int, by value: ColumnValue, in target: UnsafeMutableRawBufferPointer
  ) throws(CorruptRecord) -> Bool {
    guard let old = try column(index), let start = target.baseAddress, let column = old.baseAddress,
      let base = bytes.baseAddress, value.isNull == false, old.count == value.byteCount
    else { return false }
    _ = value.encode(to: start + (column - base))
    return true
  }

  /// Returns the same row with another value in one column, of any length.
  func replacingColumn(_ index: Int, by value: ColumnValue) throws(CorruptRecord) -> [UInt8] {
    var contents: [UInt8] = []
    var ends: [UInt32] = []
    for other in 0..<columns {
      var isNull = false
      if other == index {
        isNull = value == .null
        contents += value.recordBytes
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

/// A row's bytes are not a record.
struct CorruptRecord: Error {}
