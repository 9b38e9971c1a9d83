// Where in an object's memory its property wrappers are, so that the values of an object that is added are read there.
// A mirror finds them as well, and takes microseconds for each object; it is asked once for each class.
import Foundation

/// A wrapper's place in every object of a class.
struct WrapperLayout: Sendable {
  private let offset: Int
  private let form: Form

  /// The types whose values are read without a detour, and the rest.
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

  /// By column. nil where the class has a mirror of its own, or the runtime's places turn out not to be those of the
  /// wrappers that the mirror shows: each is recognised by its ticket.
  static func all(in prototype: Object) -> [WrapperLayout]? {
    let type = Swift.type(of: prototype)
    let children = ObjectSchema.children(of: prototype)
    guard !(prototype is any CustomReflectable), fieldCount(type) == children.count else {
      return nil
    }
    var places: [WrapperLayout] = []
    for (index, child) in children.enumerated() {
      guard let property = child.value as? any PersistedProperty, child.label != nil else {
        continue
      }
      let place = WrapperLayout(fieldOffset(type, index: index), Swift.type(of: property))
      guard Swift.type(of: property).ticket(at: place.address(in: prototype)) == property.ticket
      else { return nil }
      places.append(place)
    }
    return places
  }

  @inline(__always)
  private func address(in object: Object) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()) + offset
  }

  /// What the wrapper holds in an object that is in no realm.
  @inline(__always)
  func value(in object: Object) -> ColumnValue {
    let place = address(in: object)
    switch form {
    case .int: return Persisted<Int>.value(at: place)
    case .bool: return Persisted<Bool>.value(at: place)
    case .double: return Persisted<Double>.value(at: place)
    case .string: return Persisted<String>.value(at: place)
    case .data: return Persisted<Data>.value(at: place)
    case .date: return Persisted<Date>.value(at: place)
    case .uuid: return Persisted<UUID>.value(at: place)
    case .objectId: return Persisted<ObjectId>.value(at: place)
    case .anyInt: return Persisted<Int?>.value(at: place)
    case .anyBool: return Persisted<Bool?>.value(at: place)
    case .anyDouble: return Persisted<Double?>.value(at: place)
    case .anyString: return Persisted<String?>.value(at: place)
    case .anyData: return Persisted<Data?>.value(at: place)
    case .anyDate: return Persisted<Date?>.value(at: place)
    case .anyUUID: return Persisted<UUID?>.value(at: place)
    case .anyObjectId: return Persisted<ObjectId?>.value(at: place)
    case .other(let type): return type.value(at: place)
    }
  }
}

/// The runtime's own account of a type's stored properties, those of base classes first: what its mirrors are made of.
@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, index: Int) -> Int
