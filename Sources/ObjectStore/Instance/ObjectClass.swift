// The schema of a subclass of `Object`, found by reflecting one new object, once for each class.
import Foundation

/// A class with its schema and the memory layout of its property wrappers.
final class ObjectClass: Sendable {
  let type: Object.Type
  let schema: ObjectSchema
  /// Where each column's wrapper is in an object; nil if that cannot be determined.
  let wrappers: [WrapperLayout]?

  private init(_ type: Object.Type) {
    self.type = type
    let prototype = type.init()
    var columns: [Column] = []
    var ordinals: [Int] = []
    Self.visitProperties(of: prototype) { name, property in
      columns.append(
        Column(
          name: name, kind: property.kind, isOptional: property.isOptional,
          isPrimaryKey: property.isPrimaryKey, isIndexed: property.isIndexed,
          index: columns.count))
      ordinals.append(Int(prototype.nextTicket &- property.ticket))
    }
    schema = ObjectSchema(name: Self.name(of: type), columns: columns, ordinals: ordinals)
    wrappers = WrapperLayout.all(in: prototype)
  }

  /// The same class under the name that a file has for it.
  init(_ other: ObjectClass, renamedTo name: String) {
    type = other.type
    schema = ObjectSchema(other.schema, renamedTo: name)
    wrappers = other.wrappers
  }

  /// Returns the class's name without its module's.
  static func name(of type: Object.Type) -> String { String(describing: type) }

  private static let cache = LockedValue<[ObjectIdentifier: ObjectClass]>([:])

  static func of(_ type: Object.Type) -> ObjectClass {
    let id = ObjectIdentifier(type)
    if let known = cache.withLock({ $0[id] }) { return known }
    // Not under the lock: the class's initializer is code of the program.
    let reflected = ObjectClass(type)
    return cache.withLock { cache in
      if let other = cache[id] { return other }
      cache[id] = reflected
      return reflected
    }
  }

  /// Returns the stored properties of an object, those of the base class first.
  static func children(of object: Object) -> [Mirror.Child] {
    var mirrors: [Mirror] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let next = mirror {
      mirrors.append(next)
      mirror = next.superclassMirror
    }
    return mirrors.reversed().flatMap(\.children)
  }

  /// Calls `body` with the name and wrapper of each persisted property, in the order of the columns.
  static func visitProperties(
    of object: Object, _ body: (String, any PersistedProperty) -> Void
  ) {
    for child in children(of: object) {
      guard let property = child.value as? any PersistedProperty, let label = child.label else {
        continue
      }
      // The compiler names a wrapper as its property with an underscore in front.
      body(String(label.dropFirst()), property)
    }
  }

  /// Returns the column of a key path; nil if it does not lead to a persisted property.
  func column(of path: AnyKeyPath) -> Column? {
    let object = type.init()
    let tracer = KeyPathTracer()
    object.trace(tracer)
    _ = object[keyPath: path]
    return tracer.ordinal == 0 ? nil : schema.columns[schema.column(ordinal: tracer.ordinal)]
  }
}
