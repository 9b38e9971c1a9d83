// A property's value apart from its Swift type: what records, indexes, queries and migrations deal in.
public import Foundation

/// The types that a property can have.
public enum ColumnKind: UInt8, Sendable, CaseIterable {
  case int = 1
  case bool, double, string, data, date, uuid, objectId
}

/// The value of a property; `null` where an optional one is nil.
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
    }
  }

  @inline(__always)
  var isNull: Bool { if case .null = self { true } else { false } }

  /// How many bytes it takes in a record.
  var byteCount: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .double, .date: 8
    case .objectId: 12
    case .uuid: 16
    case .string(let value): value.utf8.count
    case .data(let value): value.count
    }
  }

  /// Writes the value's bytes; answers how many.
  func write(to target: UnsafeMutableRawPointer) -> Int {
    switch self {
    case .null: break
    case .int(let value): target.storeBytes(of: value.littleEndian, as: Int64.self)
    case .bool(let value): target.storeBytes(of: value ? 1 : 0, as: UInt8.self)
    case .double(let value):
      target.storeBytes(of: value.bitPattern.littleEndian, as: UInt64.self)
    case .date(let value):
      let bits = value.timeIntervalSinceReferenceDate.bitPattern
      target.storeBytes(of: bits.littleEndian, as: UInt64.self)
    case .uuid(let value): target.storeBytes(of: value.uuid, as: uuid_t.self)
    case .objectId(let value): value.bytes.withUnsafeBytes { Self.copy($0, target) }
    case .string(var value): value.withUTF8 { Self.copy(UnsafeRawBufferPointer($0), target) }
    case .data(let value): value.withUnsafeBytes { Self.copy($0, target) }
    }
    return byteCount
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer, _ target: UnsafeMutableRawPointer) {
    if let start = bytes.baseAddress { target.copyMemory(from: start, byteCount: bytes.count) }
  }

  /// What was given for a property of this kind, where it can be one: any whole number for `int`, any number for
  /// `double`, nil and `NSNull` for null.
  init?(_ value: Any?, _ kind: ColumnKind) {
    guard let value else {
      self = .null
      return
    }
    if let usual = Self.usual(value, kind) {
      self = usual
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
    guard kind == .int || kind == .double, let number = value as? any BinaryInteger,
      let exact = Int64(exactly: number)
    else { return nil }
    self = kind == .int ? .int(exact) : .double(Double(exact))
  }

  /// A value of the very type: what is nearly always given.
  private static func usual(_ value: Any, _ kind: ColumnKind) -> ColumnValue? {
    switch kind {
    case .int: (value as? Int).map { .int(Int64($0)) }
    case .bool: (value as? Bool).map { .bool($0) }
    case .double: (value as? Double).map { .double($0) }
    case .string: (value as? String).map { .string($0) }
    case .data: (value as? Data).map { .data($0) }
    case .date: (value as? Date).map { .date($0) }
    case .uuid: (value as? UUID).map { .uuid($0) }
    case .objectId: (value as? ObjectId).map { .objectId($0) }
    }
  }

  /// The same as a value of that kind; nil where it is none.
  func cast(to kind: ColumnKind) -> ColumnValue? {
    if self == .null || self.kind == kind { return self }
    if kind == .double, case .int(let number) = self { return .double(Double(number)) }
    return nil
  }

  /// As Swift values, for migrations and descriptions.
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
    }
  }

  /// What a property of this kind that is not optional has where nobody set it.
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
    }
  }

  /// The order of values of one kind, null first; nil where they are of different kinds.
  func precedes(_ other: ColumnValue) -> Bool? {
    switch (self, other) {
    case (.null, .null): false
    case (.null, _): true
    case (_, .null): false
    case (.int(let a), .int(let b)): a < b
    case (.bool(let a), .bool(let b)): !a && b
    case (.double(let a), .double(let b)): a < b
    case (.string(let a), .string(let b)): a < b
    case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
    case (.date(let a), .date(let b)): a < b
    case (.uuid(let a), .uuid(let b)): a.uuidString < b.uuidString
    case (.objectId(let a), .objectId(let b)): a < b
    default: nil
    }
  }
}

// MARK: Bytes

extension ColumnValue {
  /// Of a record's bytes. nil where they are not those of a value of this kind.
  init?(_ kind: ColumnKind, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case .int:
      guard bytes.count == 8 else { return nil }
      self = .int(Int64(bitPattern: bytes.littleEndian()))
    case .bool:
      guard bytes.count == 1 else { return nil }
      self = .bool(bytes[0] != 0)
    case .double:
      guard bytes.count == 8 else { return nil }
      self = .double(Double(bitPattern: bytes.littleEndian()))
    case .string: self = .string(String(decoding: bytes, as: UTF8.self))
    case .data: self = .data(Data(bytes))
    case .date:
      guard bytes.count == 8 else { return nil }
      self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bytes.littleEndian())))
    case .uuid:
      guard bytes.count == 16 else { return nil }
      self = .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
    case .objectId:
      guard bytes.count == 12 else { return nil }
      self = .objectId(ObjectId(bytes: Array(bytes)))
    }
  }

  /// Bytes whose order as unsigned bytes is that of the values: a primary key's, and the first part of an index's.
  var orderedBytes: [UInt8] {
    switch self {
    case .null: []
    case .int(let value): Self.bigEndian(UInt64(bitPattern: value) ^ 1 << 63)
    case .bool(let value): [value ? 1 : 0]
    case .double(let value): Self.bigEndian(Self.ordered(value))
    case .date(let value): Self.bigEndian(Self.ordered(value.timeIntervalSinceReferenceDate))
    case .string(let value): Array(value.utf8)
    case .data(let value): Array(value)
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { Array($0) }
    case .objectId(let value): value.bytes
    }
  }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// Negative numbers have all bits turned, others the sign alone. Both zeros are one.
  private static func ordered(_ value: Double) -> UInt64 {
    let bits = (value == 0 ? 0 : value).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}

extension [UInt8] {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}

extension UnsafeRawBufferPointer {
  @inlinable
  func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int = 0) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  func part(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[start..<end])
  }
}
