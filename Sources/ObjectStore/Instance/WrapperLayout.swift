// The offsets of property wrappers in an object's memory, from which the values of an added object are read. A mirror
// finds the wrappers as well, but takes microseconds for each object; it is used once for each class.
import Foundation

/// Where a wrapper is in every object of a class, and of which type.
struct WrapperLayout: Sendable {
  private let offset: Int
  private let form: Form

  /// The types whose values are read without an existential, and all others.
  private enum Form: Sendable {
    case int, bool, double, string, data, date, uuid, objectId
    case anyInt, anyBool, anyDouble, anyString, anyData, anyDate, anyUUID, anyObjectId
    case other(any PersistedProperty.Type)
  }

  private static let forms: [ObjectIdentifier: Form] = [
    ObjectIdentifier(Persisted<Int>.self): .int, ObjectIdentifier(Persisted<Bool>.self): .bool,
    ObjectIdentifier(Persisted<Double>.self): .double,
    ObjectIdentifier(Persisted<String>.self): .string,
    ObjectIdentifier(Persisted<Data>.self): .data, ObjectIdentifier(Persisted<Date>.self): .date,
    ObjectIdentifier(Persisted<UUID>.self): .uuid,
    ObjectIdentifier(Persisted<ObjectId>.self): .objectId,
    ObjectIdentifier(Persisted<Int?>.self): .anyInt,
    ObjectIdentifier(Persisted<Bool?>.self): .anyBool,
    ObjectIdentifier(Persisted<Double?>.self): .anyDouble,
    ObjectIdentifier(Persisted<String?>.self): .anyString,
    ObjectIdentifier(Persisted<Data?>.self): .anyData,
    ObjectIdentifier(Persisted<Date?>.self): .anyDate,
    ObjectIdentifier(Persisted<UUID?>.self): .anyUUID,
    ObjectIdentifier(Persisted<ObjectId?>.self): .anyObjectId,
  ]

  private init(_ offset: Int, _ type: any PersistedProperty.Type) {
    self.offset = offset
    form = Self.forms[ObjectIdentifier(type)] ?? .other(type)
  }

  /// Returns the layouts by column; nil if the class has a custom mirror, or if an offset of the runtime is not that of the
  /// wrapper that the mirror shows: each wrapper is recognized by its ticket.
  static func all(in prototype: ObjectBase) -> [WrapperLayout]? {
    let type = Swift.type(of: prototype)
    let children = ObjectClass.children(of: prototype)
    guard !(prototype is any CustomReflectable), fieldCount(type) == children.count else {
      return nil
    }
    var layouts: [WrapperLayout] = []
    for (index, child) in children.enumerated() {
      guard let property = child.value as? any PersistedProperty, child.label != nil,
        Swift.type(of: property).shape != nil
      else { continue }
      let layout = WrapperLayout(fieldOffset(type, index: index), Swift.type(of: property))
      guard Swift.type(of: property).ticket(at: layout.address(in: prototype)) == property.ticket
      else { return nil }
      layouts.append(layout)
    }
    return layouts
  }

  @inline(__always)
  private func address(in object: ObjectBase) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(Unmanaged.passUnretained(object).toOpaque()) + offset
  }

  /// Returns the wrapper's value in an unmanaged object.
  @inline(__always)
  func value(in object: ObjectBase) -> ColumnValue {
    let wrapper = UnsafeRawPointer(address(in: object))
    switch form {
    case .int: return Persisted<Int>.value(at: wrapper)
    case .bool: return Persisted<Bool>.value(at: wrapper)
    case .double: return Persisted<Double>.value(at: wrapper)
    case .string: return Persisted<String>.value(at: wrapper)
    case .data: return Persisted<Data>.value(at: wrapper)
    case .date: return Persisted<Date>.value(at: wrapper)
    case .uuid: return Persisted<UUID>.value(at: wrapper)
    case .objectId: return Persisted<ObjectId>.value(at: wrapper)
    case .anyInt: return Persisted<Int?>.value(at: wrapper)
    case .anyBool: return Persisted<Bool?>.value(at: wrapper)
    case .anyDouble: return Persisted<Double?>.value(at: wrapper)
    case .anyString: return Persisted<String?>.value(at: wrapper)
    case .anyData: return Persisted<Data?>.value(at: wrapper)
    case .anyDate: return Persisted<Date?>.value(at: wrapper)
    case .anyUUID: return Persisted<UUID?>.value(at: wrapper)
    case .anyObjectId: return Persisted<ObjectId?>.value(at: wrapper)
    case .other(let type): return type.value(at: wrapper)
    }
  }

  /// Returns what is in the wrapper of an unmanaged object.
  func content(in object: ObjectBase) -> PropertyContent {
    guard case .other(let type) = form else { return .column(value(in: object)) }
    return type.content(at: address(in: object))
  }

  /// Informs the wrapper that its object has become managed.
  func ownerDidBecomeManaged(_ object: ObjectBase, _ property: ManagedProperty) {
    guard case .other(let type) = form else { return }
    type.ownerDidBecomeManaged(at: address(in: object), property)
  }
}

/// The runtime's functions behind `Mirror`: a type's stored properties, those of base classes first.
@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, index: Int) -> Int
