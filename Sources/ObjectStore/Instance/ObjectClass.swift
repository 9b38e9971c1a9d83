// The schema of a subclass of `Object`, found by reflecting one new object, once for each class.
import Foundation

/// A class with its schema and the memory layout of its property wrappers.
final class ObjectClass: Sendable {
  let type: ObjectBase.Type
  let schema: ObjectSchema
  /// Where each column's wrapper is in an object; nil if that cannot be determined.
  let wrappers: [WrapperLayout]?
  /// The class of the objects to which each column links; nil for values.
  let targets: [ObjectBase.Type?]

  private init(_ type: ObjectBase.Type) {
    self.type = type
    let prototype = type.init()
    var columns: [Column] = []
    var ordinals: [Int] = []
    var targets: [ObjectBase.Type?] = []
    let name = Self.name(of: type)
    Self.visitProperties(of: prototype) { property, wrapper in
      guard let shape = Swift.type(of: wrapper).shape else { return }
      let column = Self.column(property, wrapper, shape, columns.count, of: name)
      columns.append(column)
      ordinals.append(Int(prototype.nextTicket &- wrapper.ticket))
      targets.append(shape.target)
    }
    schema = ObjectSchema(
      name: name, columns: columns, ordinals: ordinals, isEmbedded: type is EmbeddedObject.Type)
    self.targets = targets
    wrappers = WrapperLayout.all(in: prototype)
  }

  private static func column(
    _ property: String, _ wrapper: any PersistedProperty, _ shape: PropertyShape, _ index: Int,
    of className: String
  ) -> Column {
    var column = Column(
      name: property, kind: shape.kind, isOptional: shape.isOptional,
      isPrimaryKey: wrapper.isPrimaryKey, isIndexed: wrapper.isIndexed, index: index)
    let isEmbedded = shape.target is EmbeddedObject.Type
    column.target = shape.target.map { LinkTarget(name: name(of: $0), isEmbedded: isEmbedded) }
    guard let form = shape.collection else { return column }
    precondition(
      shape.target == nil || shape.isOptional == (form == .map),
      "\(className).\(property): objects are optional in maps, where a deleted one leaves nil, and not "
        + "in lists and sets, which it leaves.")
    precondition(
      form != .set || !isEmbedded,
      "\(className).\(property): embedded objects belong to a property, a list or a map, not to a set."
    )
    let collection = CollectionShape(
      form: form, elementKind: shape.kind, elementIsOptional: shape.isOptional)
    column.collection = collection
    column.kind = collection.columnKind
    column.isOptional = true
    return column
  }

  /// The same class under the name that a file has for it.
  init(_ other: ObjectClass, renamedTo name: String) {
    type = other.type
    schema = ObjectSchema(other.schema, renamedTo: name)
    wrappers = other.wrappers
    targets = other.targets
  }

  /// Returns the class's name without its module's.
  static func name(of type: ObjectBase.Type) -> String { String(describing: type) }

  private static let cache = LockedValue<[ObjectIdentifier: ObjectClass]>([:])

  static func of(_ type: ObjectBase.Type) -> ObjectClass {
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
  static func children(of object: ObjectBase) -> [Mirror.Child] {
    var mirrors: [Mirror] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let next = mirror {
      mirrors.append(next)
      mirror = next.superclassMirror
    }
    return mirrors.reversed().flatMap(\.children)
  }

  /// Calls `body` with the name and wrapper of each persisted property that has a column, in the order of the columns.
  static func visitProperties(
    of object: ObjectBase, _ body: (String, any PersistedProperty) -> Void
  ) {
    for child in children(of: object) {
      guard let property = child.value as? any PersistedProperty, let label = child.label,
        Swift.type(of: property).shape != nil
      else { continue }
      // The compiler names a wrapper as its property with an underscore in front.
      body(String(label.dropFirst()), property)
    }
  }

  /// Returns the columns of a key path, each but the last a to-one link to the class of the next; none if it does not lead
  /// to a persisted property.
  func columns(of path: AnyKeyPath) -> [Column] {
    let object = type.init()
    let tracer = KeyPathTracer()
    object.trace(tracer)
    _ = object[keyPath: path]
    var columns: [Column] = []
    var next: (tracer: KeyPathTracer, owner: ObjectClass)? = (tracer, self)
    while let (tracer, owner) = next, tracer.ordinal != 0 {
      let column = owner.schema.columns[owner.schema.column(ordinal: tracer.ordinal)]
      columns.append(column)
      next = tracer.next.flatMap { following in
        owner.target(column).map { (following, $0) }
      }
    }
    return columns
  }

  /// Returns the column of a key path; nil if it does not lead to a persisted property of the class.
  func column(of path: AnyKeyPath) -> Column? {
    let columns = columns(of: path)
    return columns.count == 1 ? columns.first : nil
  }

  /// Returns the class of the objects to which a column links; nil for values.
  func target(_ column: Column) -> ObjectClass? { targets[column.index].map { ObjectClass.of($0) } }
}
