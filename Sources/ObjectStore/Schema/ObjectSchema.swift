// What a class looks like: found by looking at one fresh object, once for each class.
import Foundation

/// A property as a column.
struct Column: Hashable, Sendable {
  var name: String
  var kind: ColumnKind
  var isOptional: Bool
  var isPrimaryKey: Bool
  var isIndexed: Bool
  /// Its place among the columns of the class.
  var index: Int
}

/// A class and its columns, those of the base class first.
final class ObjectSchema: Sendable {
  let type: Object.Type
  let name: String
  let columns: [Column]
  let primaryKey: Column?
  /// The column of the wrapper whose ticket lies so far before the object's.
  let columnsByOrdinal: [Int]
  /// Where in an object the wrappers are, by column; nil where that is not known.
  let wrappers: [WrapperLayout]?
  /// Of the columns.
  let names: [String]

  private init(_ type: Object.Type) {
    self.type = type
    name = Self.name(of: type)
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
    var byOrdinal = Array(repeating: -1, count: (ordinals.max() ?? 0) + 1)
    for (column, ordinal) in ordinals.enumerated() { byOrdinal[ordinal] = column }
    columnsByOrdinal = byOrdinal
    self.columns = columns
    names = columns.map(\.name)
    wrappers = WrapperLayout.all(in: prototype)
    primaryKey = columns.first { $0.isPrimaryKey }
    let keys = columns.filter(\.isPrimaryKey)
    precondition(
      keys.count <= 1, "\(name) has \(keys.count) primary keys; a class has one at most.")
  }

  /// The same class as files know it by another name.
  init(_ other: ObjectSchema, named name: String) {
    self.name = name
    type = other.type
    columns = other.columns
    primaryKey = other.primaryKey
    names = other.names
    columnsByOrdinal = other.columnsByOrdinal
    wrappers = other.wrappers
  }

  /// The class's name without that of its module.
  static func name(of type: Object.Type) -> String { String(describing: type) }

  private static let known = LockedValue<[ObjectIdentifier: ObjectSchema]>([:])

  static func of(_ type: Object.Type) -> ObjectSchema {
    let id = ObjectIdentifier(type)
    if let schema = known.withLock({ $0[id] }) { return schema }
    // Not under the lock: the class's initialiser is the program's.
    let schema = ObjectSchema(type)
    return known.withLock { known in
      if let other = known[id] { return other }
      known[id] = schema
      return schema
    }
  }

  /// The stored properties of an object, those of the base class first.
  static func children(of object: Object) -> [Mirror.Child] {
    var mirrors: [Mirror] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let next = mirror {
      mirrors.append(next)
      mirror = next.superclassMirror
    }
    return mirrors.reversed().flatMap(\.children)
  }

  /// The persisted properties of an object in the order of its columns.
  static func visitProperties(
    of object: Object, _ body: (String, any PersistedProperty) -> Void
  ) {
    for child in children(of: object) {
      guard let property = child.value as? any PersistedProperty, let label = child.label else {
        continue
      }
      // The compiler calls a wrapper by its property's name with one more underscore.
      body(String(label.dropFirst()), property)
    }
  }

  @inline(__always)
  func column(ordinal: Int) -> Int {
    let column = ordinal >= 0 && ordinal < columnsByOrdinal.count ? columnsByOrdinal[ordinal] : -1
    precondition(
      column >= 0,
      "\(name) initialises its properties in another order at times: a default value may depend on "
        + "nothing that changes how many persisted properties are made.")
    return column
  }

  func column(_ name: String) -> Column? { columns.first { $0.name == name } }

  /// The column that a key path leads to; nil where it leads to no persisted property.
  func column(of path: AnyKeyPath) -> Column? {
    let object = type.init()
    let tracer = KeyPathTracer()
    object.trace(tracer)
    _ = object[keyPath: path]
    return tracer.ordinal == 0 ? nil : columns[column(ordinal: tracer.ordinal)]
  }
}
