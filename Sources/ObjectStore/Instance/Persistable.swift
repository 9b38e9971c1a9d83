// The types that a property can have: single values, optional objects, collections, and backlinks.
public import Foundation

/// The type of a property marked with `@Persisted`.
public protocol Persistable {
  /// nil for a property without a column.
  static var persistedShape: PropertyShape? { get }
  /// The value of a property that was not set.
  static var unsetPersisted: Self { get }
  /// The value in a record; null for links and collections of unmanaged objects.
  var persistedColumnValue: ColumnValue { get }
  var persistedContent: PropertyContent { get }
  /// Returns the value of a managed object's property; `own` is what its wrapper holds.
  static func readPersisted(
    _ owner: ObjectBase, _ ticket: UInt32, _ own: @autoclosure () -> Self
  ) -> Self
  static func writePersisted(_ value: Self, _ owner: ObjectBase, _ ticket: UInt32)
  /// Called when the object with the wrapper of this value has become managed.
  mutating func ownerDidBecomeManaged(_ property: ManagedProperty)
}

extension Persistable {
  @inlinable
  public mutating func ownerDidBecomeManaged(_ property: ManagedProperty) {}
}

/// The type of a collection's elements: the types of single values, and classes of objects.
public protocol CollectionElement: Hashable {
  static var elementShape: PropertyShape { get }
  /// What is returned after misuse.
  static var unsetElement: Self { get }
  var elementContent: ElementContent { get }
  /// Returns the element that is stored as `value`; nil if it is of another type, and after misuse.
  static func makeElement(_ value: ColumnValue, _ source: ElementSource) -> Self?
}

/// The realm that an element is read from.
public struct ElementSource {
  let instance: OpenRealm

  init(_ instance: OpenRealm) { self.instance = instance }
}

/// A type that may be optional in a property.
public protocol PersistableElement: CollectionElement {
  /// Returns the value of an optional property of a managed object.
  static func readOptional(_ owner: ObjectBase, _ ticket: UInt32) -> Self?
}

// MARK: Single values

/// The type of a single value.
public protocol PersistableScalar: PersistedScalar, Persistable, PersistableElement {}

extension Int: PersistableScalar {}
extension Int8: PersistableScalar {}
extension Int16: PersistableScalar {}
extension Int32: PersistableScalar {}
extension Int64: PersistableScalar {}
extension Bool: PersistableScalar {}
extension Float: PersistableScalar {}
extension Double: PersistableScalar {}
extension String: PersistableScalar {}
extension Data: PersistableScalar {}
extension Date: PersistableScalar {}
extension UUID: PersistableScalar {}
extension ObjectId: PersistableScalar {}

extension PersistableScalar {
  public static var persistedShape: PropertyShape? { elementShape }
  @inlinable
  public static var unsetPersisted: Self { unset }
  @inlinable
  public var persistedColumnValue: ColumnValue { columnValue }
  public var persistedContent: PropertyContent { .column(columnValue) }

  public static var elementShape: PropertyShape { PropertyShape(columnKind) }
  public static var unsetElement: Self { unset }
  public var elementContent: ElementContent { .value(columnValue) }
  public static func makeElement(_ value: ColumnValue, _ source: ElementSource) -> Self? {
    Self(value)
  }

  @inlinable
  @inline(__always)
  public static func readPersisted(
    _ owner: ObjectBase, _ ticket: UInt32, _ own: @autoclosure () -> Self
  ) -> Self {
    readOptional(owner, ticket) ?? unset
  }

  @inlinable
  @inline(__always)
  public static func writePersisted(_ value: Self, _ owner: ObjectBase, _ ticket: UInt32) {
    owner.writeColumn(ticket, value.columnValue)
  }

  @inlinable
  @inline(__always)
  public static func readOptional(_ owner: ObjectBase, _ ticket: UInt32) -> Self? {
    // A cached row that is still current needs no search in the file.
    let cached = owner.cachedColumn(ticket)
    if let start = cached.start,
      let value = decode(UnsafeRawBufferPointer(start: start, count: cached.count))
    {
      return value
    }
    if cached.count < 0 { return nil }
    var found: Self?
    owner.readColumn(ticket) { bytes in
      guard let bytes else { return true }
      found = decode(bytes)
      return found != nil
    }
    return found
  }
}

// MARK: Optionals

extension Optional: Persistable where Wrapped: PersistableElement {
  public static var persistedShape: PropertyShape? { elementShape }
  @inlinable
  public static var unsetPersisted: Wrapped? { nil }
  public var persistedColumnValue: ColumnValue {
    if case .value(let column) = elementContent { column } else { .null }
  }
  public var persistedContent: PropertyContent { .value(elementContent) }

  @inlinable
  @inline(__always)
  public static func readPersisted(
    _ owner: ObjectBase, _ ticket: UInt32, _ own: @autoclosure () -> Wrapped?
  ) -> Wrapped? {
    Wrapped.readOptional(owner, ticket)
  }

  public static func writePersisted(_ value: Wrapped?, _ owner: ObjectBase, _ ticket: UInt32) {
    switch value.elementContent {
    case .value(let column): owner.writeColumn(ticket, column)
    case let object: owner.writeContent(ticket, .value(object))
    }
  }

  /// The row has the link from now on: an object here would be retained as long as its owner.
  public mutating func ownerDidBecomeManaged(_ property: ManagedProperty) { self = nil }
}

extension Optional: CollectionElement where Wrapped: PersistableElement {
  public static var elementShape: PropertyShape {
    let shape = Wrapped.elementShape
    return PropertyShape(shape.kind, isOptional: true, target: shape.target)
  }
  public static var unsetElement: Wrapped? { nil }
  public var elementContent: ElementContent { self?.elementContent ?? .value(.null) }
  public static func makeElement(_ value: ColumnValue, _ source: ElementSource) -> Wrapped?? {
    value == .null ? .some(nil) : Wrapped.makeElement(value, source).map { .some($0) }
  }
}
