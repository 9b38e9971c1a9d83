// The initial contents of an object of a class with links: from a dictionary, an array or another object, whose values may
// themselves be objects, dictionaries, arrays and collections.
import Foundation

/// Reads the contents of an object by column. Objects of other realms are copied, each once.
struct InitialContents {
  private let instance: OpenRealm
  /// The copies of managed objects, which may link to each other in cycles.
  private var copies: [ManagedObject: ObjectBase] = [:]

  private struct ManagedObject: Hashable {
    let type: ObjectIdentifier
    let key: RowKey
  }

  init(_ instance: OpenRealm) { self.instance = instance }

  /// Returns the contents by column; nil for columns without a value. Error `invalidValue`.
  mutating func read(
    _ value: Any, _ objectClass: ObjectClass
  ) throws(RealmError) -> [PropertyContent?] {
    let schema = objectClass.schema
    var contents = [PropertyContent?](repeating: nil, count: schema.columns.count)
    switch value {
    case let named as [String: Any]:
      for (name, value) in named {
        guard let column = schema.column(name) else {
          throw RealmError(.invalidValue, "\(schema.name) has no persisted property '\(name)'.")
        }
        contents[column.index] = try content(value, column, objectClass)
      }
    case let object as ObjectBase:
      let other = object.row?.info.objectClass ?? ObjectClass.of(type(of: object))
      for column in schema.columns {
        guard let own = other.schema.column(column.name) else { continue }
        contents[column.index] = try copy(object.content(of: own, other), column, objectClass)
      }
    case let ordered as [Any] where ordered.count <= schema.columns.count:
      for (column, value) in zip(schema.columns, ordered) {
        contents[column.index] = try content(value, column, objectClass)
      }
    default:
      throw RealmError(
        .invalidValue,
        "An object of \(schema.name) is made from a dictionary, an array of at most "
          + "\(schema.columns.count) values or an object, not from a \(type(of: value)).")
    }
    return contents
  }

  /// Converts the content of another object's property.
  private mutating func copy(
    _ content: PropertyContent, _ column: Column, _ objectClass: ObjectClass
  ) throws(RealmError) -> PropertyContent {
    func isOf(_ form: CollectionShape.Form?) -> Bool { column.collection?.form == form }
    switch content {
    case .value(let value) where isOf(nil):
      return .value(try element(value, column, objectClass))
    case .list(let elements) where isOf(.list) || isOf(.set):
      var list: [ElementContent] = []
      for value in elements { list.append(try element(value, column, objectClass)) }
      return .list(list)
    case .entries(let entries) where isOf(.map):
      var list: [(key: String, value: ElementContent)] = []
      for (key, value) in entries { list.append((key, try element(value, column, objectClass))) }
      return .entries(list)
    default: throw Self.wrongType(content, column, objectClass)
    }
  }

  private mutating func element(
    _ content: ElementContent, _ column: Column, _ objectClass: ObjectClass
  ) throws(RealmError) -> ElementContent {
    switch content {
    case .value(let value): try element(value.anyValue, column, objectClass)
    case .object(let object), .creation(let object, _): try element(object, column, objectClass)
    }
  }

  private mutating func content(
    _ value: Any, _ column: Column, _ objectClass: ObjectClass
  ) throws(RealmError) -> PropertyContent {
    let given = Self.unwrap(value)
    switch column.collection?.form {
    case nil: return .value(try element(given, column, objectClass))
    case .list, .set:
      guard let given else { return .list([]) }
      if let collection = given as? any PersistedCollection {
        return try copy(collection.persistedContent, column, objectClass)
      }
      let elements: [Any]
      if let array = given as? [Any] {
        elements = array
      } else if let set = given as? Set<AnyHashable> {
        elements = set.map(\.base)
      } else {
        throw Self.wrongType(given, column, objectClass)
      }
      var list: [ElementContent] = []
      for value in elements { list.append(try element(Self.unwrap(value), column, objectClass)) }
      return .list(list)
    case .map:
      guard let given else { return .entries([]) }
      if let collection = given as? any PersistedCollection {
        return try copy(collection.persistedContent, column, objectClass)
      }
      guard let named = given as? [String: Any] else {
        throw Self.wrongType(given, column, objectClass)
      }
      var entries: [(key: String, value: ElementContent)] = []
      for (key, value) in named {
        entries.append((key, try element(Self.unwrap(value), column, objectClass)))
      }
      return .entries(entries)
    }
  }

