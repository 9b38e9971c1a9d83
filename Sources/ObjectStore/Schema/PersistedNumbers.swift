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

/// An integer of a stated size. Files have all of them as 64 bits; a value that does not fit is read as none.
public protocol PersistedInteger: PersistedScalar, FixedWidthInteger {}

extension PersistedInteger {
  @inlinable
  public static var columnKind: ColumnKind { .int }
  @inlinable
  public static var unset: Self { 0 }
  @inlinable
  public var columnValue: ColumnValue { .int(Int64(self)) }
  @inlinable
  public init?(_ value: ColumnValue) {
    guard case .int(let number) = value else { return nil }
    self.init(exactly: number)
  }
  @inlinable
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Self? {
    bytes.count == 8 ? Self(exactly: Int64(bitPattern: bytes.littleEndian())) : nil
  }
}

extension Int8: PersistedInteger {}
extension Int16: PersistedInteger {}
extension Int32: PersistedInteger {}
extension Int64: PersistedInteger {}
