// `where { $0.name == "…" }`: the closure's argument looks like an object and builds a condition.

/// A property of `T`, or a condition. Properties are found by their Swift names, so that the compiler checks them and their
/// types.
///
/// The properties of linked objects are compared through the link: `$0.dog.name == "Rex"`. Where a link leads to nothing
/// they are nil. Through a collection the condition is that any object in it matches, as in the SDK: `$0.dogs.age > 3`. That
/// none does is `!($0.dogs.age > 3)`, and that all do `!($0.dogs.age <= 3)`. See
/// https://www.mongodb.com/docs/realm-sdks/swift/latest/Structs/Query.html.
@dynamicMemberLookup
public struct Query<T> {
  let content: QueryContent

  init(_ content: QueryContent) { self.content = content }

  /// A Boolean property is a condition itself.
  var condition: QueryCondition {
    if case .condition(let condition) = content { return condition }
    return content.condition { .compare($0, .equal, .bool(true)) }
  }

  /// Returns a condition on the property, whose column is passed to `make`.
  func condition(_ make: (Int) -> QueryCondition) -> Query<Bool> {
    Query<Bool>(.condition(content.condition(make)))
  }

  /// Returns a property of the objects that this one leads to.
  func member<Member>(_ path: AnyKeyPath, _ type: Member.Type) -> Query<Member> {
    Query<Member>(content.member(path))
  }
}

/// What a part of a query stands for.
enum QueryContent {
  /// The objects at the end of a path.
  case objects(QueryPath)
  case property(QueryPath, Column)
  /// The elements of a collection, or an entry of a map.
  case elements(QueryPath, LinkStep)
  /// A number for each object at the end of the steps.
  case computed([LinkStep], Computation)
  case condition(QueryCondition)
}

/// The steps from an object that is queried.
struct QueryPath {
  /// The file in which objects are looked for.
  let coordinator: RealmCoordinator
  private(set) var steps: [LinkStep] = []
  /// The class of the objects at the end.
  private(set) var objectClass: ObjectClass

  init(_ coordinator: RealmCoordinator, _ objectClass: ObjectClass) {
    self.coordinator = coordinator
    self.objectClass = objectClass
  }

  func appending(_ step: LinkStep) -> QueryPath {
    var path = self
    path.steps.append(step)
    if let target = step.target { path.objectClass = target }
    return path
  }
}

extension [LinkStep] {
  /// Returns the condition at the end of the steps as one on the object that they begin at.
  func wrap(_ condition: QueryCondition) -> QueryCondition {
    reversed().reduce(condition) { .linked($1, $0) }
  }
}

extension QueryContent {
  func condition(_ make: (Int) -> QueryCondition) -> QueryCondition {
    switch self {
    case .property(let path, let column): path.steps.wrap(make(column.index))
    case .elements(let path, let step): path.steps.wrap(.linked(step.toValues, make(0)))
    case .computed(let steps, let computation): steps.wrap(.computed(computation, make(0)))
    case .objects, .condition: preconditionFailure("A query is a condition on a property.")
    }
  }

  /// The path to the objects that a property leads to.
  var objects: QueryPath {
    switch self {
    case .objects(let path): return path
    case .elements(let path, let step): return path.appending(step)
    case .property(let path, let column):
      if let step = path.step(column) { return path.appending(step) }
    case .computed, .condition: break
    }
    preconditionFailure("A query can use properties of objects only.")
  }

  func member(_ keyPath: AnyKeyPath) -> QueryContent {
    let path = objects
    if let column = path.objectClass.column(of: keyPath) { return .property(path, column) }
    let prototype = path.objectClass.type.init()
    if let links = prototype[keyPath: keyPath] as? any BacklinkSource,
      let step = links.step
    {
      return .elements(path, step)
    }
    preconditionFailure(
      "A query can use persisted properties only; this one of \(path.objectClass.schema.name) is not."
    )
  }
}

extension QueryPath {
  /// The step to the objects of a link, or to the elements of a collection; nil for any other column.
  func step(_ column: Column) -> LinkStep? {
    guard column.isLinked else { return nil }
    return LinkStep(
      column.collection == nil ? .link : .elements, column, objectClass.target(column))
  }
}

// MARK: Properties

extension Query where T: ObjectBase {
  public subscript<Value: Persistable>(dynamicMember path: KeyPath<T, Value>) -> Query<Value> {
    member(path, Value.self)
  }
}

extension Query where T: PersistedValue {
  private func compare(_ comparison: QueryCondition.Comparison, _ value: T) -> Query<Bool> {
    condition { .compare($0, comparison, value.columnValue) }
  }

  public static func == (query: Query<T>, value: T) -> Query<Bool> { query.compare(.equal, value) }
  public static func != (query: Query<T>, value: T) -> Query<Bool> {
    query.compare(.notEqual, value)
  }
  public static func < (query: Query<T>, value: T) -> Query<Bool> { query.compare(.less, value) }
  public static func <= (query: Query<T>, value: T) -> Query<Bool> {
    query.compare(.lessOrEqual, value)
  }
  public static func > (query: Query<T>, value: T) -> Query<Bool> { query.compare(.greater, value) }
  public static func >= (query: Query<T>, value: T) -> Query<Bool> {
    query.compare(.greaterOrEqual, value)
  }

  /// Returns the condition that the property has one of these values.
  public func `in`(_ values: some Sequence<T>) -> Query<Bool> {
    let members = Set(values.map(\.columnValue))
    return condition { .contained($0, members) }
  }
}

extension Query<Bool> {
  public static func && (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query<Bool>(.condition(.and(a.condition, b.condition)))
  }

  public static func || (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query<Bool>(.condition(.or(a.condition, b.condition)))
  }

  public static prefix func ! (query: Query<Bool>) -> Query<Bool> {
    Query<Bool>(.condition(.not(query.condition)))
  }
}
