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
    case .int: return number(bytes).map { .int(Int64(bitPattern: $0 ^ 1 << 63)) }
    case .bool: return bytes.first.map { .bool($0 != 0) }
    case .double: return number(bytes).map { .double(double($0)) }
    case .date:
      return number(bytes).map { .date(Date(timeIntervalSinceReferenceDate: double($0))) }
    case .string: return text(bytes).map { .string(String(decoding: $0, as: UTF8.self)) }
    case .data: return text(bytes).map { .data(Data($0)) }
    case .uuid, .objectId: return ColumnValue(kind, bytes)
    }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    bytes.count == 8 ? bytes.loadUnaligned(as: UInt64.self).byteSwapped : nil
  }

  /// Inverts the encoding that orders numbers of both signs.
  private static func double(_ bits: UInt64) -> Double {
    Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
  }

  /// The bytes of a text without the zero behind them; nil if they may have been cut.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard bytes.last == 0, bytes.count <= maxIndexedLength else { return nil }
    return bytes.slice(0, bytes.count - 1)
  }
}
