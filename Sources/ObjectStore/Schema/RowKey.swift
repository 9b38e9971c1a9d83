// The key of a row: what identifies an object within its class, and what a link refers to.

/// The key of a row: an integer, or ordered bytes.
public enum RowKey: Hashable, Sendable {
  case int(Int64)
  case bytes([UInt8])
}

extension RowKey {
  /// The smallest key after this one; nil for the largest integer.
  var next: RowKey? {
    switch self {
    case .int(let key): key == .max ? nil : .int(key + 1)
    case .bytes(let key): .bytes(key + [0])
    }
  }
}

extension RowKey: Comparable {
  public static func < (a: RowKey, b: RowKey) -> Bool {
    switch (a, b) {
    case (.int(let a), .int(let b)): a < b
    case (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
    case (.int, .bytes): true
    case (.bytes, .int): false
    }
  }
}
