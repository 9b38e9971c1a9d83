// Equality and order of values as the file has them. Strings are compared by their bytes in UTF-8: Swift's own comparison
// takes "é" in one scalar for "é" in two, which are different keys of an index and of a table.
import Foundation

extension ColumnValue {
  public static func == (a: ColumnValue, b: ColumnValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.int(let a), .int(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8Order(b) == 0
    case (.data(let a), .data(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.float(let a), .float(let b)): a == b
    case (.list(let a, let count), .list(let b, let otherCount)): a == b && count == otherCount
    case (.members(let a), .members(let b)): a == b
    default: a.kind == b.kind && a.kind != nil && a.orderedBytes == b.orderedBytes
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .string(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .uuid(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    default: hasher.combine(orderedBytes)
    }
  }

  /// Compares with a value of the same kind: negative, zero or positive. nil where there is no order: with null, with
  /// another kind, and with a number that is not one.
  func order(_ other: ColumnValue) -> Int? {
    switch (self, other) {
    case (.int(let a), .int(let b)): Self.order(a, b)
    case (.bool(let a), .bool(let b)): Self.order(a ? 1 : 0, b ? 1 : 0)
    case (.double(let a), .double(let b)): Self.numberOrder(a, b)
    case (.float(let a), .float(let b)): Self.numberOrder(Double(a), Double(b))
    case (.date(let a), .date(let b)):
      Self.numberOrder(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    case (.string(let a), .string(let b)): a.utf8Order(b)
    case (.null, _), (_, .null): nil
    default: kind == other.kind ? Self.bytesOrder(orderedBytes, other.orderedBytes) : nil
    }
  }

  /// Returns whether the value sorts before one of the same kind: the order of index entries, in which null is first, and
  /// a number that is not one last, or first if its sign is negative.
  func sortsBefore(_ other: ColumnValue) -> Bool {
    if let order = order(other) { return order < 0 }
    if isNull || other.isNull { return isNull && !other.isNull }
    return Self.bytesOrder(orderedBytes, other.orderedBytes) < 0
  }

  private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int {
    a < b ? -1 : a == b ? 0 : 1
  }

  private static func numberOrder(_ a: Double, _ b: Double) -> Int? {
    a.isNaN || b.isNaN ? nil : order(a, b)
  }

  private static func bytesOrder(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
  }
}

extension String {
  /// Compares the bytes in UTF-8: negative, zero or positive.
  func utf8Order(_ other: String) -> Int {
    var (a, b) = (self, other)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        let common = min(a.count, b.count)
        if common > 0, let left = a.baseAddress, let right = b.baseAddress {
          let order = memcmp(left, right, common)
          if order != 0 { return Int(order) }
        }
        return a.count - b.count
      }
    }
  }
}
