// The value in the key of an index entry, so that a query on an indexed property reads the index alone.
import Foundation

extension IndexEntry {
  /// Returns the value of an entry, whose key ends with a row's key of `rowLength` bytes; nil if the entry has only the
  /// first bytes of a long value, or is corrupt.
  static func value(
    ofKey key: UnsafeRawBufferPointer, rowLength: Int, _ kind: ColumnKind
  ) -> ColumnValue? {
    guard let mark = key.first, key.count > rowLength else { return nil }
    if mark == 0 { return .null }
    let bytes = key.slice(1, key.count - rowLength)
    switch kind {
    case .string: return text(bytes).map { .string(String(decoding: $0, as: UTF8.self)) }
    case .data: return text(bytes).map { .data(Data($0)) }
    default: return ColumnValue(kind, ordered: bytes)
    }
  }

  /// The bytes of a text without the zero behind them; nil if they may have been cut.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard bytes.last == 0, bytes.count <= maxIndexedLength else { return nil }
    return bytes.slice(0, bytes.count - 1)
  }
}
