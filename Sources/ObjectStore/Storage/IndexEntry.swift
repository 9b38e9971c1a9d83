// The keys of rows, and the entries of indexes: the value's ordered bytes, then the row's key.
import StorageEngine

/// The encoding of row keys and index entries.
enum IndexEntry {
  /// Leaves space for a row's key in the key of an index entry.
  private static let maxKeyLength = 255
  /// The number of bytes of a string or data that an entry has.
  static let maxIndexedLength = 200

  /// Returns the key of the row with this primary key. Error `invalidValue`: longer than `maxKeyLength`.
  static func rowKey(
    _ value: ColumnValue, _ kind: KeyKind, className: String
  ) throws(RealmError) -> RowKey {
    if kind == .int64, case .int(let number) = value { return .int(number) }
    let ordered = value.orderedBytes
    guard ordered.count <= maxKeyLength else {
      throw RealmError(
        .invalidValue,
        "A primary key has at most \(maxKeyLength) bytes; this one of \(className) has \(ordered.count)."
      )
    }
    return .bytes((value == .null ? [0] : [1]) + ordered)
  }

  /// Returns the first bytes of all entries of a value. Longer values are cut: a search compares the row's value too.
  static func prefix(_ value: ColumnValue) -> [UInt8] {
    guard value != .null else { return [0] }
    switch value {
    case .string, .data:
      return [1] + value.orderedBytes.prefix(maxIndexedLength) + [0]
    default: return [1] + value.orderedBytes
    }
  }

  /// Returns the key of the entry of a value in a row.
  static func key(_ value: ColumnValue, _ row: RowKey) -> RowKey {
    .bytes(prefix(value) + rowBytes(row))
  }

  /// Returns the key of a row as the value of an index entry.
  static func rowBytes(_ key: RowKey) -> [UInt8] {
    switch key {
    case .int(let number): ColumnValue.int(number).orderedBytes
    case .bytes(let bytes): bytes
    }
  }

  /// Returns the key of the row that an entry's value names.
  static func rowKey(ofEntry bytes: UnsafeRawBufferPointer, _ kind: KeyKind) -> RowKey {
    guard kind == .int64, bytes.count == 8 else { return .bytes(Array(bytes)) }
    let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return .int(Int64(bitPattern: number ^ 1 << 63))
  }
}
