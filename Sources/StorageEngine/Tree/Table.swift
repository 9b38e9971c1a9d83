// How tables are named in calls.

public enum KeyKind: UInt8, Sendable, BitwiseCopyable {
  case int64 = 0
  /// Byte strings of 1 to 511 bytes, ordered as unsigned bytes.
  case bytes = 1
}

/// A table of this database: valid for as long as the file lives. A snapshot older than the table sees it empty.
public struct Table: Sendable, Hashable {
  package let index: Int
  public let keyKind: KeyKind
}
