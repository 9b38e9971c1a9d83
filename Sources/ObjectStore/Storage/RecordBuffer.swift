// Memory that an instance uses again for each row that it writes: the values by column, and the bytes of the record.

final class RecordBuffer {
  private var values: [ColumnValue?] = []
  private var start = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 16)
  private var capacity = 512

  /// More is not kept from one row to the next.
  private static let most = 1 << 18

  deinit { start.deallocate() }

  /// A place for each of `count` values, none of them given. It is the caller's until `giveBack`: a default value of a
  /// class may be the program's code, and write a row of its own.
  func take(_ count: Int) -> [ColumnValue?] {
    var taken: [ColumnValue?] = []
    swap(&taken, &values)
    return taken.count == count ? taken : Array(repeating: nil, count: count)
  }

  func returnValues(_ taken: inout [ColumnValue?]) {
    for index in taken.indices { taken[index] = nil }
    swap(&taken, &values)
  }

  /// The record of values of which the first of `columns` is at the first place, and so on: valid until the next.
  func record(_ values: [ColumnValue?], _ columns: [Int]) -> UnsafeRawBufferPointer {
    let base = ObjectRecord.base(columns.count)
    if capacity > Self.most { grow(0, 0) }
    makeRoom(base, keeping: 0)
    start.storeBytes(of: UInt16(columns.count).littleEndian, as: UInt16.self)
    var end = base
    for place in columns.indices {
      end += write(values[columns[place]] ?? .null, at: end)
      var mark = UInt32(end - base)
      if case .null? = values[columns[place]] { mark |= ObjectRecord.null }
      start.storeBytes(of: mark.littleEndian, toByteOffset: 2 + 4 * place, as: UInt32.self)
    }
    return UnsafeRawBufferPointer(start: start, count: end)
  }

  /// Answers how many bytes it took.
  @inline(__always)
  private func write(_ value: ColumnValue, at end: Int) -> Int {
    switch value {
    case .int(let number):
      makeRoom(end + 8, keeping: end)
      start.storeBytes(of: number.littleEndian, toByteOffset: end, as: Int64.self)
      return 8
    default:
      let count = value.byteCount
      makeRoom(end + count, keeping: end)
      return value.write(to: start + end)
    }
  }

  @inline(__always)
  private func makeRoom(_ count: Int, keeping used: Int) {
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
