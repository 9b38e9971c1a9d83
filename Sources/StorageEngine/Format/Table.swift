// Handles of tables.

/// The kind of a table's keys.
public enum KeyKind: UInt8, Sendable, BitwiseCopyable {
  /// Signed integers of 64 bits in ascending order.
  case int64 = 0
  /// Byte strings of 1 to 511 bytes, ordered as unsigned bytes.
  case bytes = 1
}

/// A handle of a table, valid as long as the file exists. In a snapshot older than the table, the table is empty.
public struct Table: Sendable, Hashable {
  package let index: Int
  /// The kind of the table's keys.
  public let keyKind: KeyKind
}
