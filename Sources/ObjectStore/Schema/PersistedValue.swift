// The Swift types that a property can have, and how each is decoded directly from a record's bytes.
public import Foundation

/// The type of a single value: `Int`, `Int8` to `Int64`, `Bool`, `Float`, `Double`, `String`, `Data`, `Date`, `UUID`,
/// `ObjectId`, enumerations of these (`PersistableEnum`), and optionals of all.
public protocol PersistedValue: Sendable, Equatable {
  static var columnKind: ColumnKind { get }
  static var isOptionalColumn: Bool { get }
  /// The value of a property that was not set.
  static var unset: Self { get }
  var columnValue: ColumnValue { get }
  /// Fails if the value has another kind.
  init?(_ value: ColumnValue)
  /// Decodes a record's bytes, which are not null; returns nil if they are corrupt.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> Self?
}

/// The type of a single value that is not optional.
public protocol PersistedScalar: PersistedValue, Hashable {}

extension PersistedScalar {
  @inlinable
  public static var isOptionalColumn: Bool { false }
}

extension Int: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .int }
  @inlinable
  public static var unset: Int { 0 }
  @inlinable
  public var columnValue: ColumnValue { .int(Int64(self)) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .int(let number) = value else { return nil }
    self = Int(number)
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Int? {
    bytes.count == 8 ? Int(Int64(bitPattern: bytes.littleEndian())) : nil
  }
}

extension Bool: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .bool }
  @inlinable
  public static var unset: Bool { false }
  @inlinable
  public var columnValue: ColumnValue { .bool(self) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .bool(let truth) = value else { return nil }
    self = truth
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    bytes.count == 1 ? bytes[0] != 0 : nil
  }
}

extension Double: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .double }
  @inlinable
  public static var unset: Double { 0 }
  @inlinable
  public var columnValue: ColumnValue { .double(self) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .double(let number) = value else { return nil }
    self = number
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Double? {
    bytes.count == 8 ? Double(bitPattern: bytes.littleEndian()) : nil
  }
}

extension String: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .string }
  @inlinable
  public static var unset: String { "" }
  @inlinable
  public var columnValue: ColumnValue { .string(self) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
    String(decoding: bytes, as: UTF8.self)
  }
}

extension Data: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .data }
  @inlinable
  public static var unset: Data { Data() }
  @inlinable
  public var columnValue: ColumnValue { .data(self) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .data(let data) = value else { return nil }
    self = data
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Data? { Data(bytes) }
}

extension Date: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .date }
  @inlinable
  public static var unset: Date { Date(timeIntervalSince1970: 0) }
  @inlinable
  public var columnValue: ColumnValue { .date(self) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .date(let date) = value else { return nil }
    self = date
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Date? {
    Double.decode(bytes).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

extension UUID: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .uuid }
  @inlinable
  public static var unset: UUID { UUID() }
  @inlinable
  public var columnValue: ColumnValue { .uuid(self) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .uuid(let uuid) = value else { return nil }
    self = uuid
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> UUID? {
    bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
  }
}

extension ObjectId: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .objectId }
  public static var unset: ObjectId { .generate() }
  @inlinable
  public var columnValue: ColumnValue { .objectId(self) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .objectId(let id) = value else { return nil }
    self = id
  }
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> ObjectId? {
    bytes.count == 12 ? ObjectId(bytes: Array(bytes)) : nil
  }
}

extension Optional: PersistedValue where Wrapped: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { Wrapped.columnKind }
  @inlinable
  public static var isOptionalColumn: Bool { true }
  @inlinable
  public static var unset: Wrapped? { nil }
  @inlinable
  public var columnValue: ColumnValue { self?.columnValue ?? .null }
  @inlinable
  public init?(_ value: ColumnValue) {
    if case .null = value {
      self = .none
      return
    }
    guard let wrapped = Wrapped(value) else { return nil }
    self = .some(wrapped)
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Wrapped?? {
    Wrapped.decode(bytes).map { .some($0) }
  }
}