  private mutating func element(
    _ value: Any?, _ column: Column, _ objectClass: ObjectClass
  ) throws(RealmError) -> ElementContent {
    guard let target = objectClass.targets[column.index] else {
      let kind = column.collection?.elementKind ?? column.kind
      let isOptional = column.collection?.elementIsOptional ?? column.isOptional
      guard let found = ColumnValue(value, kind), found != .null || isOptional else {
        throw Self.wrongType(value, column, objectClass)
      }
      return .value(found)
    }
    guard let value, !(value is NSNull) else {
      guard column.collection == nil || column.collection?.form == .map else {
        throw Self.wrongType(value, column, objectClass)
      }
      return .value(.null)
    }
    if let key = value as? RowKey { return try link(key, target, column, objectClass) }
    guard let object = value as? ObjectBase else { return try create(value, target) }
    guard type(of: object) == target else { throw Self.wrongType(value, column, objectClass) }
    guard let row = object.row else { return .object(object) }
    if row.instance === instance, column.target?.isEmbedded == false { return .object(object) }
    return try copy(object, row, target)
  }

  /// Returns a link as migration blocks pass it on.
  private func link(
    _ key: RowKey, _ target: ObjectBase.Type, _ column: Column, _ objectClass: ObjectClass
  ) throws(RealmError) -> ElementContent {
    guard let info = instance.classInfo(for: target), try instance.exists(info, key),
      column.target?.isEmbedded == false
    else { throw Self.wrongType(key, column, objectClass) }
    return .value(.link(key))
  }

  private mutating func create(
    _ value: Any, _ target: ObjectBase.Type
  ) throws(RealmError) -> ElementContent {
    let objectClass = ObjectClass.of(target)
    return .creation(target.init(), try read(value, objectClass))
  }

  private mutating func copy(
    _ object: ObjectBase, _ row: ManagedRow, _ target: ObjectBase.Type
  ) throws(RealmError) -> ElementContent {
    let id = ManagedObject(type: ObjectIdentifier(target), key: row.key)
    let isEmbedded = target is EmbeddedObject.Type
    if !isEmbedded, let copy = copies[id] { return .object(copy) }
    let fresh = target.init()
    copies[id] = fresh
    return .creation(fresh, try read(object, ObjectClass.of(target)))
  }

  /// Returns what is in an optional in an `Any`.
  private static func unwrap(_ value: Any) -> Any? {
    guard Mirror(reflecting: value).displayStyle == .optional else {
      return value is NSNull ? nil : value
    }
    return Mirror(reflecting: value).children.first.flatMap { unwrap($0.value) }
  }

  private static func wrongType(
    _ value: Any?, _ column: Column, _ objectClass: ObjectClass
  ) -> RealmError {
    let stored = StoredClass.StoredColumn(column)
    return RealmError(
      .invalidValue,
      "Invalid value '\(value.map { "\($0)" } ?? "nil")' for property "
        + "'\(objectClass.schema.name).\(column.name)': it has the type \(stored.typeName).")
  }
}

extension OpenRealm {
  /// Creates an object from a dictionary, an array or another object.
  func create(_ object: ObjectBase, from value: Any, _ policy: UpdatePolicy) {
    guard ObjectClass.of(type(of: object)).schema.hasLinks else {
      return store(object, as: type(of: object), policy, for: "create objects") {
        (values, info) throws(RealmError) in
        try InitialValues.read(value, into: &values, of: info.schema)
      }
    }
    storeGraph(object, policy, for: "create objects") { (info) throws(RealmError) in
      var contents = InitialContents(self)
      return try contents.read(value, info.objectClass)
    }
  }

  /// Adds an object, and all unmanaged objects that it links to.
  func add(_ object: ObjectBase, _ policy: UpdatePolicy) {
    if let row = object.row {
      guard row.instance !== self else { return }
      return Misuse.report(
        .invalidValue, "The object is in another realm already: use create(_:value:update:).",
        file: url)
    }
    guard ObjectClass.of(type(of: object)).schema.hasLinks else {
      return store(object, as: type(of: object), policy, for: "add objects") { values, info in
        object.fill(&values, info.wrappers)
      }
    }
    storeGraph(object, policy, for: "add objects") { _ in nil }
  }
}
