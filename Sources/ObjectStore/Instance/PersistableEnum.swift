// Enumerations with raw values, stored as their raw values.

/// An enumeration as the type of a property: stored as its raw value, which is of a type that a property can have.
///
/// ```swift
/// enum Mood: String, PersistableEnum { case good, bad }
/// ```
///
/// A property that was not set has the first case. A raw value in the file that is no case is reported as misuse, with
/// `fileAccess`, when it is read.
public protocol PersistableEnum: PersistableScalar, RawRepresentable, CaseIterable, Hashable
where RawValue: PersistedScalar {}

extension PersistableEnum {
  public static var columnKind: ColumnKind { RawValue.columnKind }
  public static var unset: Self {
    guard let first = allCases.first else {
      preconditionFailure("\(self) has no case that a property could have.")
    }
    return first
  }
  public var columnValue: ColumnValue { rawValue.columnValue }
  public init?(_ value: ColumnValue) {
    guard let raw = RawValue(value) else { return nil }
    self.init(rawValue: raw)
  }
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> Self? {
    RawValue.decode(bytes).flatMap { Self(rawValue: $0) }
  }
}
