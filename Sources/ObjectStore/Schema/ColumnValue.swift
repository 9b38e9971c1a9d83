// A property's value independent of its Swift type: what records, indexes, queries and migrations work with.
public import Foundation

/// The type of a column.
public enum ColumnKind: UInt8, Sendable, CaseIterable {
  case int = 1
  case bool, double, string, data, date, uuid, objectId, float
  /// The key of another object; null for none.
  case link
  /// Where a list's elements begin, and how many there are; null for an empty list.
  case list
  /// The number of elements of a set or map; null for an empty one.
  case members
}

/// The value of a column; `null` for an optional property that is nil.
public enum ColumnValue: Hashable, Sendable {
  case null
  case int(Int64)
  case bool(Bool)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case uuid(UUID)
  case objectId(ObjectId)
  case float(Float)
  case link(RowKey)
  case list(first: Int64, count: Int64)
  case members(Int64)
}

extension ColumnValue {
  var kind: ColumnKind? {
    switch self {
    case .null: nil
    case .int: .int
    case .bool: .bool
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .uuid: .uuid
    case .objectId: .objectId
    case .float: .float
    case .link: .link
    case .list: .list
    case .members: .members
    }
  }

  @inline(__always)
  var isNull: Bool { if case .null = self { true } else { false } }

  /// Converts a value that a program passed for a column of this kind: any integer for `int`, any number for `double`,
  /// nil and `NSNull` for null. nil if the value cannot be converted.
  init?(_ value: Any?, _ kind: ColumnKind) {
    guard let value else {
      self = .null
      return
    }
    if let exact = Self.exact(value, kind) {
      self = exact
      return
    }
    if value is NSNull {
      self = .null
      return
    }
    if let value = value as? any PersistedValue, let column = value.columnValue.cast(to: kind) {
      self = column
      return
    }
    guard let number = value as? any BinaryInteger, let integer = Int64(exactly: number),
      let column = ColumnValue.int(integer).cast(to: kind)
    else { return nil }
    self = column
  }

  /// Converts a value that has exactly the column's type, as nearly all have.
  private static func exact(_ value: Any, _ kind: ColumnKind) -> ColumnValue? {
    switch kind {
    case .int: (value as? Int).map { .int(Int64($0)) }
    case .bool: (value as? Bool).map { .bool($0) }
    case .double: (value as? Double).map { .double($0) }
    case .string: (value as? String).map { .string($0) }
    case .data: (value as? Data).map { .data($0) }
    case .date: (value as? Date).map { .date($0) }
    case .uuid: (value as? UUID).map { .uuid($0) }
    case .objectId: (value as? ObjectId).map { .objectId($0) }
    case .float: (value as? Float).map { .float($0) }
    case .link: (value as? RowKey).map { .link($0) }
    case .list, .members: nil
    }
  }

  /// Returns the same value as one of `kind`; nil if there is none.
  func cast(to kind: ColumnKind) -> ColumnValue? {
    if self == .null || self.kind == kind { return self }
    switch (self, kind) {
    case (.int(let number), .double): return .double(Double(number))
    case (.int(let number), .float): return .float(Float(number))
    case (.float(let number), .double): return .double(Double(number))
    case (.double(let number), .float): return .float(Float(number))
    default: return nil
    }
  }

  /// The value with its Swift type, for migrations and descriptions.
  var anyValue: Any? {
    switch self {
    case .null: nil
    case .int(let value): Int(value)
    case .bool(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .uuid(let value): value
    case .objectId(let value): value
    case .float(let value): value
    case .link(let key): key
    case .list(_, let count), .members(let count): Int(count)
    }
  }

  /// The default value of a column that is not optional.
  static func unset(_ kind: ColumnKind) -> ColumnValue {
    switch kind {
    case .int: .int(0)
    case .bool: .bool(false)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data(Data())
    case .date: .date(Date(timeIntervalSince1970: 0))
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .objectId: .objectId(ObjectId(bytes: Array(repeating: 0, count: 12)))
    case .float: .float(0)
    case .link, .list, .members: .null
    }
  }
}
