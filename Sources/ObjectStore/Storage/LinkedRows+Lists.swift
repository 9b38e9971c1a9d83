// Lists: each element has a position in the key, positions are consecutive, and the owner's record has the first one and
// the number of elements. Elements are added and removed at both ends without moving any other, and elsewhere by moving the
// smaller part of the list.
import StorageEngine

extension LinkedRows {
  /// Returns the first position and the number of elements of a list; nil if there is no such row.
  func listRange(
    _ owner: FileClass, _ key: RowKey, _ column: Int
  ) throws(StorageError) -> (first: Int64, count: Int)? {
    switch try value(owner, key, column) {
    case nil: nil
    case .list(let first, let count)?: (first, Int(count))
    default: (0, 0)
    }
  }

  /// Replaces elements by others. Returns false if there is no such row.
  mutating func splice(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ range: Range<Int>, _ values: [ColumnValue]
  ) throws(StorageError) -> Bool {
    guard let (first, count) = try listRange(owner, key, column) else { return false }
    precondition(range.upperBound <= count, "The elements of a list are replaced within it.")
    let list = ListRows(self, owner, key, column)
    for value in values { try link(owner, key, column, to: value) }
    if owner.columns[column].target != nil {
      for index in range {
        try unlink(owner, key, column, from: try list.element(first + Int64(index)))
      }
    }
    let start = try list.makeSpace(first, count, range, values.count)
    for (index, value) in values.enumerated() {
      try list.put(start + Int64(range.lowerBound + index), value)
    }
    let newCount = count - range.count + values.count
    if start != first || newCount != count {
      try setValue(
        owner, key, column, newCount == 0 ? .null : .list(first: start, count: Int64(newCount)))
    }
    try deleteOrphans()
    return true
  }

  /// Returns elements of a list.
  func elements(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ range: Range<Int>
  ) throws(StorageError) -> [ColumnValue] {
    guard let (first, _) = try listRange(owner, key, column) else { return [] }
    let list = ListRows(self, owner, key, column)
    var values: [ColumnValue] = []
    for index in range { values.append(try list.element(first + Int64(index))) }
    return values
  }

  /// Replaces elements by the same in another order, which changes no link. Returns false if there is no such row.
  func rearrange(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ range: Range<Int>, _ values: [ColumnValue]
  ) throws(StorageError) -> Bool {
    guard let (first, _) = try listRange(owner, key, column) else { return false }
    let list = ListRows(self, owner, key, column)
    for (index, value) in zip(range, values) { try list.put(first + Int64(index), value) }
    return true
  }

  /// Appends an element by one new row, and one change of the owner's. Returns false if there is no such row.
  mutating func append(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ value: ColumnValue
  ) throws(StorageError) -> Bool {
    var position: Int64?
    let exists = try transaction.change(owner.table, key) { bytes in
      guard let record = ObjectRecord(UnsafeRawBufferPointer(bytes)),
        case .list(let first, let count)? = try? record.value(column, .list)
      else { return }
      let longer = ColumnValue.list(first: first, count: count + 1)
      if (try? record.replace(column, by: longer, in: bytes)) == true { position = first + count }
    }
    guard exists else { return false }
    guard let position else {
      // The first element.
      let (_, count) = try listRange(owner, key, column) ?? (0, 0)
      return try splice(owner, key, column, count..<count, [value])
    }
    guard let elements = owner.columns[column].elements else {
      preconditionFailure("\(owner.columns[column].name) is not a collection.")
    }
    try transaction.put(
      elements, .bytes(ElementKey.position(position, of: key)),
      owner.columns[column].encodeElement(value))
    try link(owner, key, column, to: value)
    return true
  }

  /// Removes all elements of a list equal to `value` in one pass, without the record of its links.
  func dropFromList(
    _ owner: FileClass, _ key: RowKey, _ column: Int, _ value: ColumnValue
  ) throws(StorageError) {
    guard let (first, count) = try listRange(owner, key, column) else { return }
    let list = ListRows(self, owner, key, column)
    let unwanted = owner.columns[column].encodeElement(value)
    var kept = first
    for position in first..<first + Int64(count) {
      let bytes = try list.bytes(position)
      guard bytes != unwanted else { continue }
      if kept != position { try list.put(kept, bytes) }
      kept += 1
    }
    for position in kept..<first + Int64(count) { try list.delete(position) }
    guard kept - first < count else { return }
    try setValue(
      owner, key, column, kept == first ? .null : .list(first: first, count: kept - first))
  }
}

/// The rows of one list.
private struct ListRows {
  private let rows: LinkedRows
  private let column: FileClass.FileColumn
  private let table: Table
  private let owner: RowKey

  init(_ rows: LinkedRows, _ owner: FileClass, _ key: RowKey, _ index: Int) {
    self.rows = rows
    column = owner.columns[index]
    guard let elements = column.elements else {
      preconditionFailure("\(column.name) is not a collection.")
    }
    table = elements
    self.owner = key
  }

  private func key(_ position: Int64) -> RowKey { .bytes(ElementKey.position(position, of: owner)) }

  func bytes(_ position: Int64) throws(StorageError) -> [UInt8] {
    guard let bytes = try rows.transaction.value(table, key(position)) else {
      throw column.corruptElementError
    }
    return bytes
  }

  func element(_ position: Int64) throws(StorageError) -> ColumnValue {
    let bytes = try bytes(position)
    guard let value = bytes.withUnsafeBytes({ column.decodeElement($0) }) else {
      throw column.corruptElementError
    }
    return value
  }

  func put(_ position: Int64, _ value: ColumnValue) throws(StorageError) {
    try put(position, column.encodeElement(value))
  }

  func put(_ position: Int64, _ bytes: [UInt8]) throws(StorageError) {
    try rows.transaction.put(table, key(position), bytes)
  }

  func delete(_ position: Int64) throws(StorageError) {
    try rows.transaction.delete(table, key(position))
  }

  private func move(_ from: Int64, by distance: Int64) throws(StorageError) {
    try put(from + distance, try bytes(from))
  }

  /// Moves the elements before or after `range`, whichever are fewer, so that `newCount` elements fit in its place. Returns
  /// the first position afterwards.
  func makeSpace(
    _ first: Int64, _ count: Int, _ range: Range<Int>, _ newCount: Int
  ) throws(StorageError) -> Int64 {
    let growth = Int64(newCount - range.count)
    guard growth != 0 else { return first }
    let front = first..<first + Int64(range.lowerBound)
    let back = first + Int64(range.upperBound)..<first + Int64(count)
    if back.count <= front.count {
      if growth > 0 {
        for position in back.reversed() { try move(position, by: growth) }
      } else {
        for position in back { try move(position, by: growth) }
        for position in back.upperBound + growth..<back.upperBound { try delete(position) }
      }
      return first
    }
    if growth > 0 {
      for position in front { try move(position, by: -growth) }
    } else {
      for position in front.reversed() { try move(position, by: -growth) }
      for position in first..<first - growth { try delete(position) }
    }
    return first - growth
  }
}
