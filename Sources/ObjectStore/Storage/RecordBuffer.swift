// Memory that an instance reuses for each row that it writes: the values by column, and the bytes of the record.

/// The buffers of one instance.
final class RecordBuffer {
  private var values: [ColumnValue?] = []
  private var start = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 16)
  private var capacity = 512

  /// A larger buffer is not retained from one row to the next.
  private static let maxRetainedCapacity = 1 << 18

  deinit { start.deallocate() }

  /// Returns an array of `count` values, all nil. It belongs to the caller until `returnValues`: the default value of a
  /// property may be computed by code of the program that writes a row itself.
  func borrowValues(_ count: Int) -> [ColumnValue?] {
    var taken: [ColumnValue?] = []
    swap(&taken, &values)
    return taken.count == count ? taken : Array(repeating: nil, count: count)
  }

  func returnValues(_ taken: inout [ColumnValue?]) {
    for index in taken.indices { taken[index] = nil }
    swap(&taken, &values)
  }

  /// Encodes values as a record whose column `n` has the value at `columns[n]`. The bytes are valid until the next call.
  func encode(_ values: [ColumnValue?], _ columns: [Int]) -> UnsafeRawBufferPointer {
    let base = ObjectRecord.columnsOffset(columns.count)
    if capacity > Self.maxRetainedCapacity { grow(0, 0) }
    reserve(base, keeping: 0)
    start.storeBytes(of: UInt16(columns.count).littleEndian, as: UInt16.self)
    var end = base
    for position in columns.indices {
      end += write(values[columns[position]] ?? .null, at: end)
      var mark = UInt32(end - base)
      if case .null? = values[columns[position]] { mark |= ObjectRecord.null }
      start.storeBytes(of: mark.littleEndian, toByteOffset: 2 + 4 * position, as: UInt32.self)
    }
    return UnsafeRawBufferPointer(start: start, count: end)
  }

  /// Returns how many bytes were written.
  @inline(__always)
  private func write(_ value: ColumnValue, at end: Int) -> Int {
    switch value {
    case .int(let number):
      reserve(end + 8, keeping: end)
      start.storeBytes(of: number.littleEndian, toByteOffset: end, as: Int64.self)
      return 8
    default:
      let count = value.byteCount
      reserve(end + count, keeping: end)
      return value.encode(to: start + end)
    }
  }

  @inline(__always)
  private func reserve(_ count: Int, keeping used: Int) {
    if count > capacity { grow(count, used) }
  }

  @inline(never)
  private func grow(_ count: Int, _ used: Int) {
    let wanted = max(512, 2 * count)
    let other = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
    other.copyMemory(from: start, byteCount: used)
    start.deallocate()
    start = other
    capacity = wanted
  }
}
