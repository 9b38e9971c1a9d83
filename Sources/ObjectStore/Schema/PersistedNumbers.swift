// Integers of other sizes, which take 8 bytes each as `Int` does, and `Float`, which takes 4.

extension Float: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .float }
  @inlinable
  public static var unset: Float { 0 }
  @inlinable
  public var columnValue: ColumnValue { .float(self) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .float(let number) = value else { return nil }
    self = number
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Float? {
    bytes.count == 4 ? Float(bitPattern: bytes.littleEndian()) : nil
  }
}

extension Int8: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .int }
  @inlinable
  public static var unset: Int8 { 0 }
  @inlinable
  public var columnValue: ColumnValue { .int(Int64(self)) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .int(let number) = value else { return nil }
    self.init(exactly: number)
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Int8? {
    bytes.count == 8 ? Int8(exactly: Int64(bitPattern: bytes.littleEndian())) : nil
  }
}

extension Int16: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .int }
  @inlinable
  public static var unset: Int16 { 0 }
  @inlinable
  public var columnValue: ColumnValue { .int(Int64(self)) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .int(let number) = value else { return nil }
    self.init(exactly: number)
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Int16? {
    bytes.count == 8 ? Int16(exactly: Int64(bitPattern: bytes.littleEndian())) : nil
  }
}

extension Int32: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .int }
  @inlinable
  public static var unset: Int32 { 0 }
  @inlinable
  public var columnValue: ColumnValue { .int(Int64(self)) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .int(let number) = value else { return nil }
    self.init(exactly: number)
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Int32? {
    bytes.count == 8 ? Int32(exactly: Int64(bitPattern: bytes.littleEndian())) : nil
  }
}

extension Int64: PersistedScalar {
  @inlinable
  public static var columnKind: ColumnKind { .int }
  @inlinable
  public static var unset: Int64 { 0 }
  @inlinable
  public var columnValue: ColumnValue { .int(Int64(self)) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .int(let number) = value else { return nil }
    self.init(exactly: number)
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    bytes.count == 8 ? Int64(exactly: Int64(bitPattern: bytes.littleEndian())) : nil
  }
}
